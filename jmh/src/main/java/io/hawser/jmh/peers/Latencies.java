package io.hawser.jmh.peers;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Latencies, to three digits.
 *
 * <p><em>Threading:</em> one thread records; another may read once it knows that no more is recorded.
 */
final class Latencies {
    private static final double NS_PER_US = 1_000;

    private final Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);

    void record(final long latencyNs) {
        histogram.recordValue(Math.max(0, latencyNs));
    }

    void addTo(final ResultLine result) {
        result.with(ResultLine.P50_US, histogram.getValueAtPercentile(50) / NS_PER_US)
                .with(ResultLine.P99_US, histogram.getValueAtPercentile(99) / NS_PER_US)
                .with(ResultLine.P999_US, histogram.getValueAtPercentile(99.9) / NS_PER_US)
                .with(ResultLine.MAX_US, histogram.getMaxValue() / NS_PER_US)
                .with(ResultLine.COUNT, histogram.getTotalCount())
                .with(ResultLine.LOST, 0)
                .with(ResultLine.BAD, 0);
    }
}
