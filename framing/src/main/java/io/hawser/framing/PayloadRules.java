package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * What the payload of a frame whose header is sound may hold: one flyweight for each type, which judges itself.
 *
 * <p><em>Threading:</em> not thread-safe; belongs to one decoder.
 */
final class PayloadRules {

    private final HelloFlyweight hello = new HelloFlyweight();
    private final ReadyFlyweight ready = new ReadyFlyweight();
    private final HeartbeatFlyweight heartbeat = new HeartbeatFlyweight();
    private final CreditFlyweight credit = new CreditFlyweight();
    private final HangupFlyweight hangup = new HangupFlyweight();
    private final AbortFlyweight abort = new AbortFlyweight();
    private final RefuseFlyweight refuse = new RefuseFlyweight();
    private final StartFlyweight start = new StartFlyweight();
    private final AcceptFlyweight accept = new AcceptFlyweight();
    private final RejectFlyweight reject = new RejectFlyweight();
    private final GoFlyweight go = new GoFlyweight();
    private final CancelFlyweight cancel = new CancelFlyweight();
    private final CancelledFlyweight cancelled = new CancelledFlyweight();
    private final NoticeFlyweight notice = new NoticeFlyweight();
    private final WaitFlyweight wait = new WaitFlyweight();
    private final FateFlyweight fate = new FateFlyweight();

    private boolean isRecordWalk;

    void recordWalk(final boolean isRecordWalk) {
        this.isRecordWalk = isRecordWalk;
    }

    FrameFault judge(
            final FrameType type, final int flags, final DirectBuffer buffer, final int offset, final int length) {
        return switch (type) {
            case DATA -> judgeData(flags, buffer, offset, length);
            case HANGUP -> hangup.wrap(buffer, offset, length).validate(flags);
            default -> wrap(type, buffer, offset, length).validate();
        };
    }

    /** Wraps a payload of any type but DATA, whatever it holds. */
    PayloadFlyweight wrap(final FrameType type, final DirectBuffer buffer, final int offset, final int length) {
        return switch (type) {
            case HELLO -> hello.wrap(buffer, offset, length);
            case READY -> ready.wrap(buffer, offset, length);
            case HEARTBEAT -> heartbeat.wrap(buffer, offset, length);
            case CREDIT -> credit.wrap(buffer, offset, length);
            case HANGUP -> hangup.wrap(buffer, offset, length);
            case ABORT -> abort.wrap(buffer, offset, length);
            case REFUSE -> refuse.wrap(buffer, offset, length);
            case START -> start.wrap(buffer, offset, length);
            case ACCEPT -> accept.wrap(buffer, offset, length);
            case REJECT -> reject.wrap(buffer, offset, length);
            case GO -> go.wrap(buffer, offset, length);
            case CANCEL -> cancel.wrap(buffer, offset, length);
            case CANCELLED -> cancelled.wrap(buffer, offset, length);
            case NOTICE -> notice.wrap(buffer, offset, length);
            case WAIT -> wait.wrap(buffer, offset, length);
            case FATE -> fate.wrap(buffer, offset, length);
            case DATA -> throw new IllegalArgumentException("no flyweight for records: type=" + type);
        };
    }

    private FrameFault judgeData(final int flags, final DirectBuffer buffer, final int offset, final int length) {
        if (!FrameFlags.isRecords(flags)) {
            return FragmentDescriptor.validate(flags, buffer, offset, length);
        }
        if (isRecordWalk) {
            return RecordDescriptor.validate(flags, buffer, offset, length);
        }
        final boolean isFillable =
                (length > 0 || FrameFlags.isLast(flags)) && length % RecordDescriptor.RECORD_ALIGNMENT == 0;
        return isFillable ? FrameFault.NONE : FrameFault.BAD_RECORDS;
    }
}
