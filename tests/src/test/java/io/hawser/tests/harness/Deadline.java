package io.hawser.tests.harness;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A point in time by which something must have happened, measured on the monotonic clock.
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

    /** The moment that comes after the given time. */
    public static Deadline in(final Duration allowed) {
        return new Deadline(allowed);
    }

    /** The moment that comes after so many seconds. */
    public static Deadline inSeconds(final long seconds) {
        return new Deadline(Duration.ofSeconds(seconds));
    }

    /** Waits until a condition holds, and fails with the awaited thing's name if it does not in time. */
    public static void await(final Duration allowed, final String what, final BooleanSupplier condition) {
        await(allowed, () -> what, condition);
    }

    /** Waits until a condition holds, and fails with a description made at that moment if it does not in time. */
    public static void await(final Duration allowed, final Supplier<String> what, final BooleanSupplier condition) {
        final Deadline deadline = in(allowed);
        while (!condition.getAsBoolean()) {
            if (deadline.isOver()) {
                throw new AssertionError("not within " + allowed.toMillis() + " ms: " + what.get());
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }

    /** Whether the time is up. */
    public boolean isOver() {
        return remainingMs() <= 0;
    }

    /** What is left in milliseconds, rounded up; 0 or less if the time is up. */
    public long remainingMs() {
        return TimeUnit.NANOSECONDS.toMillis(atNs - System.nanoTime() + 999_999);
    }

    /** The whole time that was allowed. */
    public Duration allowed() {
        return allowed;
    }
}
