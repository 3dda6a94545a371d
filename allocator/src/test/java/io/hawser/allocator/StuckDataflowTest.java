package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.ScopeCancelledException;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** L3, L8, L10, case 94: how long a cancel takes where nothing moves any more. The number is printed; what is asserted is generous, since machines that run all tests are busy. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StuckDataflowTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("hawser.soak");
    private static final int ROUNDS = IS_SOAK ? 2_000 : 60;
    private static final int WARM_UP_ROUNDS = ROUNDS / 6;
    private static final double MEDIAN_LIMIT_MS = 100;
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final long STILL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int PROCESSES = 2;
    private static final int WORKERS = 4;
    private static final int SLAB_LENGTH = 64 * 1024;

    /** What a process at rest holds: send rings, and the slabs that its link and its workers write into next, or keep for that. */
    private static final int REST_MAX = 24 * SLAB_LENGTH;

    private static final int FLOATING = 4 * 1024 * 1024;
    private static final int MESSAGE_LENGTH = 500;

    private final AtomicLong pushed = new AtomicLong();
    private final AtomicInteger allowedRound = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    /** By round: when the last worker was out, and how many are. */
    private final AtomicLongArray outNs = new AtomicLongArray(ROUNDS + 1);

    private final AtomicLongArray outCounts = new AtomicLongArray(ROUNDS + 1);

    private static ClusterConfigBuilder settings(final ClusterConfigBuilder builder) {
        return builder.frameLimit(2 * 1024)
                .sendRingLength(16 * 1024)
                .slabLength(SLAB_LENGTH)
                .channelWindow(512 * 1024)
                .channelWindowMax(1024 * 1024)
                .floatingWindow(FLOATING)
                .channelLimit(
                        4); // twice what is open: a dropped one counts until the other workers of the process have let
        // go, too
    }

    /** Every window between its workers is full, one of each process waits in a push, the other in the library too, and pulls nothing. */
    @Test
    void shouldBeOutSoonWhenAllWindowsAreFullAndNobodyPulls() throws Exception {
        final double[] outMs = new double[ROUNDS];
        final double[] backMs = new double[ROUNDS];
        try (Loopback<Boolean> cluster = Loopback.start(
                PROCESSES, WORKERS / PROCESSES, StuckDataflowTest::settings, this::beStuckAgainAndAgain)) {
            long stuckBytesMin = Long.MAX_VALUE;
            for (int round = 1; round <= ROUNDS; round++) {
                allowedRound.set(round);
                awaitStuck(round);
                stuckBytesMin = Math.min(stuckBytesMin, cluster.liveBytes());
                final long startNs = System.nanoTime();
                final var answer = cluster.process(round % PROCESSES).cancel(round, "stuck");
                Jvm.await("all is back", () -> isAllBack(cluster));
                backMs[round - 1] = (System.nanoTime() - startNs) / 1e6;
                final int out = round;
                Jvm.await("all are out", () -> outCounts.get(out) == WORKERS);
                outMs[round - 1] = (outNs.get(round) - startNs) / 1e6;
                assertThat(answer.toCompletableFuture().get(20, TimeUnit.SECONDS))
                        .isEqualTo(CancelAnswer.CANCELLED);
            }
            assertThat(cluster.values()).containsOnly(true);
            assertThat(stuckBytesMin).as("bytes that a stuck dataflow held").isGreaterThan(PROCESSES * REST_MAX);
        }
        print("all workers out", outMs);
        print("memory and credit back", backMs);
        assertThat(median(outMs)).isLessThan(MEDIAN_LIMIT_MS);
        assertThat(median(backMs)).isLessThan(MEDIAN_LIMIT_MS);
    }

    private boolean beStuckAgainAndAgain(final Worker worker) {
        for (int round = 1; round <= ROUNDS; round++) {
            final int next = round;
            Jvm.await("the round before is over", () -> allowedRound.get() == next);
            final Dataflow job = worker.dataflow(round);
            try {
                beStuck(worker, job);
            } catch (final ScopeCancelledException cancelled) {
                // as it should be
            }
            outNs.accumulateAndGet(round, System.nanoTime(), Math::max);
            outCounts.incrementAndGet(round);
            assertThat(job.awaitOutcome(DEADLINE)).containsInstanceOf(ScopeOutcome.Cancelled.class);
            assertThat(job.health().isLost()).isFalse();
        }
        return true;
    }

    private void beStuck(final Worker worker, final Dataflow job) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final RawChannel refusing = job.allocateRaw(0, OnFull.REFUSE);
        final RawChannel waitingOne = job.allocateRaw(1);
        for (int target = 0; target < worker.peers(); target++) {
            while (refusing.pusher(target).push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
                pushed.incrementAndGet();
            }
        }
        worker.flush();
        waiting.incrementAndGet();
        if (worker.localIndex() == 0) {
            while (true) {
                waitingOne.pusher((worker.index() + 2) % worker.peers()).push(message, 0, MESSAGE_LENGTH);
                pushed.incrementAndGet();
            }
        }
        job.awaitOutcome(DEADLINE);
    }

    /** All have come to their wait, and nothing was pushed for a while. */
    private void awaitStuck(final int round) {
        final long[] last = {-1, System.nanoTime()};
        Jvm.await("all are stuck", () -> {
            final long now = pushed.get();
            if (now != last[0] || waiting.get() < round * WORKERS) {
                last[0] = now;
                last[1] = System.nanoTime();
            }
            return System.nanoTime() - last[1] > STILL_NS;
        });
    }

    private static boolean isAllBack(final Loopback<?> cluster) {
        for (int process = 0; process < PROCESSES; process++) {
            if (!cluster.process(process).lanes(1 - process).isEmpty()
                    || cluster.process(process).floatingBytes() != FLOATING
                    || cluster.process(process).liveBytes() > REST_MAX) {
                return false;
            }
        }
        return true;
    }

    private static double median(final double[] ms) {
        final double[] warm = Arrays.copyOfRange(ms, WARM_UP_ROUNDS, ms.length);
        Arrays.sort(warm);
        return warm[warm.length / 2];
    }

    private static void print(final String what, final double[] ms) {
        System.out.printf(
                Locale.ROOT,
                "cancel of a dataflow whose windows are all full, %d workers in %d processes: %s after median %.2f ms, max %.1f ms,"
                        + " n=%d%n",
                WORKERS,
                PROCESSES,
                what,
                median(ms),
                Arrays.stream(ms).skip(WARM_UP_ROUNDS).max().orElse(0),
                ROUNDS - WARM_UP_ROUNDS);
    }
}
