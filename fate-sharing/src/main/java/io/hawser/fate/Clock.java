package io.hawser.fate;

/**
 * Where time comes from. Everything that needs the time is handed a clock, so that a simulation can run a whole cluster
 * in virtual time and a test never sleeps.
 *
 * <p><em>Threading:</em> safe for use by any number of threads.
 */
public interface Clock {
    /**
     * Monotonic time with an arbitrary origin, which may be negative and may overflow: compare two values only through
     * their difference.
     *
     * @return the time in nanoseconds.
     */
    long nanoTime();

    /**
     * Wall-clock time, for what people read and for ordering what different processes saw. It may jump.
     *
     * @return milliseconds since 1970-01-01T00:00:00Z.
     */
    long epochMs();

    /**
     * How long the machine has slept, suspended to memory or disk, since an arbitrary moment: the time that {@link #nanoTime} does not count. Only the difference of two values means something. Asking may take some microseconds, and allocates; it must not block.
     *
     * @return nanoseconds, to some hundredths of a second; always 0 if that cannot be known.
     */
    default long sleptNs() {
        return 0;
    }

    /**
     * The clock of this machine.
     *
     * @return the one system clock.
     */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
