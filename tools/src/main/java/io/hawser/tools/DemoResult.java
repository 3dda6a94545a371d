package io.hawser.tools;

import java.util.List;

/**
 * What came out of the demonstration.
 *
 * <p><em>Threading:</em> safe, as long as nobody changes the members.
 *
 * @param options      what was asked for.
 * @param members      the processes, by index.
 * @param generations  how many clusters were formed one after the other.
 * @param faults       what became of each fault, in their order.
 * @param ranking      the names of the classes with the highest ranks, and their ranks, highest first.
 * @param check        the comparison with one thread.
 * @param rankSeconds  from the forming of the last cluster until all had their ranks.
 * @param checkSeconds what one thread needed to load all and to rank it.
 * @param seconds      all together.
 */
record DemoResult(
        DemoOptions options,
        List<Member> members,
        long generations,
        List<FaultReport> faults,
        List<RankedClass> ranking,
        Check check,
        double rankSeconds,
        double checkSeconds,
        double seconds) {
    /**
     * A class and its rank.
     *
     * @param name such as {@code java.lang.Object}.
     * @param rank between 0 and 1; those of all classes sum to 1.
     */
    record RankedClass(String name, double rank) {}

    /** Whether the ranks are right, and all survivors of each fault agreed on its cause. */
    boolean isRight() {
        return check.isRight() && faults.stream().allMatch(FaultReport::isSameCause);
    }

    long classes() {
        return members.stream().mapToLong(Member::classes).sum();
    }

    long references() {
        return members.stream().mapToLong(Member::references).sum();
    }
}
