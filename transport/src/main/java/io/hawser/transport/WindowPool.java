package io.hawser.transport;

import io.hawser.fate.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The floating credit of one process: bytes that windows may grow by beyond the channel window, shared by whoever makes use of them.
 *
 * <p><em>Threading:</em> any thread.
 */
public final class WindowPool {
    /** Windows are narrowed once less than this part of the pool is free. */
    private static final int SHORT_DIVISOR = 4;

    private final long size;
    private final long windowMax;
    private final Clock clock;
    private final AtomicLong free;

    /**
     * Creates a full pool.
     *
     * @param size      bytes that all windows together may grow by, 0 for fixed windows
     * @param windowMax the widest window of one lane in bytes
     * @param clock     to tell how fast a lane is read
     */
    public WindowPool(final long size, final long windowMax, final Clock clock) {
        this.size = size;
        this.windowMax = windowMax;
        this.clock = clock;
        this.free = new AtomicLong(size);
    }

    /**
     * Bytes that are lent to nobody.
     *
     * @return the count, the size of the pool if every window is as wide as the channel window
     */
    public long freeBytes() {
        return free.get();
    }

    /**
     * Takes bytes if there are so many.
     *
     * @param bytes to be given back by {@link #give}
     * @return whether they were taken
     */
    public boolean tryTake(final long bytes) {
        long left;
        do {
            left = free.get();
            if (left < bytes) {
                return false;
            }
        } while (!free.compareAndSet(left, left - bytes));
        return true;
    }

    /**
     * Gives back what was taken.
     *
     * @param bytes as many
     */
    public void give(final long bytes) {
        free.addAndGet(bytes);
    }

    /**
     * Whether those who no longer need what they have should give it back.
     *
     * @return true if less than a quarter is free
     */
    public boolean isShort() {
        return free.get() < size / SHORT_DIVISOR;
    }

    /**
     * The widest window of one lane.
     *
     * @return bytes
     */
    public long windowMax() {
        return windowMax;
    }

    /**
     * The time, to tell how fast a lane is read.
     *
     * @return the clock's nanoseconds
     */
    public long nanoTime() {
        return clock.nanoTime();
    }
}
