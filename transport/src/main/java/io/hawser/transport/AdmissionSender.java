package io.hawser.transport;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.GoFlyweight;
import io.hawser.framing.RejectPolicy;
import io.hawser.framing.StartFlyweight;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.agrona.DirectBuffer;

/**
 * Says to peers what is to be said about work that is offered.
 *
 * <p><em>Threading:</em> any thread.
 */
final class AdmissionSender implements AdmissionWire {

    private final IntFunction<? extends Scopes.Peer> peers;
    private final int frameLimit;

    /**
     * Says nothing yet.
     *
     * @param peers      the link to each other process
     * @param frameLimit of this process, bytes
     */
    AdmissionSender(final IntFunction<? extends Scopes.Peer> peers, final int frameLimit) {
        this.peers = peers;
        this.frameLimit = frameLimit;
    }

    @Override
    public void start(
            final int peer,
            final long scopeId,
            final long attemptId,
            final int targetWorker,
            final int weight,
            final int priority,
            final DirectBuffer payload,
            final int offset,
            final int length) {
        check(
                length,
                FrameType.START.maxLength(frameLimit)
                        - FrameHeaderFlyweight.HEADER_LENGTH
                        - StartFlyweight.FIXED_LENGTH);
        final byte[] copy = copy(payload, offset, length);
        say(peer, frames -> frames.start(scopeId, attemptId, targetWorker, weight, priority, copy));
    }

    @Override
    public void accept(final int peer, final long scopeId, final long attemptId, final long holdNs) {
        say(peer, frames -> frames.accept(scopeId, attemptId, holdNs));
    }

    @Override
    public void reject(
            final int peer,
            final long scopeId,
            final long attemptId,
            final RejectPolicy policy,
            final int retryAfterMs,
            final String reason) {
        say(peer, frames -> frames.reject(scopeId, attemptId, policy, retryAfterMs, reason));
    }

    @Override
    public void go(
            final int peer,
            final long scopeId,
            final long attemptId,
            final DirectBuffer plan,
            final int offset,
            final int length) {
        check(length, frameLimit - FrameHeaderFlyweight.HEADER_LENGTH - GoFlyweight.FIXED_LENGTH);
        final byte[] copy = copy(plan, offset, length);
        say(peer, frames -> frames.go(scopeId, attemptId, copy));
    }

    @Override
    public void release(final int peer, final long scopeId, final long attemptId) {
        say(peer, frames -> frames.release(scopeId, attemptId));
    }

    @Override
    public void released(final int peer, final long scopeId, final long attemptId, final CancelAnswer answer) {
        say(peer, frames -> frames.released(scopeId, attemptId, answer));
    }

    private void say(final int peer, final Consumer<ScopeFrames> what) {
        final Scopes.Peer link = peers.apply(peer);
        what.accept(link.scopeFrames());
        link.wakeSender();
    }

    private static void check(final int length, final int limit) {
        if (length > limit) {
            throw new MessageTooLargeException(
                    "what is offered, and its plan, have to fit a frame; make them shorter, or raise frameLimit on all processes",
                    length,
                    "limit",
                    limit);
        }
    }

    private static byte[] copy(final DirectBuffer source, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        source.getBytes(offset, bytes);
        return bytes;
    }
}
