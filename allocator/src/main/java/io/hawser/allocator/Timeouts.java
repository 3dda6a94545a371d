package io.hawser.allocator;

import java.time.Duration;

/** Durations as nanoseconds. */
final class Timeouts {
    private Timeouts() {}

    /** Nanoseconds, cut to what fits; more than 292 years is as good as for ever. */
    static long nanos(final Duration duration) {
        try {
            return duration.toNanos();
        } catch (final ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
