package io.hawser.tools;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Time that processes of one machine can compare.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class Micros {
    private static final double MICROS_PER_MILLI = 1_000;

    private Micros() {}

    /** The wall clock, in microseconds since 1970. */
    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** From one time to another, in milliseconds. */
    static double millisBetween(final long from, final long to) {
        return (to - from) / MICROS_PER_MILLI;
    }
}
