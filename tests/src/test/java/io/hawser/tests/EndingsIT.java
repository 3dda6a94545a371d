package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.Nursery;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Event;
import io.hawser.tests.harness.Joined;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * L2, L3, L4 and cases 43, 44, 45, 46, 65, 66, 71, 72, 73, 74, 85: every way to die, times everything that a survivor may be doing. One of three real
 * processes dies; the others tell one and the same first cause, get control back in time, and keep nothing of the old
 * cluster.
 */
class EndingsIT {
    /** From the fault to the last worker of the last survivor. A measured median is printed; this only tells broken from whole. */
    private static final Duration RETURN_BOUND = Duration.ofSeconds(1);

    private static final Duration ABORT_TIMEOUT = Duration.ofMillis(500);
    private static final Duration HEARTBEAT = Duration.ofMillis(100);
    private static final Duration SILENCE = Duration.ofMillis(1_500);
    private static final Duration LONG_SILENCE = Duration.ofSeconds(15);
    private static final Duration SLACK = Duration.ofMillis(750);
    private static final Duration JOIN_PATIENCE = Duration.ofSeconds(12);
    private static final List<String> ACTIVITIES = List.of("park", "pull", "push", "wait", "block", "return");
    private static final int PROCESSES = 3;

    @RegisterExtension
    static final Nursery NURSERY = Nursery.forWholeClass();

    private static final Map<Ending, List<Long>> LATENCIES = new EnumMap<>(Ending.class);
    private static final ChildCluster[] CLUSTERS = {null, cluster(1), cluster(2)};

    @TempDir
    static Path triggers;

    private static ChildCluster cluster(final int workers) {
        return new ChildCluster(NURSERY, PROCESSES, workers)
                .set("heartbeatMs", HEARTBEAT.toMillis())
                .set("abortMs", ABORT_TIMEOUT.toMillis());
    }

