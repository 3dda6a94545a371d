package io.hawser.transport;

import io.hawser.fate.Clock;
import java.util.function.LongSupplier;

/** Whatever time a test wants it to be. */
record VirtualClock(LongSupplier time) implements Clock {
    @Override
    public long nanoTime() {
        return time.getAsLong();
    }

    @Override
    public long epochMs() {
        return time.getAsLong() / 1_000_000;
    }
}
