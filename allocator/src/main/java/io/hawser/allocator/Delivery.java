package io.hawser.allocator;

import io.hawser.transport.Slab;

/**
 * A row of records of one channel from one worker, on its way to one worker that it is for: a slice of a slab, to which it owns one reference.
 *
 * <p>It is made once and used again and again, see {@link DeliveryShelf}: whoever has released it must not touch it any more.
 *
 * <p><em>Threading:</em> filled by the thread that fills the slab, handed over through an {@link Inbox}, then the worker's.
 */
final class Delivery {
    private final Slab slab;
    private int offset;
    private int length;
    private int channelId;
    private int sourceWorker;

    /** What was delivered after it; of the {@link DeliveryQueue} that it is in. */
    volatile Delivery next;

    Delivery(final Slab slab) {
        this.slab = slab;
    }

    /**
     * Says what it brings, and retains the slab for it.
     *
     * @param newOffset       of the first record in bytes
     * @param newLength       of all records in bytes
     * @param newChannelId    the channel
     * @param newSourceWorker global index of the worker that pushed them
     */
    Delivery retain(final int newOffset, final int newLength, final int newChannelId, final int newSourceWorker) {
        offset = newOffset;
        length = newLength;
        channelId = newChannelId;
        sourceWorker = newSourceWorker;
        slab.retain();
        return this;
    }

    Slab slab() {
        return slab;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    int channelId() {
        return channelId;
    }

    int sourceWorker() {
        return sourceWorker;
    }

    /** Gives back the reference to the slab, and itself with it. */
    void release() {
        slab.release();
    }

    @Override
    public String toString() {
        return "offset=" + offset + " length=" + length + " channelId=" + channelId + " sourceWorker=" + sourceWorker;
    }
}
