package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.Deadline;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.EventChild;
import io.hawser.tests.harness.Joined;
import io.hawser.tests.harness.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * L4, L5 and cases 3, 24, 28, 76, 77, 78, 79, 80: processes die and are relaunched, the survivors form the next generation with them, as
 * often as need be, and nothing of older generations is left or gets in.
 */
class ReformIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ROUNDS = Soak.times(100, 1_000);
    private static final int SETTLED_ROUND = 10;

    /** Soon, but not so soon that a busy machine looks frozen while the cluster forms. */
    private static final long FROZEN_AFTER_MS = 3_000;

    private static final long HEAP_SLACK = 512 * 1024;

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private ChildCluster cluster(final int processes) {
        return new ChildCluster(nursery, processes, 1).set("heartbeatMs", 100).set("silenceMs", 10_000);
    }

    @Test
    void shouldStayFlatWhenPeerIsKilledAndReplacedOverAndOverCases3And76And77() {
        final ChildCluster cluster = cluster(2);
        Event settled = null;
        for (int round = 1; round <= ROUNDS; round++) {
            cluster.launchMissing();
            cluster.prepareSpare();
            final ChildCluster.Run run = cluster.form(round % 2 == 0 ? "push" : "park");
            run.awaitAtWork(cluster.all());
            cluster.child(1).signal(Signal.KILL);
            final Event joined = run.joined(0, PATIENCE);
            new Joined(List.of(joined)).assertCause("PEER_LOST", 1).assertNothingLeft();
            assertThat(joined.number("causeGeneration"))
                    .as("a verdict of this generation")
                    .isEqualTo(run.id());
            cluster.child(1).awaitExit(PATIENCE);
            if (round == SETTLED_ROUND) {
                settled = cluster.inspect(0, true);
            }
        }
        final Event last = cluster.inspect(0, true);
        System.out.println("after " + SETTLED_ROUND + " rounds: " + settled);
        System.out.println("after " + ROUNDS + " rounds: " + last);
        for (final String flat : List.of("threads", "sockets", "descriptors", "direct")) {
            assertThat(last.number(flat)).as(flat).isLessThanOrEqualTo(settled.number(flat));
        }
        assertThat(last.number("heap")).as("heap").isLessThan(settled.number("heap") + HEAP_SLACK);
    }

    @Test
    void shouldFormAtOnceWhenPeerWasTerminatedAndRelaunchedCase80() {
        final ChildCluster cluster = cluster(3);
        cluster.launchMissing();
        cluster.prepareSpare();
        final ChildCluster.Run first = cluster.form("park");
        first.awaitAtWork(cluster.all());
        cluster.child(1).signal(Signal.TERM);
        new Joined(first.joined(cluster.allBut(1), PATIENCE)).assertCause("PROCESS_EXITING", 1);
        assertThat(cluster.child(1).awaitExit(PATIENCE)).isEqualTo(128 + 15);
        cluster.launchMissing();
        final ChildCluster.Run second = cluster.form("park");
        for (final int process : cluster.all()) {
            assertThat(second.formed(process).number("tookMicros")).isLessThan(2_000_000);
        }
    }

    @Test
    void shouldFormWhenEachInTurnDiesTheFirstIncludedCase79() {
        final ChildCluster cluster = cluster(3);
        for (int victim = 0; victim < 3; victim++) {
            cluster.launchMissing();
            final ChildCluster.Run run = cluster.form("push");
            run.awaitAtWork(cluster.all());
            cluster.child(victim).signal(Signal.KILL);
            new Joined(run.joined(cluster.allBut(victim), PATIENCE))
                    .assertCause("PEER_LOST", victim)
                    .assertNothingLeft();
        }
        cluster.launchMissing();
        cluster.form("park");
    }

    @Test
    void shouldFormWhenTwoDieAtOnceCase78() {
        final ChildCluster cluster = cluster(3);
        cluster.launchMissing();
        final ChildCluster.Run run = cluster.form("push");
        run.awaitAtWork(cluster.all());
        cluster.child(1).signal(Signal.KILL);
        cluster.child(2).signal(Signal.KILL);
        assertThat(run.joined(0, PATIENCE).text("kind")).isEqualTo("PEER_LOST");
        cluster.launchMissing();
        cluster.form("park");
    }

    @Test
    void shouldFormInTheEndWhenKilledAtRandomMomentsOfFormingCases78And79() {
        final ChildCluster cluster = cluster(3).set("formationMs", 10_000).set("reform", true);
        final long seed = System.nanoTime();
        System.out.println("kills while forming: seed=" + seed);
        final Random random = new Random(seed);
        for (int round = 0; round < Soak.times(10, 300); round++) {
            cluster.launchMissing();
            cluster.prepareSpare();
            final ChildCluster.Run run = cluster.newRun();
            cluster.all().forEach(process -> run.start(process, "rounds", "pauseMicros", 500));
            for (int kill = 0; kill <= round % 2; kill++) {
                Pause.of(Duration.ofMillis(random.nextInt(60)));
                final int victim = random.nextInt(3);
                cluster.child(victim).signal(Signal.KILL);
                cluster.child(victim).awaitExit(PATIENCE);
                cluster.launchMissing();
                run.start(victim, "rounds", "pauseMicros", 500);
            }
            // all run the same generation when all make progress, since each round needs a number from everybody
            final long counted = cluster.inspect(0, false).number("counted");
            Deadline.await(
                    PATIENCE,
                    "the job goes on, round " + round,
                    () -> cluster.inspect(0, false).number("counted") > counted + 10);
            run.tell(0, "end");
            for (final int process : cluster.all()) {
                cluster.child(process)
                        .await(
                                "a clean end",
                                PATIENCE,
                                event -> event.name().equals("joined")
                                        && event.has("run", run.id())
                                        && event.isTrue("clean"));
            }
        }
    }

    @Test
    void shouldKeepZombieOutWhenItWakesUpAfterItsReplacementCase24() {
        final ChildCluster cluster = cluster(3).set("silenceMs", FROZEN_AFTER_MS);
        cluster.launchMissing();
        final ChildCluster.Run old = cluster.form("push");
        old.awaitAtWork(cluster.all());
        final EventChild zombie = cluster.child(1);
        zombie.signal(Signal.STOP);
        new Joined(old.joined(cluster.allBut(1), PATIENCE))
                .assertCause("PEER_SILENT", 1)
                .assertNothingLeft();
        final String oldAddresses = cluster.addressesFor(1);
        cluster.moveAway(1);
        cluster.launchMissing();
        final ChildCluster.Run fresh = cluster.form("rounds");
        fresh.awaitAtWork(cluster.all());
        zombie.signal(Signal.CONT);
        final Event awoken = zombie.await("joined", old.id(), PATIENCE);
        assertThat(awoken.isTrue("clean")).isFalse();
        assertThat(awoken.number("causeGeneration"))
                .isEqualTo(zombie.await("formed", old.id()).number("generation"));
        // it even tries to get in again, with its old generation
        final ChildCluster.Run again = cluster.newRun();
        zombie.send(again.command(1, "park", "generation", old.id(), "formationMs", 1_500, "addresses", oldAddresses));
        final Event refused = zombie.await("not-formed", again.id(), PATIENCE);
        System.out.println("the zombie is told: " + refused.text("text"));
        final long counted = cluster.inspect(0, false).number("counted");
        Deadline.await(
                PATIENCE,
                "the new generation goes on",
                () -> cluster.inspect(0, false).number("counted") > counted + 10);
        fresh.tell(0, "end");
        new Joined(fresh.joined(cluster.all(), PATIENCE)).assertClean().assertNothingLeft();
    }

    @Test
    void shouldGiveIndexToNewcomerWhenHolderIsFrozenCase21() {
        final ChildCluster cluster =
                cluster(2).set("silenceMs", FROZEN_AFTER_MS).set("reform", true);
        cluster.launchMissing();
        final ChildCluster.Run run = cluster.newRun();
        cluster.all().forEach(process -> run.start(process, "rounds", "pauseMicros", 500));
        run.awaitAtWork(cluster.all());
        final EventChild frozen = cluster.child(1);
        frozen.signal(Signal.STOP);
        cluster.moveAway(1);
        cluster.launchMissing();
        run.start(1, "rounds", "pauseMicros", 500);
        final Event lost = run.joined(0, PATIENCE);
        assertThat(lost.text("kind")).isEqualTo("PEER_SILENT");
        assertThat(lost.number("pid")).isEqualTo(frozen.pid());
        assertThat(run.formed(1).number("generation")).isGreaterThan(run.id());
        frozen.signal(Signal.KILL);
        final long counted = cluster.inspect(0, false).number("counted");
        Deadline.await(
                PATIENCE, "the job goes on", () -> cluster.inspect(0, false).number("counted") > counted + 10);
    }

    @Test
    void shouldSayThatPortIsHeldWhenPredecessorIsFrozenCase3() {
        final ChildCluster cluster = cluster(2).set("silenceMs", FROZEN_AFTER_MS);
        cluster.launchMissing();
        final ChildCluster.Run old = cluster.form("park");
        old.awaitAtWork(cluster.all());
        final EventChild frozen = cluster.child(0);
        frozen.signal(Signal.STOP);
        old.joined(1, PATIENCE);
        final int port = cluster.port(0);
        cluster.moveAway(0, port);
        cluster.launchMissing();
        final ChildCluster.Run held = cluster.newRun();
        held.start(0, "park", "formationMs", 1_000);
        assertThat(cluster.child(0).await("not-formed", held.id(), PATIENCE).text("text"))
                .contains("127.0.0.1:" + port)
                .contains("held");
        // retried until the deadline: as soon as the owner is gone the port is good
        final ChildCluster.Run freed = cluster.newRun();
        cluster.all().forEach(process -> freed.start(process, "park"));
        frozen.signal(Signal.KILL);
        freed.awaitFormed(cluster.all());
    }

    @Test
    void shouldStaySilentAfterLossCase28() throws Exception {
        final ChildCluster cluster = cluster(2);
        cluster.launchMissing();
        final ChildCluster.Run run = cluster.form("park");
        run.awaitAtWork(cluster.all());
        cluster.child(0).signal(Signal.KILL);
        cluster.child(0).awaitExit(PATIENCE);
        // process 1 is the one that dials: whoever listens there now must not hear of it
        try (FakeService successor = new FakeService(cluster.port(0), new byte[0], false)) {
            new Joined(List.of(run.joined(1, PATIENCE)))
                    .assertCause("PEER_LOST", 0)
                    .assertNothingLeft();
            final int logged = cluster.child(1).errorLines().size();
            Pause.of(Duration.ofSeconds(2));
            assertThat(successor.count()).as("dials after the loss").isZero();
            assertThat(cluster.child(1).errorLines()).hasSize(logged);
            assertThat(cluster.inspect(1, false).text("hawserThreads")).isEmpty();
        }
    }
}
