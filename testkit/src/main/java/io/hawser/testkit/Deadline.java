package io.hawser.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A point in time by which something must have happened, measured on the monotonic clock. Tests wait for conditions with it, never for time to pass.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class Deadline {
    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Duration allowed;
    private final long atNs;

    private Deadline(final Duration allowed) {
        this.allowed = allowed;
        this.atNs = System.nanoTime() + allowed.toNanos();
    }

    /**
     * The moment that comes after the given time.
     *
     * @param allowed from now on
     * @return the deadline
     */
    public static Deadline in(final Duration allowed) {
        return new Deadline(allowed);
    }

    /**
     * The moment that comes after so many seconds.
     *
     * @param seconds from now on
     * @return the deadline
     */
    public static Deadline inSeconds(final long seconds) {
        return new Deadline(Duration.ofSeconds(seconds));
    }

    /**
     * Waits until a condition holds, which is asked every 2 ms.
     *
     * @param allowed   how long at most
     * @param what      is awaited, for the message
     * @param condition that has to come true
     * @throws AssertionError if it does not in time
     */
    public static void await(final Duration allowed, final String what, final BooleanSupplier condition) {
        await(allowed, () -> what, condition);
    }

    /**
     * Waits until a condition holds, which is asked every 2 ms.
     *
     * @param allowed   how long at most
     * @param what      is awaited, or how things stand: asked when the time is up, for the message
     * @param condition that has to come true
     * @throws AssertionError if it does not in time
     */
    public static void await(final Duration allowed, final Supplier<String> what, final BooleanSupplier condition) {
        final Deadline deadline = in(allowed);
        while (!condition.getAsBoolean()) {
            if (deadline.isOver()) {
                throw new AssertionError("not within " + allowed.toMillis() + " ms: " + what.get());
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }

    /**
     * Whether the time is up.
     *
     * @return true from the moment on
     */
    public boolean isOver() {
        return remainingMs() <= 0;
    }

    /**
     * What is left.
     *
     * @return milliseconds, rounded up; 0 or less if the time is up
     */
    public long remainingMs() {
        return TimeUnit.NANOSECONDS.toMillis(atNs - System.nanoTime() + 999_999);
    }

    /**
     * The whole time that was allowed.
     *
     * @return the time, as it was given
     */
    public Duration allowed() {
        return allowed;
    }
}
