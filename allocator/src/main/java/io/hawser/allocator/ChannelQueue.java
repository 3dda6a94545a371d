package io.hawser.allocator;

import io.hawser.framing.FrameFault;
import io.hawser.framing.RecordIterator;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;

/**
 * What has arrived for one channel of one worker and was not yet pulled. Exists from the first delivery on, even if the worker
 * allocates the channel later, so that a message that comes early keeps its place.
 *
 * <p>The message at the head stays in place, and its slab stays retained, until {@link #consume()}.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class ChannelQueue {
    private final int channelId;
    private final Intake intake;
    private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();
    private final RecordIterator records = new RecordIterator();

    /** The delivery that the iterator stands in, on a message not yet consumed; null if there is none. */
    private Delivery current;

    /** The memory of the current delivery. */
    private DirectBuffer buffer;

    private boolean isAllocated;
    private boolean isInUse;

    ChannelQueue(final int channelId, final Intake intake) {
        this.channelId = channelId;
        this.intake = intake;
    }

    int channelId() {
        return channelId;
    }

    boolean isAllocated() {
        return isAllocated;
    }

    void allocate() {
        isAllocated = true;
    }

    /** How many deliveries are here, the one being read included. */
    int deliveryCount() {
        return waiting.size() + (current == null ? 0 : 1);
    }

    /** Appends a delivery, whose slab reference it takes over. */
    void add(final Delivery delivery) {
        waiting.add(delivery);
    }

    /** Whether there is a message at the head; looks into the inbox if need be. */
    boolean hasMessage() {
        return current != null || advance();
    }

    DirectBuffer buffer() {
        return buffer;
    }

    int messageOffset() {
        return records.messageOffset();
    }

    int messageLength() {
        return records.messageLength();
    }

    int sourceWorker() {
        return current.sourceWorker();
    }

    /** Marks the head as being looked at by user code, which must not come back here meanwhile. */
    void beginUse() {
        if (isInUse) {
            throw new IllegalStateException(
                    "a handler or codec must not pull from its own channel: channelId=" + channelId);
        }
        isInUse = true;
    }

    /** Goes to the next message; after the last one of a delivery its slab is released. */
    void consume() {
        isInUse = false;
        if (!records.next()) {
            final Delivery finished = current;
            current = null;
            buffer = null;
            intake.onConsumed();
            try {
                checkRecords(finished);
            } finally {
                finished.release();
            }
        }
    }

    /** Releases everything. */
    void close() {
        if (current != null) {
            current.release();
            current = null;
        }
        for (Delivery delivery = waiting.poll(); delivery != null; delivery = waiting.poll()) {
            delivery.release();
        }
    }

    private boolean advance() {
        if (waiting.isEmpty() && !intake.fetch(this)) {
            return false;
        }
        current = waiting.poll();
        buffer = current.slab().buffer();
        records.wrap(buffer, current.offset(), current.length());
        if (!records.next()) {
            checkRecords(current);
        }
        return true;
    }

    /** Received records were judged before they came here, and local ones are laid by us. */
    private void checkRecords(final Delivery delivery) {
        if (records.fault() != FrameFault.NONE) {
            throw new IllegalStateException("records do not fill their delivery, please report it: channelId="
                    + channelId + " delivery=" + delivery);
        }
    }
}
