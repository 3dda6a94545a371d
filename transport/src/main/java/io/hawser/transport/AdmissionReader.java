package io.hawser.transport;

import io.hawser.framing.AcceptFlyweight;
import io.hawser.framing.CancelFlyweight;
import io.hawser.framing.CancelledFlyweight;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.GoFlyweight;
import io.hawser.framing.RejectFlyweight;
import io.hawser.framing.StartFlyweight;
import org.agrona.DirectBuffer;

/**
 * Reads frames about work that is offered, the mirror of {@link AdmissionSender}. They come seldom, so it allocates what it needs.
 *
 * <p><em>Threading:</em> stateless.
 */
final class AdmissionReader {

    private AdmissionReader() {}

    /** Tells a listener what a frame says that the session has found to be right. */
    static void read(
            final FrameHeaderFlyweight header,
            final DirectBuffer buffer,
            final int payload,
            final int peer,
            final AdmissionWire listener) {
        final int length = header.payloadLength();
        final long scopeId = header.scopeId();
        switch (header.type()) {
            case START -> {
                final StartFlyweight start = new StartFlyweight().wrap(buffer, payload, length);
                listener.start(
                        peer,
                        scopeId,
                        start.attemptId(),
                        header.firstTargetWorker(),
                        start.weight(),
                        start.priority(),
                        buffer,
                        payload + StartFlyweight.FIXED_LENGTH,
                        start.opaqueLength());
            }
            case ACCEPT -> {
                final AcceptFlyweight accept = new AcceptFlyweight().wrap(buffer, payload, length);
                listener.accept(peer, scopeId, accept.attemptId(), accept.holdNs());
            }
            case REJECT -> {
                final RejectFlyweight reject = new RejectFlyweight().wrap(buffer, payload, length);
                listener.reject(
                        peer, scopeId, reject.attemptId(), reject.policy(), reject.retryAfterMs(), reject.text());
            }
            case GO -> {
                final GoFlyweight go = new GoFlyweight().wrap(buffer, payload, length);
                listener.go(
                        peer, scopeId, go.attemptId(), buffer, payload + GoFlyweight.FIXED_LENGTH, go.opaqueLength());
            }
            case CANCEL ->
                listener.release(
                        peer,
                        scopeId,
                        new CancelFlyweight().wrap(buffer, payload, length).attemptId());
            case CANCELLED -> {
                final CancelledFlyweight cancelled = new CancelledFlyweight().wrap(buffer, payload, length);
                listener.released(peer, scopeId, cancelled.attemptId(), cancelled.answer());
            }
            default -> throw new IllegalArgumentException("not about an offer: type=" + header.type());
        }
    }
}
