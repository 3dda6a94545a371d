package io.hawser.jmh.bench;

import java.util.stream.DoubleStream;

/**
 * What several rounds have given.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param median of all; the mean of the two in the middle if their count is even
 * @param min    the least
 * @param max    the greatest
 */
record Spread(double median, double min, double max) {
    /** Nothing was measured. */
    static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN);

    static Spread of(final DoubleStream values) {
        final double[] sorted = values.filter(Double::isFinite).sorted().toArray();
        if (sorted.length == 0) {
            return NONE;
        }
        final double lower = sorted[(sorted.length - 1) / 2];
        final double upper = sorted[sorted.length / 2];
        return new Spread((lower + upper) / 2, sorted[0], sorted[sorted.length - 1]);
    }
}
