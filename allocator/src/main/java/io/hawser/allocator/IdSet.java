package io.hawser.allocator;

import java.util.Map;
import java.util.TreeMap;

/**
 * A set of numbers that only grows. Neighbours are kept as one range, so that ids given out and done with one after the other take no memory.
 *
 * <p><em>Threading:</em> one thread.
 */
final class IdSet {
    /** First of each range, to its last. */
    private final TreeMap<Integer, Integer> ranges = new TreeMap<>();

    boolean contains(final int id) {
        final Map.Entry<Integer, Integer> range = ranges.floorEntry(id);
        return range != null && range.getValue() >= id;
    }

    void add(final int id) {
        if (contains(id)) {
            return;
        }
        int first = id;
        int last = id;
        final Map.Entry<Integer, Integer> below = ranges.floorEntry(id);
        if (below != null && below.getValue() == id - 1) {
            first = below.getKey();
        }
        final Integer lastAbove = id == Integer.MAX_VALUE ? null : ranges.remove(id + 1);
        if (lastAbove != null) {
            last = lastAbove;
        }
        ranges.put(first, last);
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    int rangeCount() {
        return ranges.size();
    }
}
