package io.hawser.allocator;

import io.hawser.framing.FrameFlags;
import io.hawser.transport.ConsumptionListener;
import io.hawser.transport.Slab;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A row of records of one channel from one worker, or a fragment of one message, on its way to one worker that it is for: a slice of a slab, to which it
 * owns one reference, and of its lane's credit.
 *
 * <p>It is made once and used again and again, see {@link DeliveryShelf}: whoever has released it must not touch it any more.
 *
 * <p><em>Threading:</em> filled by the thread that fills the slab, handed over through an {@link Inbox}, then the worker's; {@link #hold} is for the worker, {@link #release} for
 * any thread.
 */
final class Delivery {
    private static final AtomicIntegerFieldUpdater<Delivery> HOLDERS =
            AtomicIntegerFieldUpdater.newUpdater(Delivery.class, "holders");

    private final Slab slab;
    private int offset;
    private int length;
    private long scopeId;
    private int channelId;
    private int sourceWorker;
    private int flags;
    private int worker;
    private int charge;
    private ConsumptionListener lane;

    /** Its queue, and messages that somebody retains. */
    private volatile int holders;

    /** What was delivered after it; of the {@link DeliveryQueue} that it is in. */
    volatile Delivery next;

    Delivery(final Slab slab) {
        this.slab = slab;
    }

    /** Says what it brings, and retains the slab for it. */
    Delivery retain(final Row row, final int newOffset, final int newLength, final int newWorker) {
        offset = newOffset;
        length = newLength;
        scopeId = row.scopeId;
        channelId = row.channelId;
        sourceWorker = row.sourceWorker;
        flags = row.flags;
        charge = row.charge;
        lane = row.lane;
        worker = newWorker;
        HOLDERS.lazySet(this, 1); // published with the delivery
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

    long scopeId() {
        return scopeId;
    }

    int channelId() {
        return channelId;
    }

    int sourceWorker() {
        return sourceWorker;
    }

    ConsumptionListener lane() {
        return lane;
    }

    /** Its sender is to know that the worker reads nothing of its lane any more. */
    void tellReceiverGone() {
        lane.receiverGone(worker);
    }

    boolean isFragment() {
        return !FrameFlags.isRecords(flags);
    }

    boolean isBegin() {
        return (flags & FrameFlags.BEGIN) != 0;
    }

    /** One more who calls {@link #release}; by one who holds it. */
    void hold() {
        HOLDERS.incrementAndGet(this);
    }

    /** Gives back, for the last of its holders, the reference to the slab, the credit, and itself. */
    void release() {
        if (holders != 1 && HOLDERS.decrementAndGet(this) != 0) {
            return; // read first: hardly any delivery is held twice, and what holds it alone nobody else can come to
            // hold
        }
        final ConsumptionListener listener = lane;
        final int bytes = charge;
        final int target = worker;
        slab.release(); // from here on it may bring something else already
        listener.consumed(target, bytes);
    }

    @Override
    public String toString() {
        return "offset=" + offset + " length=" + length + " channelId=" + channelId + " sourceWorker=" + sourceWorker
                + " flags=" + flags;
    }

    /** What is the same for all workers that a row goes to. Filled anew for each row by the thread that routes it. */
    static final class Row {
        long scopeId;
        int channelId;
        int sourceWorker;
        int flags;
        int charge;
        ConsumptionListener lane;
    }
}
