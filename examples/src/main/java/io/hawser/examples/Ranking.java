package io.hawser.examples;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The packages with the greatest counts. A row is one long, so that it can be pushed as it is: the package's id above, its count below.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Ranking {
    private static final int LENGTH = 10;
    private static final Comparator<Long> ORDER =
            Comparator.comparing((Long row) -> -count(row)).thenComparing(Ranking::packageId);

    private final List<Long> rows = new ArrayList<>();

    static long row(final int packageId, final int count) {
        return (long) packageId << Integer.SIZE | count;
    }

    static int packageId(final long row) {
        return (int) (row >> Integer.SIZE);
    }

    static int count(final long row) {
        return (int) row;
    }

    /** Takes all counts of packages that have one. */
    static Ranking of(final int[] counts) {
        final Ranking ranking = new Ranking();
        for (int id = 0; id < counts.length; id++) {
            if (counts[id] > 0) {
                ranking.add(row(id, counts[id]));
            }
        }
        return ranking;
    }

    void add(final long row) {
        rows.add(row);
    }

    /** The first rows, the greatest count first. */
    List<Long> top() {
        return rows.stream().sorted(ORDER).limit(LENGTH).toList();
    }

    String toText(final PackageGraph graph) {
        return top().stream()
                .map(row -> graph.packageName(packageId(row)) + " " + count(row))
                .collect(Collectors.joining(", "));
    }
}
