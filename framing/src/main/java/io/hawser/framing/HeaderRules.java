package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;

/**
 * What a header whose check has been verified may say.
 *
 * <p><em>Threading:</em> not thread-safe; belongs to one decoder.
 */
final class HeaderRules {

    private boolean isGreeting = true;
    private int frameLimit = FrameType.FRAME_LIMIT_MIN;
    private boolean isPayloadChecked = true;

    void greeting() {
        isGreeting = true;
        frameLimit = FrameType.FRAME_LIMIT_MIN;
        isPayloadChecked = true;
    }

    void agreed(final int frameLimit, final boolean isPayloadChecked) {
        if (frameLimit < FrameType.FRAME_LIMIT_MIN || frameLimit > FrameType.FRAME_LIMIT_MAX) {
            throw new IllegalArgumentException("frame limit outside " + FrameType.FRAME_LIMIT_MIN + " to "
                    + FrameType.FRAME_LIMIT_MAX + ": frameLimit=" + frameLimit);
        }
        isGreeting = false;
        this.frameLimit = frameLimit;
        this.isPayloadChecked = isPayloadChecked;
    }

    boolean isGreeting() {
        return isGreeting;
    }

    /** Whether the first 8 bytes, whose check has not been verified, can be the start of a HELLO or REFUSE. */
    boolean isGreetingStart(final DirectBuffer buffer, final int offset) {
        final FrameType type = FrameType.of(buffer.getByte(offset + FrameHeaderFlyweight.TYPE_OFFSET));
        final int frameLength = buffer.getInt(offset, LITTLE_ENDIAN);
        final int flags = buffer.getShort(offset + FrameHeaderFlyweight.FLAGS_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
        return type != null
                && type.isGreeting()
                && buffer.getByte(offset + FrameHeaderFlyweight.VERSION_OFFSET) == FrameHeaderFlyweight.VERSION
                && frameLength >= type.minLength()
                && frameLength <= type.maxLength(frameLimit)
                && (flags & ~type.allowedFlags()) == 0;
    }

    int frameLimit() {
        return frameLimit;
    }

    FrameFault judge(final FrameHeaderFlyweight header) {
        if (header.version() != FrameHeaderFlyweight.VERSION) {
            return FrameFault.BAD_VERSION;
        }
        final FrameType type = header.type();
        if (type == null) {
            return FrameFault.UNKNOWN_TYPE;
        }
        final FrameFault fault = judgeFlags(type, header.flags());
        if (fault != FrameFault.NONE) {
            return fault;
        }
        if (header.frameLength() < type.minLength(header.flags())
                || header.frameLength() > type.maxLength(frameLimit)) {
            return FrameFault.BAD_LENGTH;
        }
        return judgeAddress(type, header);
    }

    private FrameFault judgeFlags(final FrameType type, final int flags) {
        if ((flags & ~type.allowedFlags()) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        if (FrameFlags.isLast(flags) && !FrameFlags.isRecords(flags)) {
            return FrameFault.RESERVED_BITS;
        }
        final boolean isDue = type != FrameType.DATA || isPayloadChecked;
        return FrameFlags.isChecked(flags) == isDue ? FrameFault.NONE : FrameFault.BAD_CHECKED_FLAG;
    }

    private static FrameFault judgeAddress(final FrameType type, final FrameHeaderFlyweight header) {
        final boolean isSound = isChannel(type, header.channelId())
                && header.sourceWorker() >= FrameHeaderFlyweight.NO_WORKER
                && isTargets(header.firstTargetWorker(), header.targetWorkerCount())
                && (type != FrameType.WAIT || isBetweenWorkers(header));
        return isSound ? FrameFault.NONE : FrameFault.BAD_ADDRESS;
    }

    private static boolean isChannel(final FrameType type, final int channelId) {
        return switch (type) {
            case DATA -> channelId >= 0;
            case CREDIT, CANCEL, NOTICE, WAIT -> channelId >= FrameHeaderFlyweight.NO_CHANNEL;
            default -> channelId == FrameHeaderFlyweight.NO_CHANNEL;
        };
    }

    private static boolean isBetweenWorkers(final FrameHeaderFlyweight header) {
        return header.sourceWorker() >= 0 && header.targetWorkerCount() > 0;
    }

    private static boolean isTargets(final int firstWorker, final int count) {
        if (count == 0) {
            return firstWorker == FrameHeaderFlyweight.NO_WORKER;
        }
        return count > 0 && firstWorker >= 0 && count <= Integer.MAX_VALUE - firstWorker;
    }
}
