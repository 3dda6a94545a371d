package io.hawser.transport;

import io.hawser.framing.FateFlyweight;
import java.util.BitSet;

/**
 * Which workers of a cluster a scope spans: all, or some of them.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class ScopeMembers {

    /** As many as a FATE can name one by one; of a larger cluster only all workers together can be members. */
    static final int NAMED_MAX = FateFlyweight.MEMBER_LONGS_LIMIT * Long.SIZE;

    private static final ScopeMembers ALL = new ScopeMembers(new long[0]);

    /** One bit for each worker, without zeroes at the end; empty for all of them. */
    private final long[] longs;

    private ScopeMembers(final long[] longs) {
        this.longs = longs;
    }

    /**
     * All workers of the cluster.
     *
     * @return always the same
     */
    public static ScopeMembers all() {
        return ALL;
    }

    /**
     * Some workers.
     *
     * @param workers their global indexes, at least one, in any order; twice is once
     * @return the members
     * @throws IllegalArgumentException if there is none, or one outside 0…4,095
     */
    public static ScopeMembers of(final int... workers) {
        final BitSet set = new BitSet();
        for (final int worker : workers) {
            if (worker < 0 || worker >= NAMED_MAX) {
                throw new IllegalArgumentException("a member has an index of 0 to " + (NAMED_MAX - 1)
                        + "; beyond that only all workers together can be members: worker=" + worker);
            }
            set.set(worker);
        }
        if (set.isEmpty()) {
            throw new IllegalArgumentException("a scope without members: workers=0");
        }
        return new ScopeMembers(set.toLongArray());
    }

    /** As they came in a FATE. */
    static ScopeMembers ofLongs(final long[] longs) {
        return longs.length == 0 ? ALL : new ScopeMembers(longs);
    }

    long[] longs() {
        return longs;
    }

    /**
     * Whether all workers are members.
     *
     * @return false if they have been named one by one
     */
    public boolean isAll() {
        return longs.length == 0;
    }

    /**
     * Whether a worker is a member.
     *
     * @param worker its global index, 0 or more
     * @return whether it is
     */
    public boolean contains(final int worker) {
        return isAll() || worker >> 6 < longs.length && (longs[worker >> 6] & 1L << worker) != 0;
    }

    /** How many workers of a process are members. */
    int countIn(final int process, final int workersPerProcess) {
        if (isAll()) {
            return workersPerProcess;
        }
        int count = 0;
        final int first = process * workersPerProcess;
        for (int worker = first; worker < first + workersPerProcess; worker++) {
            count += contains(worker) ? 1 : 0;
        }
        return count;
    }

    /** Whether there is one that is no worker of the cluster. */
    boolean isBeyond(final int workerCount) {
        return longs.length * Long.SIZE > workerCount && BitSet.valueOf(longs).length() > workerCount;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof ScopeMembers members
                && isAll() == members.isAll()
                && BitSet.valueOf(longs).equals(BitSet.valueOf(members.longs));
    }

    @Override
    public int hashCode() {
        return BitSet.valueOf(longs).hashCode();
    }

    @Override
    public String toString() {
        return isAll() ? "all workers" : "workers " + BitSet.valueOf(longs);
    }
}
