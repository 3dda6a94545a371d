package io.hawser.transport;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.CancelFlyweight;
import io.hawser.framing.CancelledFlyweight;
import io.hawser.framing.FateFlyweight;
import io.hawser.framing.FateWord;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * What comes from one peer about scopes and about work that is offered: judges it, and keeps what the last frame said, the mirror of {@link ScopeFrames}. Part of {@link Session}'s receive half.
 *
 * <p><em>Threading:</em> the receive thread.
 */
final class ReceiveScopes {

    private final Hello own;
    private final Hello peer;
    private final ScopeFrames frames;
    private final SendLanes sendLanes;
    private final ReceiveLanes receiveLanes;
    private final CancelFlyweight cancel = new CancelFlyweight();
    private final CancelledFlyweight cancelled = new CancelledFlyweight();

    // of the last frame
    private Session.Verdict verdict;
    private ScopeWord word;
    private ScopeMembers members;

    ReceiveScopes(
            final Hello own,
            final Hello peer,
            final ScopeFrames frames,
            final SendLanes sendLanes,
            final ReceiveLanes receiveLanes) {
        this.own = own;
        this.peer = peer;
        this.frames = frames;
        this.sendLanes = sendLanes;
        this.receiveLanes = receiveLanes;
    }

    /**
     * A frame has come.
     *
     * @return null, or what is wrong with it
     */
    String onFrame(final FrameHeaderFlyweight header, final DirectBuffer buffer, final int payload) {
        final int length = header.payloadLength();
        return switch (header.type()) {
            case FATE -> onFate(header, new FateFlyweight().wrap(buffer, payload, length));
            case CANCEL -> onCancel(header, cancel.wrap(buffer, payload, length));
            case CANCELLED -> onCancelled(header, cancelled.wrap(buffer, payload, length));
            default -> onOffered(header, buffer.getLong(payload, ByteOrder.LITTLE_ENDIAN));
        };
    }

    /** What the last frame means, if nothing was wrong with it. */
    Session.Verdict verdict() {
        return verdict;
    }

    /** The word that has come. */
    ScopeWord word() {
        return word;
    }

    /** Of whom the scope consists, as told with the word. */
    ScopeMembers members() {
        return members;
    }

    /** Why the peer wants a scope to end. */
    String cancelReason() {
        return cancel.text();
    }

    /** What became of a cancel. */
    CancelAnswer cancelAnswer() {
        return cancelled.answer();
    }

    private String onFate(final FrameHeaderFlyweight header, final FateFlyweight fate) {
        if (header.scopeId() == 0 || namesAStranger(fate)) {
            return "FATE of scope=" + header.scopeId() + " of processCount=" + own.processCount() + ":" + fate
                    + ": no such scope or process";
        }
        final long[] longs = new long[fate.memberLongs()];
        for (int i = 0; i < longs.length; i++) {
            longs[i] = fate.members(i);
        }
        word = ScopeWord.read(fate, peer.processIndex());
        members = ScopeMembers.ofLongs(longs);
        if (word.isStop() && word.process() == peer.processIndex()) {
            receiveLanes.dropScope(header.scopeId());
        }
        verdict = Session.Verdict.FATED;
        return null;
    }

    private boolean namesAStranger(final FateFlyweight fate) {
        final boolean isStrangeCause = fate.word() == FateWord.FAILED
                && (fate.cause().failedProcess() >= own.processCount()
                        || fate.cause().seenByProcess() >= own.processCount());
        return isStrangeCause
                || fate.process() >= own.processCount()
                || fate.cancelledByProcess() >= own.processCount();
    }

    private String onCancel(final FrameHeaderFlyweight header, final CancelFlyweight frame) {
        return switch (frame.origin()) {
            case RECEIVER_GONE -> onReceiverGone(header);
            case RELEASE -> onOffered(header, frame.attemptId());
            case USER -> onCancelAsked(header, frame);
        };
    }

    private String onCancelAsked(final FrameHeaderFlyweight header, final CancelFlyweight frame) {
        final int worker = header.sourceWorker();
        if (header.scopeId() == 0
                || frame.attemptId() != 0
                || header.channelId() != FrameHeaderFlyweight.NO_CHANNEL
                || worker != FrameHeaderFlyweight.NO_WORKER && !peer.holds(worker, 1)) {
            return "CANCEL of scope=" + header.scopeId() + " channel=" + header.channelId() + " by worker=" + worker
                    + " " + frame + ": no such thing to cancel, or not one of the peer's workers";
        }
        if (frames.answersWaiting() >= Scopes.Limits.OF_PROTOCOL.unanswered()) {
            return "CANCEL of scope=" + header.scopeId() + ": too many that have not been answered: unanswered="
                    + frames.answersWaiting();
        }
        verdict = Session.Verdict.CANCEL_ASKED;
        return null;
    }

    private String onReceiverGone(final FrameHeaderFlyweight header) {
        if (header.channelId() < 0
                || header.targetWorkerCount() != 1
                || !peer.holds(header.sourceWorker(), 1)
                || !own.holds(header.firstTargetWorker(), 1)) {
            return "CANCEL of channel=" + header.channelId() + " by worker=" + header.sourceWorker() + " for workers="
                    + header.firstTargetWorker() + "+" + header.targetWorkerCount()
                    + ": not from one of the peer's workers to one of ours";
        }
        sendLanes.onReceiverGone(header);
        verdict = Session.Verdict.CONTINUE;
        return null;
    }

    private String onCancelled(final FrameHeaderFlyweight header, final CancelledFlyweight frame) {
        if (frame.attemptId() != 0) {
            return onOffered(header, frame.attemptId());
        }
        if (header.scopeId() == 0) {
            return "CANCELLED of scope=" + header.scopeId() + " " + frame + ": that was not asked for";
        }
        verdict = Session.Verdict.CANCEL_ANSWERED;
        return null;
    }

    /** Every frame about an offer starts with the number of the attempt. */
    private String onOffered(final FrameHeaderFlyweight header, final long attemptId) {
        final FrameType type = header.type();
        final boolean isTarget = type == FrameType.START
                ? header.targetWorkerCount() == 1 && own.holds(header.firstTargetWorker(), 1)
                : header.targetWorkerCount() == 0;
        if (header.scopeId() == 0 || attemptId == 0 || !isTarget) {
            return type + " of scope=" + header.scopeId() + " attempt=" + attemptId + " for workers="
                    + header.firstTargetWorker() + "+" + header.targetWorkerCount()
                    + ": no such attempt, or not for one of our workers";
        }
        verdict = Session.Verdict.OFFERED;
        return null;
    }
}
