package io.hawser.transport;

import io.hawser.fate.Health;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One link to one other process, with a fate of its own: whatever ends it, the other links of both processes do not notice. Below that it keeps the laws of a mesh of two: it ends cleanly if and only if both
 * sides have hung up and all has arrived; otherwise its health is lost on both sides with the same first cause, a silent peer is found out within the silence time-out, and every thread that sends on it
 * comes out with {@link io.hawser.fate.HealthLostException}.
 *
 * <p>Both sides send; who has dialled makes no difference once the link is there. Two processes may have several links.
 *
 * <p><em>Threading:</em> any thread may call any method; none blocks but {@link #close()} and {@link #awaitClosed}.
 */
public final class PeerLink implements AutoCloseable {
    private final LinkPeer peer;
    private final boolean isDialled;
    private final Mesh mesh;

    PeerLink(LinkPeer peer, boolean isDialled, Mesh mesh) {
        this.peer = peer;
        this.isDialled = isDialled;
        this.mesh = mesh;
    }

    /** {@return who is at the other end} */
    public LinkPeer peer() {
        return peer;
    }

    /** {@return whether this side has dialled} */
    public boolean isDialled() {
        return isDialled;
    }

    /** {@return the health of this link; losing it ends the link on both sides} */
    public Health health() {
        return mesh.health();
    }

    /** {@return index of the first of this side's senders: 0 for the side that has accepted, the number of senders for the one that has dialled} */
    public int firstWorker() {
        return isDialled ? mesh.config().workersPerProcess() : 0;
    }

    /** {@return index of the first of the other side's senders, to address it by} */
    public int firstPeerWorker() {
        return isDialled ? 0 : mesh.config().workersPerProcess();
    }

    /**
     * Opens a ring to the peer. Its producer side belongs to one thread, which has to close it before the link can be hung up.
     *
     * @param sender which of this side's senders it is for, 0 up to {@link ClusterConfig#workersPerProcess()}
     * @return the ring; its lanes lead to {@link #firstPeerWorker()} and those after it
     * @throws IllegalArgumentException if there is no such sender
     */
    public SendRing openRing(final int sender) {
        if (sender < 0 || sender >= mesh.config().workersPerProcess()) {
            throw new IllegalArgumentException("no such sender: sender=" + sender + " workersPerProcess="
                    + mesh.config().workersPerProcess());
        }
        return mesh.openRing(isDialled ? 0 : 1, firstWorker() + sender);
    }

    /**
     * Sends a notice to the peer, ahead of all data.
     *
     * @param channelId the channel that it is about, or {@link Notice#NO_CHANNEL}
     * @param kind      the engine's own number of what it is
     * @param body      its bytes; copied
     * @return false if so much has been sent and not been taken that the window is full: nothing was sent
     * @throws MessageTooLargeException if it is longer than {@link Notice#LENGTH_MAX}
     * @throws IllegalStateException    if this side has hung up
     * @throws io.hawser.fate.HealthLostException if the link is lost
     */
    public boolean offer(final int channelId, final int kind, final byte[] body) {
        return mesh.offer(new Notice(
                isDialled ? 1 : 0,
                Notice.NO_WORKER,
                firstPeerWorker(),
                channelId,
                kind,
                new UnsafeBuffer(body),
                0,
                body.length));
    }

    /** Starts the clean end: nothing more will be pushed, and all rings are closed. What they hold is sent first. Idempotent. */
    public void hangUp() {
        mesh.hangUp();
    }

    /**
     * Waits until nothing of the link is left.
     *
     * @param timeout how long to wait at most
     * @return whether the end was reached
     * @throws InterruptedException  if the calling thread was interrupted
     * @throws IllegalStateException if the calling thread is one of the link's own, which would wait for itself
     */
    public boolean awaitClosed(final Duration timeout) throws InterruptedException {
        return mesh.awaitClosed(timeout);
    }

    /** Ends the link if it has not ended: uncleanly, with this process's user as the cause. Waits for the end, unless called by one of the link's own threads. Idempotent. */
    @Override
    public void close() {
        mesh.lose("PeerLink.close was called before the end of the link");
        mesh.close();
    }

    /** {@return what has crossed the link} */
    public PeerStats stats() {
        return mesh.stats(isDialled ? 0 : 1);
    }

    /** {@return one line: who is linked to whom, and how the link is} */
    @Override
    public String toString() {
        return "link " + (isDialled ? "to " : "from ") + peer + ": " + mesh.health();
    }
}
