package io.hawser.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What will be done to a simulated cluster, and upon what: decided by the seed before anything happens. Faults of forming come exactly at
 * its steps, the first time or when the cluster forms again; several may come together.
 */
final class FaultPlan {
    private static final long MS = 1_000_000;
    private static final int FAULTS_MAX = 6;
    private static final int ROUNDS = 2;
    private static final List<Trigger> LATER = List.of(Trigger.BEGINNING, Trigger.START, Trigger.HANG_UP, Trigger.LOSS);
    private static final List<Fault.Kind> KINDS_OF_FORMING = List.of(
            Fault.Kind.KILL, Fault.Kind.VANISH, Fault.Kind.PAUSE, Fault.Kind.CUT, Fault.Kind.BLOCK, Fault.Kind.STALL);

    /** Upon what. */
    enum Trigger {
        /** The simulation begins. */
        BEGINNING,
        /** Some process dials another one. */
        DIALLED,
        /** Some process has accepted a connection. */
        ACCEPTED,
        /** Some process has got a HELLO. */
        HELLO_HEARD,
        /** Some process has made a link. */
        GREETED,
        /** READY has left. */
        READY_SENT,
        /** READY has come. */
        READY_HEARD,
        /** Some process has raised its generation. */
        RAISED,
        /** Some process has given up a link before the start. */
        RETIRED,
        /** Some mesh has started. */
        START,
        /** Some mesh hangs up. */
        HANG_UP,
        /** Some process has been told that all it has sent arrived. */
        CONFIRM_HEARD,
        /** Some mesh has lost its health. */
        LOSS;

        static Trigger[] ofForming() {
            return Arrays.stream(values()).filter(Trigger::isOfForming).toArray(Trigger[]::new);
        }

        /** {@return whether it is a moment of a protocol, at which something is to happen exactly} */
        boolean isStep() {
            return isOfForming() || this == CONFIRM_HEARD;
        }

        boolean isOfForming() {
            return compareTo(BEGINNING) > 0 && compareTo(START) < 0;
        }
    }

    /** To whom. */
    enum Whom {
        /** Some process, whoever has taken the step. */
        ANYBODY,
        /** Who has taken the step. */
        ACTOR,
        /** With whom it was taken, if with anybody. */
        PEER
    }

    /**
     * One fault to come.
     *
     * @param trigger    upon what
     * @param count      upon the how many-th
     * @param isAgain    whether only those count that come after a loss
     * @param delayNs    how long after it
     * @param kind       what is done
     * @param durationNs for how long
     * @param whom       to whom
     * @param process    to which process, or from which one
     * @param other      to which process the link leads, -1 if it is not done to a link
     * @param isReplaced whether a suspended process is taken for dead and replaced
     */
    record Planned(
            Trigger trigger,
            int count,
            boolean isAgain,
            long delayNs,
            Fault.Kind kind,
            long durationNs,
            Whom whom,
            int process,
            int other,
            boolean isReplaced) {
        /** {@return what is done to a process, or from it to another one, so long after something has happened for the how many-th time} */
        static Planned once(
                Trigger trigger, int count, long delayNs, Fault.Kind kind, long durationNs, int process, int other) {
            return new Planned(trigger, count, false, delayNs, kind, durationNs, Whom.ANYBODY, process, other, false);
        }

        private Planned at(int newProcess, int newOther) {
            return new Planned(
                    trigger, count, isAgain, delayNs, kind, durationNs, whom, newProcess, newOther, isReplaced);
        }

        /** {@return the same, done to whom it is meant} */
        private Planned upon(int actor, int peer) {
            if (actor < 0 || whom == Whom.ANYBODY) {
                return this;
            }
            boolean isPeer = whom == Whom.PEER && peer >= 0;
            int target = isPeer ? peer : actor;
            int far = isPeer ? actor : peer;
            if (other < 0) {
                return at(target, -1);
            }
            return at(target, far >= 0 ? far : other != target ? other : process);
        }
    }

    private final Random random;
    private final int processes;
    private final ClusterConfig config;
    private final List<Planned> planned = new ArrayList<>();
    private final int[] counts = new int[Trigger.values().length];
    private final int[] countsAgain = new int[Trigger.values().length];
    private boolean hasLost;

    FaultPlan(Random random, int processes, ClusterConfig config) {
        this.random = random;
        this.processes = processes;
        this.config = config;
        for (int i = random.nextInt(FAULTS_MAX); i > 0; i--) {
            Planned one = plan(randomTrigger());
            planned.add(one);
            if (random.nextInt(4) == 0) {
                planned.add(together(one));
            }
        }
    }

