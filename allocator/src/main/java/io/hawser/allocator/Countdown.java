package io.hawser.allocator;

import io.hawser.fate.Clock;
import java.time.Duration;

/** What is left of a limited time over several waits. */
final class Countdown {
    private final Clock clock;
    private final long startNs;
    private final long limitNs;

    /** Starts now; {@link Long#MAX_VALUE} never runs out. */
    Countdown(final Clock clock, final long limitNs) {
        this.clock = clock;
        this.limitNs = limitNs;
        this.startNs = clock.nanoTime();
    }

    /** Nanoseconds left, 0 or less if there are none. */
    long ns() {
        return limitNs == Long.MAX_VALUE ? limitNs : limitNs - (clock.nanoTime() - startNs);
    }

    /** What is left as a duration, not below zero. */
    Duration duration() {
        return Duration.ofNanos(Math.max(0, ns()));
    }
}
