package io.hawser.transport;

import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.FrameHeaderFlyweight;

/**
 * What arrives from the peers of a {@link Mesh}, seen by whoever builds workers on it.
 *
 * <p><em>Threading:</em> called by the receive threads, one for each peer, concurrently; calls for one peer come in order from one
 * thread. A call must neither block nor throw: whatever waits here delays heartbeats, hang-ups and aborts of that peer. An
 * exception costs the cluster its health.
 */
public interface MeshReceiver {
    /**
     * A DATA frame has arrived: checked, in order, once. Data may come before {@link Mesh#form} has returned, since a peer may have
     * started a moment earlier.
     *
     * @param header        the frame's header, valid during the call only
     * @param slab          the memory that holds it; {@link Slab#retain()} it to keep the bytes beyond the call
     * @param payloadOffset where the payload starts in the slab, in bytes; its length is the header's
     * @param lane          to be told by {@link ReceiveLane#consumed}, once for each worker that the frame is for, when its bytes are held no more;
     *                      the sender gets no new credit before. How much it is: {@link ReceiveLane#chargeOf}
     */
    void onData(FrameHeaderFlyweight header, Slab slab, int payloadOffset, ReceiveLane lane);

    /**
     * A notice has arrived, in the order in which its sender has sent it among its notices. May come before {@link Mesh#form} has returned, too.
     *
     * @param notice what has come
     * @param books  to be told by {@link ConsumptionListener#consumed}, with {@link Notice#targetWorker()} and {@link Notice#charge()}, when the worker has taken it; the sender may send no
     *               more than {@link Notice#WINDOW} beyond that
     */
    void onNotice(Notice notice, ConsumptionListener books);

    /**
     * A scope has been stopped, or has its outcome; maybe more than once. Called by any thread.
     *
     * @param scope which
     */
    default void onScopeChanged(Scope scope) {
        // whoever opens none has none
    }

    /**
     * Who hears what peers say about work that is offered.
     *
     * @return always the same; its calls name the process that speaks as the peer
     */
    default AdmissionWire admission() {
        return AdmissionWire.DEAF;
    }

    /**
     * Somebody wants a scope to end that this process has not opened.
     *
     * @param scopeId the scope
     * @param how     by whom and why
     * @return whether something is known of it nevertheless, a reservation, say, which is given up then. Must not block
     */
    default boolean onCancelUnopened(final long scopeId, final ScopeOutcome.Cancelled how) {
        return false;
    }

    /**
     * A process has hung up: it sends no more data, and all it sent has been given to {@link #onData}.
     *
     * @param process index of the process
     */
    void onHangUp(int process);
}
