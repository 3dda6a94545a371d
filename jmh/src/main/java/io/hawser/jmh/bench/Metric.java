package io.hawser.jmh.bench;

import io.hawser.jmh.peers.ResultLine;
import io.hawser.jmh.peers.Workload;
import java.util.List;

/**
 * What the entrants are compared by.
 *
 * <p><em>Threading:</em> immutable.
 */
enum Metric {
    /** Payload received. */
    THROUGHPUT("throughput", ResultLine.GBYTES_PER_S, "GB/s", 1, "GB/s", 3, true),

    /** Messages received. */
    RATE("rate", ResultLine.MESSAGES_PER_S, "messages/s", 1e-6, "M/s", 2, true),

    /** Median latency; the others stand beside it. */
    LATENCY("latency p50", ResultLine.P50_US, "µs", 1, "µs", 1, false);

    private final String label;
    private final String key;
    private final String unit;
    private final double shownScale;
    private final String shownUnit;
    private final int decimals;
    private final boolean isMoreBetter;

    Metric(
            final String label,
            final String key,
            final String unit,
            final double shownScale,
            final String shownUnit,
            final int decimals,
            final boolean isMoreBetter) {
        this.label = label;
        this.key = key;
        this.unit = unit;
        this.shownScale = shownScale;
        this.shownUnit = shownUnit;
        this.decimals = decimals;
        this.isMoreBetter = isMoreBetter;
    }

    /** What a work is compared by. */
    static List<Metric> of(final Workload workload) {
        return switch (workload) {
            case W1, W5 -> List.of(THROUGHPUT);
            case W2 -> List.of(RATE);
            case W3, W4 -> List.of(LATENCY);
            case W6 -> List.of(LATENCY, THROUGHPUT);
        };
    }

    String label() {
        return label;
    }

    /** The name of the number in a {@link ResultLine}. */
    String key() {
        return key;
    }

    /** The unit of the number as it was measured. */
    String unit() {
        return unit;
    }

    /** What a number is multiplied with before people see it. */
    double shownScale() {
        return shownScale;
    }

    /** The unit that people see. */
    String shownUnit() {
        return shownUnit;
    }

    int decimals() {
        return decimals;
    }

    boolean isMoreBetter() {
        return isMoreBetter;
    }

    boolean isLatency() {
        return this == LATENCY;
    }
}
