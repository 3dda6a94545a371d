package io.hawser.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Gives out slabs of one length and takes them back. It keeps a bounded number and knows nothing of those that are out, so that it never
 * makes anybody wait: what it lacks it allocates, what it cannot keep it frees.
 *
 * <p>What is kept is a stack, linked through the slabs themselves, so that returning one allocates nothing and the one returned last, still
 * in the cache, is given out first. Any number of threads push; only one pops, and therefore no slab can be popped and
 * pushed again behind its back.
 *
 * <p><em>Threading:</em> {@link #acquire()} is for one thread; {@link #close()} for any; slabs are released by any.
 */
public final class SlabPool implements AutoCloseable {
    /** Stands on top for ever once the pool is closed, so that being closed and being pushed to are decided in one place. */
    private final Slab closed;

    private final int slabLength;
    private final int maxPooled;
    private final MemoryAccount account;

    /** Compared-and-set by releasing threads, the acquiring thread and close; all with volatile ordering. */
    private final AtomicReference<Slab> top = new AtomicReference<>();

    /** Slabs that somebody holds. */
    private final AtomicInteger out = new AtomicInteger();

    /** Places taken in the stack: counted up before a push and down after a pop, so that the limit is never exceeded. */
    private final AtomicInteger pooled = new AtomicInteger();

    /**
     * Creates an empty pool.
     *
     * @param slabLength bytes of each slab
     * @param maxPooled  how many unused slabs are kept, 0 for none
     * @param account    where the memory is counted
     */
    public SlabPool(final int slabLength, final int maxPooled, final MemoryAccount account) {
        if (slabLength <= 0 || maxPooled < 0) {
            throw new IllegalArgumentException("no such pool: slabLength=" + slabLength + " maxPooled=" + maxPooled);
        }
        this.slabLength = slabLength;
        this.maxPooled = maxPooled;
        this.account = account;
        this.closed = new Slab(this, ByteBuffer.allocate(0));
    }

    /**
     * Takes a slab, from the pool or newly allocated. Never waits.
     *
     * @return a slab with one reference, which is the caller's to {@link Slab#release()}
     * @throws IllegalStateException if the pool is closed
     */
    public Slab acquire() {
        out.incrementAndGet();
        Slab slab;
        do {
            slab = top.get();
            if (slab == closed) {
                throw new IllegalStateException("slab pool is closed: slabLength=" + slabLength);
            }
            if (slab == null) {
                return allocate();
            }
        } while (!top.compareAndSet(slab, slab.next));
        pooled.decrementAndGet();
        slab.open();
        return slab;
    }

    /** Frees what is kept. Slabs that are out are freed at their last release. Idempotent. */
    @Override
    public void close() {
        Slab slab = top.getAndSet(closed);
        while (slab != null && slab != closed) {
            final Slab next = slab.next;
            slab.free(account);
            slab = next;
        }
    }

    /** How many slabs are kept; exact only while nobody else uses the pool. */
    int pooledCount() {
        return pooled.get();
    }

    /**
     * How many slabs are out.
     *
     * @return the count, as of a moment ago
     */
    public int outCount() {
        return out.get();
    }

    /** Takes back a slab without references. */
    void recycle(final Slab slab) {
        out.decrementAndGet();
        if (!takePlace()) {
            slab.free(account);
            return;
        }
        Slab below;
        do {
            below = top.get();
            if (below == closed) {
                slab.free(account);
                return;
            }
            slab.next = below;
        } while (!top.compareAndSet(below, slab));
    }

    private boolean takePlace() {
        int count;
        do {
            count = pooled.get();
            if (count >= maxPooled) {
                return false;
            }
        } while (!pooled.compareAndSet(count, count + 1));
        return true;
    }

    private Slab allocate() {
        final Slab slab = new Slab(this, account.allocate(slabLength));
        slab.open();
        return slab;
    }
}
