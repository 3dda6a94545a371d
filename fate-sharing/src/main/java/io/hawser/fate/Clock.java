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
     * The clock of this machine.
     *
     * @return the one system clock.
     */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
