package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.Joined;
import io.hawser.tests.harness.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * L2, L10, L12 and case 95: a dataflow whose windows are full is cancelled while one of the processes is killed, within 5 ms, in both orders. All survivors tell the same outcome, and the same cause
 * of what has failed; a cancel alone leaves the cluster healthy.
 */
class CancelRaceIT {
    private static final int PROCESSES = 3;
    private static final int WORKERS = 2;
    private static final int ROUNDS = Soak.times(30, 2_000);
    private static final int ROUNDS_TOLD = 50;
    private static final long DATAFLOW = 7;
    private static final long APART_MAX_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<String> CAUSE = List.of("kind", "subject", "observer", "seenAtMs");

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private ChildCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new ChildCluster(nursery, PROCESSES, WORKERS)
                .set("heartbeatMs", 500)
                .set("silenceMs", 20_000)
                .set("windowBytes", 64 * 1024);
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS) // each wait has its own, shorter one
    void shouldAgreeOnTheOutcomeWhenCancelRacesWithKillCase95() {
        final long seed = Long.getLong("hawser.seed", new Random().nextLong());
        System.out.println("CancelRaceIT hawser.seed=" + seed);
        final Random random = new Random(seed);
        final Map<String, Integer> counts = new TreeMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            final int victim = random.nextInt(PROCESSES);
            final int canceller =
                    random.nextInt(PROCESSES); // the victim, too: its last wish counts for all or for nobody
            final boolean isKillFirst = random.nextBoolean();
            final long apartNs = (long) (random.nextDouble() * APART_MAX_NS);
            final String outcome = race(round, victim, canceller, isKillFirst, apartNs);
            counts.merge((isKillFirst ? "kill first: " : "cancel first: ") + outcome, 1, Integer::sum);
            if ((round + 1) % ROUNDS_TOLD == 0) {
                print(round + 1, counts);
            }
        }
        print(ROUNDS, counts);
    }

    private static void print(final int rounds, final Map<String, Integer> counts) {
        System.out.printf(Locale.ROOT, "cancel and kill within 5 ms of each other, %d rounds: %s%n", rounds, counts);
    }

    private String race(
            final int round, final int victim, final int canceller, final boolean isKillFirst, final long apartNs) {
        cluster.launchMissing();
        final ChildCluster.Run run = cluster.form("flow");
        run.awaitAtWork(cluster.all());
        if (isKillFirst) {
            cluster.child(victim).signal(Signal.KILL);
            pass(apartNs);
            cancel(run, canceller, round);
        } else {
            cancel(run, canceller, round);
            pass(apartNs);
            cluster.child(victim).signal(Signal.KILL);
        }
        final List<Integer> survivors = cluster.allBut(victim);
        final Joined joined = new Joined(run.joined(survivors, PATIENCE));
        joined.assertCause("PEER_LOST", victim).assertNothingLeft();
        final List<Event> outcomes = outcomes(run, survivors);
        final Event first = outcomes.get(0);
        assertThat(outcomes)
                .as("outcomes of round %d, victim %d, canceller %d", round, victim, canceller)
                .allSatisfy(each -> assertThat(each.fields()).isEqualTo(first.fields()));
        if (first.has("outcome", "cancelled")) {
            assertThat(first.text("by")).isEqualTo("cancelled by process " + canceller + ": round " + round);
        } else {
            assertThat(first.text("outcome")).isEqualTo("failed");
            for (final String field : CAUSE) {
                assertThat(first.text(field))
                        .as(field)
                        .isEqualTo(joined.events().get(0).text(field));
            }
        }
        return first.text("outcome");
    }

    /** The cancel is nobody's failure: all go on, and end cleanly when they want to. */
    @Test
    void shouldKeepAllHealthyWhenOnlyCancelledCase95() {
        for (int round = 0; round < PROCESSES; round++) {
            cluster.launchMissing();
            final ChildCluster.Run run = cluster.form("flow");
            run.awaitAtWork(cluster.all());
            cancel(run, round, round);
            final String expected = "cancelled by process " + round + ": round " + round;
            assertThat(outcomes(run, cluster.all()))
                    .allSatisfy(each ->
                            assertThat(each.text("by", each.text("outcome"))).isEqualTo(expected));
            Pause.of(Duration.ofMillis(50)); // a loss that follows would be known by now
            cluster.all().forEach(process -> run.tell(process, "end"));
            final Joined joined = new Joined(run.joined(cluster.all(), PATIENCE));
            joined.assertClean().assertNothingLeft();
            joined.events().forEach(event -> assertThat(event.number("counted")).isEqualTo(WORKERS));
        }
    }

    private static void cancel(final ChildCluster.Run run, final int canceller, final int round) {
        run.tell(canceller, "cancel", "dataflow", DATAFLOW, "reason", "round " + round);
    }

    private List<Event> outcomes(final ChildCluster.Run run, final List<Integer> processes) {
        return processes.stream()
                .map(process -> cluster.child(process).await("flow-over", run.id(), PATIENCE))
                .toList();
    }

    private static void pass(final long ns) {
        final long startNs = System.nanoTime();
        for (long leftNs = ns; leftNs > 0; leftNs = ns - (System.nanoTime() - startNs)) {
            LockSupport.parkNanos(leftNs);
        }
    }
}
