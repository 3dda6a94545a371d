package io.hawser.tools;

import java.util.List;

/**
 * What became of one fault.
 *
 * <p><em>Threading:</em> safe; immutable.
 *
 * @param fault      what was done.
 * @param generation of the cluster that was lost by it.
 * @param survivors  what each process that lived on had to say, in the order of their indexes.
 */
record FaultReport(Fault fault, long generation, List<Survivor> survivors) {
    /**
     * A process that lived on.
     *
     * @param process        its index.
     * @param kind           of the first cause.
     * @param cause          the first cause as it tells it, in one line.
     * @param identity       which event that is; the same on all that mean the same one.
     * @param millisToReturn from the fault until the last worker of this process was back in its own code.
     */
    record Survivor(int process, String kind, String cause, String identity, double millisToReturn) {}

    /** Whether all survivors tell of the same first cause. */
    boolean isSameCause() {
        return survivors.stream().map(Survivor::identity).distinct().count() <= 1;
    }

    /** The first cause in one line, as the first survivor tells it; empty if there is none. */
    String cause() {
        return survivors.isEmpty() ? "" : survivors.get(0).cause();
    }
}
