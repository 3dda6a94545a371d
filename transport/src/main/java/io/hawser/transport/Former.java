package io.hawser.transport;

import java.util.Objects;

/**
 * The generation of which a process still holds what it has kept, and its place there: it says so when it is greeted, so that all members of the next one know who holds what, see {@link Roster}.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param generation        which one; 0 if the process comes from none
 * @param incarnation       tells that generation from any other of the same number; 0 if it comes from none
 * @param processIndex      its index there; 0 if it comes from none
 * @param processCount      how many processes that generation had; 0 if it comes from none
 * @param workersPerProcess how many workers each of them had; 0 if it comes from none
 */
public record Former(long generation, long incarnation, int processIndex, int processCount, int workersPerProcess) {
    /** Of a process that has been started anew. */
    public static final Former NONE = new Former(0, 0, 0, 0, 0);

    /**
     * Checks that this can have been.
     *
     * @param generation        which one; 0 if the process comes from none
     * @param incarnation       tells that generation from any other of the same number
     * @param processIndex      its index there
     * @param processCount      how many processes that generation had
     * @param workersPerProcess how many workers each of them had
     * @throws IllegalArgumentException if there can have been no such place in a cluster
     */
    public Former {
        final boolean isNone =
                generation == 0 && incarnation == 0 && processIndex == 0 && processCount == 0 && workersPerProcess == 0;
        final boolean isPlace = generation > 0
                && processIndex >= 0
                && processIndex < processCount
                && workersPerProcess >= 1
                && (long) processCount * workersPerProcess <= Integer.MAX_VALUE;
        if (!isNone && !isPlace) {
            throw new IllegalArgumentException("no place in a cluster: generation=" + generation + " processIndex="
                    + processIndex + " processCount=" + processCount + " workersPerProcess=" + workersPerProcess);
        }
    }

    /**
     * Whether the process has been part of any generation.
     *
     * @return false for {@link #NONE}
     */
    public boolean isPresent() {
        return generation > 0;
    }

    /** Whether both have been part of the very same generation. */
    boolean isOfSame(final Former other) {
        return generation == other.generation && incarnation == other.incarnation;
    }

    /**
     * The global index that a worker of the process had there.
     *
     * @param localIndex its index in the process
     * @return processIndex × workersPerProcess + localIndex
     * @throws IndexOutOfBoundsException if it had no such worker
     */
    public int worker(final int localIndex) {
        return processIndex * workersPerProcess + Objects.checkIndex(localIndex, workersPerProcess);
    }
}
