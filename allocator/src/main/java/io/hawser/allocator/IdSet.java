package io.hawser.allocator;

import java.util.Arrays;

/**
 * A set of numbers that only grows. Neighbours are kept as one range, so that ids given out and done with one after the other take no memory. Asking allocates nothing.
 *
 * <p><em>Threading:</em> one thread.
 */
final class IdSet {
    private static final int CAPACITY_MIN = 8;

    /** First of each range, ascending. */
    private long[] firsts = new long[CAPACITY_MIN];

    /** Last of each range, in the same order. */
    private long[] lasts = new long[CAPACITY_MIN];

    private int count;

    boolean contains(final long id) {
        final int below = indexBelow(id);
        return below >= 0 && lasts[below] >= id;
    }

    void add(final long id) {
        final int below = indexBelow(id);
        if (below >= 0 && lasts[below] >= id) {
            return;
        }
        final boolean isAfter = below >= 0 && lasts[below] == id - 1;
        final boolean isBefore = below + 1 < count && firsts[below + 1] - 1 == id;
        if (isAfter && isBefore) {
            lasts[below] = lasts[below + 1];
            remove(below + 1);
        } else if (isAfter) {
            lasts[below] = id;
        } else if (isBefore) {
            firsts[below + 1] = id;
        } else {
            insert(below + 1, id);
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    int rangeCount() {
        return count;
    }

    /** The last range that starts at an id or before it; -1 if there is none. */
    private int indexBelow(final long id) {
        final int found = Arrays.binarySearch(firsts, 0, count, id);
        return found >= 0 ? found : -found - 2;
    }

    private void insert(final int index, final long id) {
        if (count == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * count);
            lasts = Arrays.copyOf(lasts, 2 * count);
        }
        move(index, index + 1);
        firsts[index] = id;
        lasts[index] = id;
        count++;
    }

    private void remove(final int index) {
        move(index + 1, index);
        count--;
    }

    private void move(final int from, final int to) {
        System.arraycopy(firsts, from, firsts, to, count - from);
        System.arraycopy(lasts, from, lasts, to, count - from);
    }
}
