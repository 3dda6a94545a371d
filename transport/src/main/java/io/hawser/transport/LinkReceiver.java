package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.framing.FrameHeaderFlyweight;
import java.util.Optional;

/**
 * What arrives on one {@link PeerLink}.
 *
 * <p><em>Threading:</em> {@link #onData}, {@link #onNotice} and {@link #onHangUp} are called by the receive thread of the link, in the order in which the frames have come; {@link #onEnded} by a thread that
 * all links of the process share for that, after the last of the others. The first three must neither block nor throw: whatever waits there delays heartbeats and credits of this link. An exception costs the
 * link its health, and nobody else anything.
 */
public interface LinkReceiver {
    /**
     * A DATA frame has arrived: checked, in order, once.
     *
     * @param header        the frame's header, valid during the call only
     * @param slab          the memory that holds it; {@link Slab#retain()} it to keep the bytes beyond the call
     * @param payloadOffset where the payload starts in the slab, in bytes; its length is the header's
     * @param lane          to be told by {@link ReceiveLane#consumed}, with the target worker and {@link ReceiveLane#chargeOf}, when the bytes are held no more; the sender gets no new credit before
     */
    void onData(FrameHeaderFlyweight header, Slab slab, int payloadOffset, ReceiveLane lane);

    /**
     * A notice has arrived, in the order in which its sender has sent it among its notices.
     *
     * @param notice what has come
     * @param books  to be told by {@link ConsumptionListener#consumed}, with {@link Notice#targetWorker()} and {@link Notice#charge()}, when it has been taken; the sender may send no
     *               more than {@link Notice#WINDOW} beyond that
     */
    void onNotice(Notice notice, ConsumptionListener books);

    /** The peer has hung up: it sends no more data, and all it sent has been given to {@link #onData}. This side may still send, until it hangs up, too. */
    void onHangUp();

    /**
     * The link is over; exactly once, and nothing else is called after it.
     *
     * @param firstCause why it was lost, as both sides tell it, if they could still speak to each other; empty if both have hung up and all has arrived
     */
    void onEnded(Optional<Cause> firstCause);
}
