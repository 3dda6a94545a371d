package io.hawser.transport;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The words through which the two sides of a send ring meet. Positions count bytes from the ring's beginning and only grow.
 *
 * <pre>
 *         consumed                      published
 *            |   frames of the consumer     |   frame being written
 *    --------+------------------------------+-----------------------
 * </pre>
 *
 * <p>Each word is alone on its pair of cache lines (processors fetch lines in pairs). Otherwise each position that the consumer frees would take
 * from the producer the line that it publishes in, and back, a hundred nanoseconds each time. That is why they are elements of an array
 * far apart, not fields.
 *
 * <p><em>Threading:</em> each method says which side may call it.
 */
final class SendRingPositions {
    private static final long NOBODY = Long.MAX_VALUE;

    /** Two cache lines, in longs. */
    private static final int STRIDE = 2 * 64 / Long.BYTES;

    private static final int PUBLISHED = STRIDE;
    private static final int CONSUMED = 2 * STRIDE;
    private static final int WANTED = 3 * STRIDE;

    private final AtomicLongArray words = new AtomicLongArray(4 * STRIDE);

    SendRingPositions() {
        words.setPlain(WANTED, NOBODY);
    }

    /**
     * Producer: everything before this position is the consumer's. Release, paired with {@link #published()}. The fence
     * after it makes it certain that either we see the consumer asleep, or it sees this position when it looks again before it sleeps.
     */
    void publish(final long position) {
        words.setRelease(PUBLISHED, position);
        VarHandle.fullFence();
    }

    /** Consumer, and any observer: volatile. */
    long published() {
        return words.get(PUBLISHED);
    }

    /**
     * Consumer: everything before this position is the producer's again. Release, paired with {@link #consumed()}. The fence
     * makes it certain that either we see the producer waiting, or it sees this position when it looks again before it waits.
     *
     * @return whether the producer waits for it and has to be woken, which is told once for each {@link #want}
     */
    boolean consume(final long position) {
        words.setRelease(CONSUMED, position);
        VarHandle.fullFence();
        final long seen = words.get(WANTED);
        // compare-and-set: a plain store could be delayed beyond our look at who waits, and erase what the next wait
        // asks for
        return position >= seen && words.compareAndSet(WANTED, seen, NOBODY);
    }

    /** Producer, and any observer: volatile. */
    long consumed() {
        return words.get(CONSUMED);
    }

    /** Producer: wake me from this position on. Volatile: look at {@link #consumed()} again after it. */
    void want(final long position) {
        words.set(WANTED, position);
        VarHandle.fullFence();
    }

    /** Producer: I no longer wait. */
    void wantNothing() {
        words.setRelease(WANTED, NOBODY);
    }
}
