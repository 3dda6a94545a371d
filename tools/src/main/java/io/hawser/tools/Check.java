package io.hawser.tools;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Compares ranks with those of one thread. They are right if the top ten are the same, in the same order, and if no rank
 * differs by more than {@link #TOLERANCE} of itself: the two sum in different orders, so the last bits may differ.
 *
 * <p><em>Threading:</em> safe; immutable.
 *
 * @param top           ids of the highest ranks, highest first.
 * @param isTopEqual    whether one thread found the same, in the same order.
 * @param maxDifference the largest relative difference of a rank.
 */
record Check(int[] top, boolean isTopEqual, double maxDifference) {
    /** The largest relative difference between a rank and that of one thread that counts as equal. */
    static final double TOLERANCE = 1e-12;

    static final int TOP = 10;

    static Check of(final double[] ranks, final double[] expected) {
        final int[] top = top(ranks);
        double maxDifference = ranks.length == expected.length ? 0 : Double.POSITIVE_INFINITY;
        for (int id = 0; id < Math.min(ranks.length, expected.length); id++) {
            // max keeps what is not a number, which then counts as different
            maxDifference = Math.max(maxDifference, Math.abs(ranks[id] - expected[id]) / expected[id]);
        }
        return new Check(top, Arrays.equals(top, top(expected)), maxDifference);
    }

    boolean isRight() {
        return isTopEqual && maxDifference <= TOLERANCE;
    }

    /** The ids of the highest ranks; where ranks are equal the lower id comes first. */
    private static int[] top(final double[] ranks) {
        return IntStream.range(0, ranks.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer id) -> -ranks[id]).thenComparing(id -> id))
                .limit(TOP)
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