    /** Every ending with every activity; the victim and the number of workers vary, or are all tried in a soak. */
    static Stream<Arguments> combinations() {
        final List<Arguments> all = new ArrayList<>();
        int turn = 0;
        for (final Ending ending : Ending.values()) {
            for (final String activity : ACTIVITIES) {
                turn++;
                if (!(ending + " " + activity).matches(System.getProperty("hawser.endings", ".*"))) {
                    continue;
                }
                for (int variant = 0; variant < (Soak.isOn() ? 2 * PROCESSES : 1); variant++) {
                    final int victim = ending.isRaw() ? PROCESSES - 1 : (turn + variant) % PROCESSES;
                    all.add(Arguments.of(ending, activity, victim, 1 + (turn / PROCESSES + variant) % 2));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0} while survivors {1}: victim={2} workers={3}")
    @MethodSource("combinations")
    void shouldShareFateWhenOneDies(final Ending ending, final String activity, final int victim, final int workers)
            throws Exception {
        final ChildCluster cluster = CLUSTERS[workers];
        cluster.set("silenceMs", (ending.isTold() ? LONG_SILENCE : SILENCE).toMillis());
        cluster.launchMissing();
        try (Victim dying = Victim.of(cluster, victim, ending, activity, triggers)) {
            final ChildCluster.Run run = dying.form();
            final long startMicros = dying.die();
            final List<Integer> survivors = cluster.allBut(victim);
            final Joined joined = new Joined(run.joined(survivors, JOIN_PATIENCE));
            joined.assertCause(expectedKind(ending, joined), victim).assertNothingLeft();
            assertSubjectWorker(joined, ending, victim * workers, workers);
            survivors.forEach(process -> assertOutcomes(run.outcomes(process), activity, process * workers));
            assertInTime(joined, ending, activity, reference(joined, ending, startMicros));
            if (ending.isSurvived()) {
                final List<Event> all = new ArrayList<>(joined.events());
                all.add(run.joined(victim, JOIN_PATIENCE));
                new Joined(all).assertSameCause().assertNothingLeft();
            }
        }
    }

    /**
     * Where the heap is full, a thread of the transport may be the first that gets no memory; and there may be just enough left
     * to say which one, or not.
     */
    private static String expectedKind(final Ending ending, final Joined joined) {
        final Event first = joined.events().get(0);
        final String seen = first.text("seen", "");
        final boolean isTransports = ending == Ending.FILL_HEAP
                && first.has("kind", "THREAD_FAILED")
                && (seen.contains("out of memory") || seen.contains("threw java.lang.OutOfMemoryError"));
        return isTransports ? "THREAD_FAILED" : ending.kind();
    }

    /** Where the heap is full, it may be any worker of that process that notices first. */
    private static void assertSubjectWorker(
            final Joined joined, final Ending ending, final int firstWorker, final int workers) {
        for (final Event event : joined.events()) {
            final long worker = event.number("subjectWorker");
            if (ending == Ending.FILL_HEAP && event.has("kind", ending.kind())) {
                assertThat(worker)
                        .as("subject, in %s", joined)
                        .isBetween((long) firstWorker, firstWorker + workers - 1L);
            } else {
                final boolean isWorker = event.has("kind", "WORKER_PANICKED");
                assertThat(worker).as("subject, in %s", joined).isEqualTo(isWorker ? firstWorker : -1);
            }
        }
    }

    private static void assertOutcomes(final List<Event> outcomes, final String activity, final int firstWorker) {
        final boolean hasReturned = activity.equals("return");
        assertThat(outcomes).isNotEmpty().allSatisfy(outcome -> {
            assertThat(outcome.text("outcome")).isEqualTo(hasReturned ? "completed" : "failed");
            if (hasReturned) {
                assertThat(outcome.number("text")).isEqualTo(firstWorker + outcome.number("local"));
            }
        });
    }

    /** Coming to overflow a stack or to fill a heap takes a while that is not ours: there the clock starts with the panic. */
    private static long reference(final Joined joined, final Ending ending, final long startMicros) {
        return ending.isWorkers() ? joined.events().get(0).number("seenAtMs") * 1_000 : startMicros;
    }

    private static void assertInTime(
            final Joined joined, final Ending ending, final String activity, final long startMicros) {
        final Duration toDetect =
                ending.isTold() ? Duration.ZERO : SILENCE.plus(HEARTBEAT).plus(SLACK);
        final long joinTook = joined.lastJoinMicros() - startMicros;
        assertThat(joinTook)
                .as("µs from fault to the last join")
                .isLessThan(micros(toDetect.plus(ABORT_TIMEOUT).plus(RETURN_BOUND)));
        if (activity.equals("return")) {
            return;
        }
        final long returnTook = joined.lastReturnMicros() - startMicros;
        System.out.printf(Locale.ROOT, "%s while survivors %s: %.1f ms%n", ending, activity, returnTook / 1e3);
        LATENCIES.computeIfAbsent(ending, key -> new ArrayList<>()).add(returnTook);
        assertThat(returnTook)
                .as("µs from fault to the last worker's return")
                .isLessThan(micros(ending.isTold() ? RETURN_BOUND : toDetect));
        if (!ending.isTold()) {
            assertThat(returnTook)
                    .as("µs from freezing to the last worker's return, not before the time-out")
                    .isGreaterThan(micros(SILENCE.minus(HEARTBEAT.multipliedBy(2))));
        }
    }

    private static long micros(final Duration duration) {
        return duration.toNanos() / 1_000;
    }

    @AfterAll
    static void printLatencies() {
        LATENCIES.forEach((ending, micros) -> {
            micros.sort(null);
            System.out.printf(
                    Locale.ROOT,
                    "%-14s fault to last worker back in user code: median %.1f ms, max %.1f ms, n=%d%n",
                    ending,
                    micros.get(micros.size() / 2) / 1e3,
                    micros.get(micros.size() - 1) / 1e3,
                    micros.size());
        });
    }
}
