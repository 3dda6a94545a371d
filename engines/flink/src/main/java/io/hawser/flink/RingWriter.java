package io.hawser.flink;

import io.hawser.fate.HealthLostException;
import io.hawser.transport.PeerLink;
import io.hawser.transport.SendLane;
import io.hawser.transport.SendRing;
import java.util.ArrayDeque;

/**
 * The send ring of one link as its {@link ShuffleAgent} uses it: what is lacking is asked for, what is written is flushed at the end of a turn, and lanes that are done with are closed when there is room.
 *
 * <p><em>Threading:</em> for the agent's thread.
 */
final class RingWriter {
    private final SendRing ring;
    private final int target;

    private final ArrayDeque<SendLane> lanesToClose = new ArrayDeque<>();
    private boolean isDirty;
    private boolean isFull;
    private boolean isClosed;

    /**
     * Opens the ring of a link.
     *
     * @param link       that is open
     * @param onRoomNews called, by any thread, when something that was lacking may be there
     * @throws HealthLostException if the link is lost already
     */
    RingWriter(final PeerLink link, final Runnable onRoomNews) {
        this.ring = link.openRing(0);
        this.target = link.firstPeerWorker();
        ring.roomListener(onRoomNews);
    }

    SendRing ring() {
        return ring;
    }

    /** Whether the last claim failed because the ring is full; then nothing else on this link will do better. */
    boolean isFull() {
        return isFull;
    }

    /** There may be room again. */
    void onRoom() {
        isFull = false;
    }

    SendLane openLane(final int channelId) {
        return ring.openLane(SendRing.NO_DATAFLOW, channelId, target, 1);
    }

    /**
     * Claims room for a record, and asks to be told if there is none.
     *
     * @return its index in the ring's buffer, or {@link SendRing#FULL} or {@link SendRing#NO_CREDIT}
     * @throws HealthLostException if the link is lost
     */
    int claim(final SendLane lane, final int length) {
        while (true) {
            final int index = ring.tryClaim(lane, length);
            if (index >= 0) {
                isDirty = true;
                return index;
            }
            if (!ring.want(lane, index)) {
                isFull = index == SendRing.FULL;
                return index;
            }
        }
    }

    void close(final SendLane lane) {
        lanesToClose.add(lane);
    }

    /**
     * Sees to it that what was written travels now.
     *
     * @throws HealthLostException if the link is lost
     */
    void flush() {
        while (!lanesToClose.isEmpty() && ring.tryClose(lanesToClose.peek())) {
            lanesToClose.poll();
            isDirty = true;
        }
        if (isDirty) {
            isDirty = false;
            ring.flush();
        }
    }

    /** Whether lanes wait to be closed, which they cannot be in a full ring. */
    boolean isIdle() {
        return lanesToClose.isEmpty();
    }

    /** Lets the ring go. Idempotent. */
    void close() {
        if (!isClosed) {
            isClosed = true;
            ring.close();
        }
    }
}