    /** {@return a plan by which somebody is killed when all have started} */
    static FaultPlan oneKill(Random random, int processes, ClusterConfig config) {
        FaultPlan plan = scripted(random, processes, config, List.of());
        plan.planned.add(Planned.once(Trigger.START, processes, 0, Fault.Kind.KILL, 0, random.nextInt(processes), -1));
        return plan;
    }

    /** {@return a plan of just that} */
    static FaultPlan scripted(Random random, int processes, ClusterConfig config, List<Planned> script) {
        FaultPlan plan = new FaultPlan(random, processes, config);
        plan.planned.clear();
        plan.planned.addAll(script);
        return plan;
    }

    private Trigger randomTrigger() {
        return random.nextBoolean()
                ? Trigger.values()[random.nextInt(Trigger.values().length)]
                : LATER.get(random.nextInt(LATER.size()));
    }

    private Planned plan(Trigger trigger) {
        Fault.Kind kind = randomKind(trigger);
        boolean isFirst = trigger == Trigger.BEGINNING || trigger == Trigger.START && random.nextBoolean();
        int count = isFirst ? 1 : 1 + random.nextInt(1 + random.nextInt(ROUNDS * processes));
        int process = random.nextInt(4) == 0 ? 0 : random.nextInt(processes);
        boolean isOfLink = switch (kind) {
            case KILL, VANISH, PAUSE, PANIC -> false;
            case CUT, BLOCK, STALL, FLIP, TAMPER -> true;
        };
        int other = isOfLink ? (process + 1 + random.nextInt(processes - 1)) % processes : -1;
        return new Planned(
                trigger,
                count,
                trigger != Trigger.BEGINNING && random.nextBoolean(),
                delayNs(trigger, kind),
                kind,
                durationNs(kind),
                Whom.values()[random.nextInt(Whom.values().length)],
                process,
                other,
                random.nextInt(4) == 0);
    }

    /** {@return another one, at the same moment} */
    private Planned together(Planned first) {
        Planned other = plan(first.trigger);
        return new Planned(
                first.trigger,
                first.count,
                first.isAgain,
                first.delayNs,
                other.kind,
                other.durationNs,
                other.whom,
                other.process,
                other.other,
                other.isReplaced);
    }

    private Fault.Kind randomKind(Trigger trigger) {
        if ((trigger.isOfForming() || trigger == Trigger.START && random.nextBoolean()) && random.nextInt(4) != 0) {
            return KINDS_OF_FORMING.get(random.nextInt(KINDS_OF_FORMING.size()));
        }
        Fault.Kind[] kinds = Fault.Kind.values();
        boolean isCut = random.nextInt(3) == 0; // what two see differently, and all have to tell alike
        return isCut ? Fault.Kind.CUT : kinds[random.nextInt(kinds.length)];
    }

    private long delayNs(Trigger trigger, Fault.Kind kind) {
        if (kind == Fault.Kind.CUT && !trigger.isStep()) {
            return random.nextLong(30 * MS); // while there is something to cut
        }
        boolean isExact = (trigger.isStep() || trigger == Trigger.START) && random.nextInt(4) != 0;
        return switch (isExact ? random.nextInt(2) : random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextLong(5 * MS);
            case 2 -> random.nextLong(100 * MS);
            default -> random.nextLong(1_500 * MS);
        };
    }

    private long durationNs(Fault.Kind kind) {
        return switch (kind) {
            case PAUSE, STALL ->
                switch (random.nextInt(4)) {
                    case 0 -> random.nextLong(config.silenceTimeoutNs() / 2);
                    case 1 -> config.silenceTimeoutNs() / 2 + random.nextLong(config.silenceTimeoutNs());
                    default -> random.nextLong(6 * config.silenceTimeoutNs());
                };
            case BLOCK -> random.nextLong(3 * config.silenceTimeoutNs());
            default -> 0;
        };
    }

    /**
     * Something has happened: hands over what is due upon it.
     *
     * @param trigger what
     * @param actor   which process has done it, -1 if none
     * @param peer    with which other one, -1 if none
     * @param due     takes what is due
     */
    void onEvent(Trigger trigger, int actor, int peer, Consumer<Planned> due) {
        int count = ++counts[trigger.ordinal()];
        int countAgain = hasLost ? ++countsAgain[trigger.ordinal()] : 0;
        hasLost |= trigger == Trigger.LOSS;
        List<Planned> now = new ArrayList<>();
        for (Iterator<Planned> i = planned.iterator(); i.hasNext(); ) {
            Planned one = i.next();
            if (one.trigger == trigger && one.count == (one.isAgain ? countAgain : count)) {
                now.add(one.upon(actor, peer));
                i.remove();
            }
        }
        now.forEach(due);
    }
}
