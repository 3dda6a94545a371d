package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.Cut;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.EventChild;
import io.hawser.tests.harness.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * L2–L5 and cases 31, 76, 77, 78, 79: supervised processes are killed, frozen, made to throw and cut off, one fault after the other and a second one while they form again, from a
 * printed seed ({@code -Dhawser.seed}); each time they form again and the job goes on. Nothing is left of older generations, and what was kept is there.
 */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class ReformSoakIT {
    private static final int ROUNDS = Integer.getInteger("hawser.rounds", Soak.times(25, 2_000));
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PROCESSES = 3;
    private static final int PROGRESS_ROUNDS = 100;
    private static final int SETTLED_ROUND = 5;
    private static final long HEAP_SLACK = 512 * 1_024;
    private static final long DIRECT_SLACK = 64 * 1_024;
    private static final int SECOND_FAULT_MS = 150;

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private final long seed = Long.getLong("hawser.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ChildCluster cluster = new ChildCluster(nursery, PROCESSES, 1)
            .set("heartbeatMs", 100)
            .set("silenceMs", 1_500)
            .set("formationMs", PATIENCE.toMillis())
            .set("supervise", true);
    private final List<FaultProxy> proxies = new ArrayList<>();
    private ChildCluster.Run run;

    /** What can happen. */
    private enum Fault {
        KILL,
        FREEZE,
        PANIC,
        CUT,
        BLACK_HOLE
    }

    @Test
    void shouldFormAgainWhateverHappensWhileItForms() {
        System.out.println("re-forming " + ROUNDS + " times: seed=" + seed);
        for (int higher = 1; higher < PROCESSES; higher++) {
            for (int lower = 0; lower < higher; lower++) {
                proxies.add(cluster.proxyBetween(lower, higher));
            }
        }
        run = cluster.newRun();
        startMissing();
        long generation = awaitWork(0, false);
        Event settled = null;
        Event latest = null;
        for (int round = 1; round <= ROUNDS; round++) {
            cluster.prepareSpare();
            // process 0 lives on for most of the time, so that it can be looked at; then it may die like any other
            final boolean isSparing = round <= ROUNDS * 3 / 4;
            final int victim = isSparing ? 1 + random.nextInt(PROCESSES - 1) : random.nextInt(PROCESSES);
            final Fault fault =
                    random.nextInt(3) == 0 ? Fault.values()[random.nextInt(Fault.values().length)] : Fault.KILL;
            strike(fault, victim);
            final boolean isSecond = random.nextBoolean();
            if (isSecond) {
                Pause.of(Duration.ofMillis(random.nextInt(SECOND_FAULT_MS)));
                strike(Fault.KILL, isSparing ? 1 + random.nextInt(PROCESSES - 1) : random.nextInt(PROCESSES));
            }
            heal(fault, victim, generation);
            startMissing();
            final long next = awaitWork(generation, fault == Fault.PANIC);
            assertSameCauses(
                    generation,
                    "round " + round + " " + fault + " of " + victim + (isSecond ? ", then a kill" : ""),
                    isSecond || fault == Fault.FREEZE);
            generation = next;
            if (round % PROGRESS_ROUNDS == 0) {
                System.out.println("re-formed " + round + " times, generation " + generation);
            }
            if (isSparing) {
                latest = cluster.inspect(0, true);
                settled = round == SETTLED_ROUND ? latest : settled;
            }
        }
        run.tell(0, "end");
        for (final int process : cluster.all()) {
            assertThat(cluster.child(process)
                            .await("supervised", run.id(), PATIENCE)
                            .text("ending"))
                    .isEqualTo("COMPLETED");
        }
        System.out.println("after " + SETTLED_ROUND + " rounds: " + settled);
        System.out.println("at last: " + latest + ", generation " + generation);
        for (final String flat : List.of("threads", "sockets", "descriptors")) {
            assertThat(latest.number(flat)).as(flat).isLessThanOrEqualTo(settled.number(flat));
        }
        // a thread of the JDK's, or of ours, may just have a buffer of its own in which it reads a file or a socket
        assertThat(latest.number("direct")).as("direct").isLessThan(settled.number("direct") + DIRECT_SLACK);
        assertThat(latest.number("heap")).as("heap").isLessThan(settled.number("heap") + HEAP_SLACK);
        proxies.forEach(FaultProxy::close);
    }

    private void strike(final Fault fault, final int victim) {
        switch (fault) {
            case KILL -> {
                cluster.child(victim).signal(Signal.KILL);
                cluster.child(victim).awaitExit(PATIENCE);
            }
            case FREEZE -> cluster.child(victim).signal(Signal.STOP);
            case PANIC -> run.tell(victim, "misdeed", "what", "throw");
            case CUT -> proxies.get(random.nextInt(proxies.size())).cut(random.nextBoolean() ? Cut.FIN : Cut.RST);
            case BLACK_HOLE -> proxies.get(random.nextInt(proxies.size())).blackHole();
        }
    }

    /** What would last for ever ends once it has been noticed. */
    private void heal(final Fault fault, final int victim, final long generation) {
        if (fault == Fault.FREEZE) {
            awaitLoss(generation, victim);
            cluster.child(victim).signal(Signal.KILL);
            cluster.child(victim).awaitExit(PATIENCE);
        } else if (fault == Fault.BLACK_HOLE) {
            awaitLoss(generation, -1);
            proxies.forEach(FaultProxy::heal);
        }
    }

    private void awaitLoss(final long generation, final int exceptFor) {
        Deadline.await(
                PATIENCE,
                "somebody notices",
                () -> cluster.allBut(exceptFor).stream()
                        .anyMatch(process ->
                                !cluster.child(process).isAlive() || lost(cluster.child(process), generation) != null));
    }

    private void startMissing() {
        final List<Integer> missing = cluster.all().stream()
                .filter(process -> cluster.isMissing(process))
                .toList();
        cluster.launchMissing();
        missing.forEach(process -> run.start(process, "rounds", "generation", 1, "pauseMicros", 500));
    }

    /**
     * Waits until all run one generation, and make progress in it: each round of the job needs a number from everybody. A worker that was told to throw may come to that only in the generation after: then there is
     * one more.
     */
    private long awaitWork(final long above, final boolean mayThrowLate) {
        Deadline.await(
                PATIENCE,
                () -> "one generation above " + above + " on all; seed=" + seed + " formed: "
                        + cluster.all().stream()
                                .map(process -> formed(cluster.child(process)))
                                .toList(),
                () -> commonGeneration() > above);
        final long generation = commonGeneration();
        final long counted = cluster.inspect(0, false).number("counted");
        Deadline.await(
                PATIENCE,
                () -> "the job goes on in generation " + generation + "; seed=" + seed,
                () -> cluster.inspect(0, false).number("counted") > counted + 5 || commonGeneration() != generation);
        if (mayThrowLate && commonGeneration() != generation) {
            return awaitWork(generation, false);
        }
        assertThat(commonGeneration()).as("no further loss; seed=%s", seed).isEqualTo(generation);
        final List<String> rosters = cluster.all().stream()
                .map(process -> formedEvent(cluster.child(process)).text("roster"))
                .distinct()
                .toList();
        assertThat(rosters)
                .as("rosters of generation %s; seed=%s", generation, seed)
                .hasSize(1);
        cluster.all()
                .forEach(process -> assertThat(cluster.child(process)
                                .find(event -> event.name().equals("broken")))
                        .isEmpty());
        return generation;
    }

    /** −1 if they do not all run the same. */
    private long commonGeneration() {
        final long first = formed(cluster.child(0));
        return cluster.all().stream().allMatch(process -> formed(cluster.child(process)) == first) ? first : -1;
    }

    /** The generation that a process runs, as it has told; 0 if it runs none. */
    private long formed(final EventChild child) {
        final Event latest = latest(child, "formed");
        final Event lost = latest(child, "lost");
        final boolean isOver =
                latest != null && lost != null && lost.number("generation") >= latest.number("generation");
        return latest == null || isOver ? 0 : latest.number("generation");
    }

    private static Event formedEvent(final EventChild child) {
        return Objects.requireNonNull(latest(child, "formed"));
    }

    private static Event latest(final EventChild child, final String name) {
        final List<String> lines = child.process().lines();
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).startsWith(Event.MARK + name + " ")) {
                return Event.parse(lines.get(i));
            }
        }
        return null;
    }

    private static Event lost(final EventChild child, final long generation) {
        return child.find(event -> event.name().equals("lost") && event.has("generation", generation))
                .orElse(null);
    }

    /** L2: all that have lived through it tell of one event. A second death may keep the first one's news from somebody. */
    private void assertSameCauses(final long generation, final String what, final boolean isExcused) {
        final List<String> told = cluster.all().stream()
                .map(process -> lost(cluster.child(process), generation))
                .filter(Objects::nonNull)
                .map(event -> event.text("kind") + " " + event.text("subject") + " " + event.text("observer") + " "
                        + event.text("seenAtMs"))
                .distinct()
                .toList();
        if (!isExcused) {
            assertThat(told).as("%s; seed=%s", what, seed).hasSizeLessThanOrEqualTo(1);
        }
    }
}
