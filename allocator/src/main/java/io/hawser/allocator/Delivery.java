package io.hawser.allocator;

import io.hawser.transport.Slab;

/**
 * A row of records of one channel from one worker, on its way to the workers it is for: a slice of a slab. All workers of a process
 * that a broadcast is for get the same delivery; each owns one reference to the slab.
 *
 * <p><em>Threading:</em> immutable; handed over through an {@link Inbox}.
 *
 * @param slab         the memory that holds the records
 * @param offset       of the first record in bytes
 * @param length       of all records in bytes
 * @param channelId    the channel
 * @param sourceWorker global index of the worker that pushed them
 */
record Delivery(Slab slab, int offset, int length, int channelId, int sourceWorker) {
    /** Gives back one worker's reference to the slab. */
    void release() {
        slab.release();
    }
}
