package io.hawser.allocator;

/**
 * Memory put by for the fall of one worker. When the heap is full, even the way down needs some: exceptions, outcomes, a log line. The
 * worker lets go of this when its code has ended; whoever fills the heap meanwhile, a worker as well, ends too and lets go of its own.
 *
 * <p>How much is a matter of the collector: one that manages memory in regions, up to a 2048th of the heap each, needs some whole ones.
 *
 * <p><em>Threading:</em> any thread.
 */
final class Parachute {
    /** Small against any region, so that each piece is ordinary memory and comes back as such. */
    private static final int CHUNK_LENGTH = 64 * 1024;

    /** Enough for the way down in small heaps. */
    private static final long LENGTH_MIN = 1024 * 1024;

    /** Eight regions for all workers together. */
    private static final int HEAP_SHARE = 256;

    /** However many workers there are, no more than this part of the heap lies idle. */
    private static final int HEAP_SHARE_MAX = 16;

    @SuppressWarnings("UnusedVariable") // held, not used: that is its use
    private volatile byte[][] chunks;

    /**
     * Takes the memory.
     *
     * @param heapLength  the most that the heap can grow to, in bytes
     * @param workerCount how many workers of this process do the same
     */
    Parachute(final long heapLength, final int workerCount) {
        chunks = new byte[chunkCount(heapLength, workerCount)][CHUNK_LENGTH];
    }

    static int chunkCount(final long heapLength, final int workerCount) {
        final long wanted = Math.max(LENGTH_MIN, heapLength / HEAP_SHARE / workerCount);
        final long allowed = heapLength / HEAP_SHARE_MAX / workerCount;
        return (int) Math.min(Math.min(wanted, allowed) / CHUNK_LENGTH, Integer.MAX_VALUE / CHUNK_LENGTH);
    }

    /** Gives the memory to whoever needs it. Idempotent, allocates nothing. */
    void open() {
        chunks = null;
    }
}
