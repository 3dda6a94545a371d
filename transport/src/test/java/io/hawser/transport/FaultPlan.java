package io.hawser.transport;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What will be done to a simulated cluster, and upon what: decided by the seed before anything happens. */
final class FaultPlan {
    private static final long MS = 1_000_000;
    private static final int FAULTS_MAX = 4;
    private static final int ROUNDS = 2;

    /** Upon what. */
    enum Trigger {
        /** The simulation begins. */
        BEGINNING,
        /** Some mesh has started. */
        START,
        /** Some mesh hangs up. */
        HANG_UP,
        /** Some mesh has lost its health. */
        LOSS
    }

    /**
     * One fault to come.
     *
     * @param trigger    upon what
     * @param count      upon the how many-th
     * @param delayNs    how long after it
     * @param kind       what is done
     * @param durationNs for how long
     * @param process    to which process, or from which one
     * @param other      to which process the link leads, -1 if it is not done to a link
     * @param isReplaced whether a suspended process is taken for dead and replaced
     */
    record Planned(
            Trigger trigger,
            int count,
            long delayNs,
            Fault.Kind kind,
            long durationNs,
            int process,
            int other,
            boolean isReplaced) {}

    private final Random random;
    private final int processes;
    private final ClusterConfig config;
    private final List<Planned> planned = new ArrayList<>();
    private final int[] counts = new int[Trigger.values().length];

    FaultPlan(Random random, int processes, ClusterConfig config) {
        this.random = random;
        this.processes = processes;
        this.config = config;
        for (int i = random.nextInt(FAULTS_MAX); i > 0; i--) {
            planned.add(plan());
        }
    }

    private Planned plan() {
        Fault.Kind[] kinds = Fault.Kind.values();
        boolean isCut = random.nextInt(5) == 0; // what two see differently, and all have to tell alike
        Fault.Kind kind = isCut ? Fault.Kind.CUT : kinds[random.nextInt(kinds.length)];
        Trigger trigger = Trigger.values()[random.nextInt(Trigger.values().length)];
        int count = trigger == Trigger.BEGINNING ? 1 : 1 + random.nextInt(ROUNDS * processes);
        int process = random.nextInt(processes);
        boolean isOfLink = switch (kind) {
            case KILL, VANISH, PAUSE, PANIC -> false;
            case CUT, BLOCK, STALL, FLIP, TAMPER -> true;
        };
        int other = isOfLink ? (process + 1 + random.nextInt(processes - 1)) % processes : -1;
        return new Planned(trigger, count, delayNs(), kind, durationNs(kind), process, other, random.nextInt(4) == 0);
    }

    private long delayNs() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextLong(5 * MS);
            case 2 -> random.nextLong(100 * MS);
            default -> random.nextLong(1_500 * MS);
        };
    }

    private long durationNs(Fault.Kind kind) {
        return switch (kind) {
            case PAUSE, STALL ->
                random.nextBoolean()
                        ? random.nextLong(config.silenceTimeoutNs() / 2)
                        : random.nextLong(6 * config.silenceTimeoutNs());
            case BLOCK -> random.nextLong(3 * config.silenceTimeoutNs());
            default -> 0;
        };
    }

    /** Something has happened: hands over what is due upon it. */
    void onEvent(Trigger trigger, Consumer<Planned> due) {
        int count = ++counts[trigger.ordinal()];
        List<Planned> now = new ArrayList<>();
        for (Iterator<Planned> i = planned.iterator(); i.hasNext(); ) {
            Planned one = i.next();
            if (one.trigger == trigger && one.count == count) {
                now.add(one);
                i.remove();
            }
        }
        now.forEach(due);
    }
}
