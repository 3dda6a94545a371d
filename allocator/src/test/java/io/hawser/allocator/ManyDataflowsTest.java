package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.HealthLostException;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.fate.ScopeOutcome;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.LaneState;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * L7, L10, case 104: very many dataflows at once, opened and dropped at random. After each round, when none is open, the books are balanced and nothing is held; the heap does not grow, and at
 * the end each place of a lane is there to be used.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ManyDataflowsTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("hawser.soak");
    private static final int DATAFLOWS = IS_SOAK ? 1_000 : 100;
    private static final int CHANNELS = 10;

    /** In each, as many are dropped and replaced as are open at once. As many outcomes as are remembered (16,384) come together in half of the soak. */
    private static final int ROUNDS = IS_SOAK ? 20 : 4;

    private static final int WINDOW = 8 * 1024;
    private static final int FLOATING = 1024 * 1024;
    private static final int MESSAGE_LENGTH = 100;
    private static final int MESSAGES_MAX = 5;
    private static final int SLAB_LENGTH = 64 * 1024;

    /** What a process at rest holds: send rings, and the slabs that its link and its worker write into next, or keep for that. */
    private static final long REST_MAX = 20 * SLAB_LENGTH;

    /** What is remembered of a dataflow that is over, by two processes; and what a heap varies by. */
    private static final long HEAP_PER_OUTCOME = 4 * 1024;

    private static final long HEAP_TOLERANCE = 8 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final long seed = Seed.print("ManyDataflowsTest");
    private final long[] heap = new long[ROUNDS];

    /** How a dataflow is to end. */
    private enum Fate {
        CLOSED,
        CANCELLED,
        CANCELLED_FROM_OUTSIDE,
        FAILED
    }

    /** What both workers know of a dataflow without telling each other. */
    private record Plan(Fate fate, int doer) {
        static Plan of(final long seed, final long id) {
            final Random random = new Random(seed + id * 0x9E3779B97F4A7C15L);
            return new Plan(Fate.values()[random.nextInt(Fate.values().length)], random.nextInt(2));
        }
    }

    private static ClusterConfigBuilder settings(final ClusterConfigBuilder builder) {
        return builder.frameLimit(1_024)
                .sendRingLength(64 * 1_024)
                .slabLength(SLAB_LENGTH)
                .channelWindow(WINDOW)
                .floatingWindow(FLOATING)
                .channelLimit(DATAFLOWS * CHANNELS);
    }

    @Test
    void shouldStayFlatWhenDataflowsAreDroppedAtRandomCase104() throws Exception {
        final Loopback<?>[] running = new Loopback<?>[1];
        final CyclicBarrier barrier = new CyclicBarrier(2);
        final CyclicBarrier formed = new CyclicBarrier(3);
        final long startNs = System.nanoTime();
        try (Loopback<Long> cluster = Loopback.start(2, 1, ManyDataflowsTest::settings, worker -> {
            meet(formed);
            return dropAgainAndAgain(worker, running[0], barrier);
        })) {
            running[0] = cluster;
            meet(formed);
            cluster.process(0).join(); // as long as it takes
            assertThat(cluster.values()).containsExactly((long) DATAFLOWS * CHANNELS, (long) DATAFLOWS * CHANNELS);
        }
        final long over = 2L * DATAFLOWS * ROUNDS;
        System.out.printf(
                Locale.ROOT,
                "%,d dataflows of %d channels, %,d at once, dropped in %.1f s; heap after rounds %,d…%,d bytes%n",
                over,
                CHANNELS,
                DATAFLOWS,
                (System.nanoTime() - startNs) / 1e9,
                heap[0],
                heap[ROUNDS - 1]);
        final int reference = IS_SOAK ? ROUNDS / 2 : 0;
        final long mayGrow = IS_SOAK ? 0 : over * HEAP_PER_OUTCOME;
        assertThat(heap[ROUNDS - 1]).isLessThan(heap[reference] + mayGrow + HEAP_TOLERANCE);
    }

    private long dropAgainAndAgain(final Worker worker, final Loopback<?> cluster, final CyclicBarrier barrier) {
        final Dataflow[] open = new Dataflow[DATAFLOWS];
        final Random order = new Random(seed); // the same for both
        long nextId = 1;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < DATAFLOWS; i++) {
                open[i] = open(worker, nextId++);
            }
            for (int i = 0; i < DATAFLOWS; i++) {
                final int victim = order.nextInt(DATAFLOWS);
                drop(worker, cluster, open[victim]);
                open[victim] = open(worker, nextId++);
            }
            for (final Dataflow dataflow : open) {
                drop(worker, cluster, dataflow);
            }
            meet(barrier);
            awaitRest(worker, cluster.process(worker.index()));
            meet(barrier);
            if (worker.index() == 0) {
                heap[round] = usedHeap();
            }
            meet(barrier);
        }
        return useAllPlaces(worker, nextId);
    }

    private Dataflow open(final Worker worker, final long id) {
        final Dataflow dataflow = worker.dataflow(id);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        try {
            for (int channel = 0; channel < CHANNELS; channel++) {
                final RawChannel raw = dataflow.allocateRaw(channel);
                for (int i = (int) (id + channel) % (MESSAGES_MAX + 1); i > 0; i--) {
                    raw.pusher(1 - worker.index()).push(message, 0, MESSAGE_LENGTH);
                }
                if (id % 3 == 0) {
                    raw.puller().poll((buffer, offset, length, source) -> {}, 2);
                }
            }
            worker.flush();
        } catch (final ScopeCancelledException | HealthLostException stopped) {
            assertThat(dataflow.isRunning()).isFalse(); // by the other worker, which is ahead
        }
        return dataflow;
    }

    /** Ends it as planned, and waits for the outcome. */
    private void drop(final Worker worker, final Loopback<?> cluster, final Dataflow dataflow) {
        final Plan plan = Plan.of(seed, dataflow.id());
        final boolean isDoer = plan.doer() == worker.index();
        if (plan.fate() == Fate.CLOSED) {
            dataflow.close();
        } else if (isDoer && plan.fate() == Fate.CANCELLED) {
            dataflow.cancel("planned");
        } else if (isDoer && plan.fate() == Fate.FAILED) {
            assertThat(dataflow.fail(new IllegalStateException("planned"))).isTrue();
        } else if (isDoer) {
            cluster.process(plan.doer()).cancel(dataflow.id(), "planned");
        }
        final ScopeOutcome outcome = dataflow.awaitOutcome(DEADLINE).orElseThrow();
        switch (plan.fate()) {
            case CLOSED -> assertThat(outcome.isCompleted()).isTrue();
            case CANCELLED ->
                assertThat(outcome).isEqualTo(new ScopeOutcome.Cancelled(plan.doer(), plan.doer(), "planned"));
            case CANCELLED_FROM_OUTSIDE ->
                assertThat(outcome).isEqualTo(new ScopeOutcome.Cancelled(plan.doer(), -1, "planned"));
            default ->
                assertThat(outcome).isInstanceOfSatisfying(ScopeOutcome.Failed.class, failed -> {
                    assertThat(failed.cause().seen()).contains("planned");
                    assertThat(failed.cause().subjectWorker()).isEqualTo(plan.doer());
                });
        }
    }

    /** A message on as many channels as may be open at once: if a place had been lost, the last push would wait for ever. */
    private static long useAllPlaces(final Worker worker, final long id) {
        final Dataflow dataflow = worker.dataflow(id);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final RawChannel[] channels = new RawChannel[DATAFLOWS * CHANNELS];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = dataflow.allocateRaw(i);
            channels[i].pusher(1 - worker.index()).push(message, 0, MESSAGE_LENGTH);
        }
        worker.flush();
        final long[] pulled = {0};
        while (pulled[0] < channels.length) {
            worker.park();
            for (final RawChannel channel : channels) {
                pulled[0] += channel.puller().poll((buffer, offset, length, source) -> {}, Integer.MAX_VALUE);
            }
        }
        dataflow.close();
        assertThat(dataflow.awaitOutcome(DEADLINE).orElseThrow().isCompleted()).isTrue();
        return pulled[0];
    }

    /** The worker goes on to look for what comes: it alone gives back what comes late for what it has closed. */
    private static void awaitRest(final Worker worker, final Cluster<?> own) {
        final long startNs = System.nanoTime();
        while (own.lanes(1 - worker.index()).stream().anyMatch(ManyDataflowsTest::isInUse)
                || own.floatingBytes() != FLOATING
                || own.liveBytes() > REST_MAX) {
            worker.park(Duration.ofMillis(1));
            if (System.nanoTime() - startNs > DEADLINE.toNanos()) {
                throw new AssertionError("nothing is open, and something is held: floatingBytes=" + own.floatingBytes()
                        + " liveBytes=" + own.liveBytes() + " lanes=" + own.lanes(1 - worker.index()));
            }
        }
    }

    /** One that was closed, and read to its end, stays in the books of its receiver until the next one is opened. */
    private static boolean isInUse(final LaneState lane) {
        return lane.isSending() || lane.charged() != lane.consumed();
    }

    private static void meet(final CyclicBarrier barrier) {
        try {
            barrier.await(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (final InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("the others did not come", e);
        }
    }

    private static long usedHeap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
