package io.hawser.allocator;

/**
 * Memory put by for the fall. When the heap is full, even the way down needs a little of it: exceptions for the other workers, outcomes,
 * a log line. Letting go of this gives it.
 *
 * <p><em>Threading:</em> any thread.
 */
final class Parachute {
    /** Small against the smallest region of any collector, so that each piece is ordinary memory and comes back as such. */
    private static final int CHUNK_LENGTH = 64 * 1024;

    /** 1 MiB in all, for what takes some tens of KiB. */
    private static final int CHUNK_COUNT = 16;

    @SuppressWarnings("UnusedVariable") // held, not used: that is its use
    private volatile byte[][] chunks = new byte[CHUNK_COUNT][CHUNK_LENGTH];

    /** Gives the memory to whoever needs it. Idempotent, allocates nothing. */
    void open() {
        chunks = null;
    }
}
