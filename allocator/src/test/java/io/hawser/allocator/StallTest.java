package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Outcome;
import io.hawser.fate.ScopeOutcome;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Notice;
import io.hawser.transport.WorkerStall;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Law L3, case 70, between processes: a worker that no longer calls the library is seen everywhere, and may be a failure; one that waits in it is neither. */
@Timeout(60)
class StallTest {
    private static final Duration TIMEOUT = Duration.ofMillis(300);
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final long IDLE_NS = 1_000_000;

    /** Longer, for those who are not to be told: a busy machine may keep a thread from running for a while. */
    private static final Duration LONG_TIMEOUT = Duration.ofMillis(700);

    private static final long PATIENCE_NS = 3 * LONG_TIMEOUT.toNanos();

    /** The lock of a user that nobody gives back. */
    private final CountDownLatch lock = new CountDownLatch(1);

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void shouldLeaveNoThread() {
        lock.countDown();
        end.countDown();
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    private static ClusterConfigBuilder settings(final ClusterConfigBuilder builder) {
        return Arrangement.tight(builder)
                .heartbeatInterval(Duration.ofMillis(50))
                .silenceTimeout(Duration.ofSeconds(10))
                .stallTimeout(TIMEOUT);
    }

    /** A sleep on a lock, in the user's code, by a name that is to be found again. */
    private void sleepOnALock() throws InterruptedException {
        lock.await();
    }

    private void awaitEnd(final Worker worker) {
        while (end.getCount() > 0) {
            worker.awaitNotice(Duration.ofMillis(5));
        }
    }

    private static boolean isStalled(final Cluster<?> cluster, final int worker) {
        return cluster.stalls().stream().anyMatch(stall -> stall.worker() == worker);
    }

    private static void awaitStalled(final Loopback<?> cluster, final int worker, final boolean isStalled) {
        for (int process = 0; process < cluster.processCount(); process++) {
            final Cluster<?> member = cluster.process(process);
            Jvm.await(
                    "process " + process + " knows that worker " + worker + (isStalled ? " stands" : " goes on"),
                    () -> isStalled(member, worker) == isStalled);
        }
    }

    @Test
    void shouldTellEverybodyOfASleepingWorkerAndThatItGoesOn() throws Exception {
        try (Loopback<Void> cluster = Loopback.start(2, 2, StallTest::settings, worker -> {
            if (worker.index() == 1) {
                sleepOnALock();
                worker.flush();
            }
            awaitEnd(worker);
            return null;
        })) {
            awaitStalled(cluster, 1, true);
            for (int process = 0; process < 2; process++) {
                final List<WorkerStall> stalls = cluster.process(process).stalls();
                assertThat(stalls).hasSize(1);
                final WorkerStall stall = stalls.get(0);
                assertThat(stall.process()).isZero();
                assertThat(stall.threadName()).isIn(Jvm.threads(stall.threadName()));
                assertThat(stall.lasted()).isGreaterThanOrEqualTo(TIMEOUT);
                assertThat(stall.stack().get(0)).as("the innermost").contains("park");
                assertThat(stall.stack())
                        .anyMatch(call -> call.contains("StallTest.sleepOnALock"))
                        .noneMatch(call -> call.contains("WorkerGuard"));
            }
            lock.countDown();
            awaitStalled(cluster, 1, false);
            end.countDown();
            assertThat(cluster.join()).allMatch(Outcomes::isClean);
        }
    }

    /** What it waits for may be long in coming; all of these outlast the time-out several times. */
    enum Waiting {
        PARKED {
            @Override
            void await(final Worker worker) {
                worker.park(Duration.ofNanos(PATIENCE_NS));
            }
        },
        FOR_CREDIT {
            @Override
            void await(final Worker worker) {
                final RawPusher pusher = worker.allocateRaw(0).pusher(worker.peers() - 1);
                final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);
                for (int i = 0; i < 200; i++) {
                    pusher.push(message, 0, 200);
                }
            }
        },
        FOR_ROOM {
            @Override
            void await(final Worker worker) {
                final RawPusher pusher = worker.allocateRaw(0, OnFull.REFUSE).pusher(worker.peers() - 1);
                final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);
                while (pusher.push(message, 0, 200) == PushResult.PUSHED) {
                    worker.flush();
                }
                worker.awaitRoom(Duration.ofNanos(PATIENCE_NS));
            }
        },
        FOR_A_NOTICE {
            @Override
            void await(final Worker worker) {
                worker.awaitNotice(Duration.ofNanos(PATIENCE_NS));
            }
        },
        FOR_AN_OUTCOME {
            @Override
            void await(final Worker worker) {
                worker.dataflow(7).awaitOutcome(Duration.ofNanos(PATIENCE_NS));
            }
        },
        ALIVE {
            @Override
            void await(final Worker worker) {
                final long startNs = System.nanoTime();
                while (System.nanoTime() - startNs < PATIENCE_NS) {
                    worker.alive();
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        };

        abstract void await(Worker worker);
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void shouldSayNothingOfAWorkerThatWaitsInTheLibraryOrSaysThatItLives(final Waiting waiting) throws Exception {
        final Queue<WorkerStall> told = new ConcurrentLinkedQueue<>();
        try (Loopback<Void> cluster = Loopback.start(
                2, 1, builder -> settings(builder).stallTimeout(LONG_TIMEOUT).stallLimit(LONG_TIMEOUT), worker -> {
                    if (worker.index() == 0) {
                        waiting.await(worker);
                        return null;
                    }
                    final RawChannel channel = worker.allocateRaw(0);
                    final long startNs = System.nanoTime();
                    while (System.nanoTime() - startNs < PATIENCE_NS) {
                        worker.alive(); // and reads nothing
                        LockSupport.parkNanos(IDLE_NS);
                    }
                    try {
                        while (true) {
                            channel.puller().poll((buffer, offset, length, source) -> {}, 100);
                            worker.park();
                        }
                    } catch (final EndOfStreamException over) {
                        return null;
                    }
                })) {
            Jvm.await("the end", () -> {
                told.addAll(cluster.process(0).stalls());
                told.addAll(cluster.process(1).stalls());
                return Jvm.threads("hawser-loopback-p0-g1-worker").isEmpty();
            });
            assertThat(told).isEmpty();
            assertThat(cluster.join()).as("the limit has met nobody").allMatch(Outcomes::isClean);
        }
    }

    /** It has said nothing for long since it is not there any more, and its neighbour still is. */
    @Test
    void shouldSayNothingOfAWorkerThatHasEnded() throws Exception {
        final Queue<WorkerStall> told = new ConcurrentLinkedQueue<>();
        try (Loopback<Void> cluster = Loopback.start(2, 2, StallTest::settings, worker -> {
            if (worker.index() != 3) {
                return null;
            }
            worker.dataflow(5).run(() -> sleepOnALock());
            return null;
        })) {
            awaitStalled(cluster, 3, true);
            told.addAll(cluster.process(0).stalls());
            told.addAll(cluster.process(1).stalls());
            assertThat(told).extracting(WorkerStall::worker).containsOnly(3);
            lock.countDown();
            assertThat(cluster.join()).allMatch(Outcomes::isClean);
            assertThat(cluster.process(0).stalls()).isEmpty();
            assertThat(cluster.process(1).stalls()).isEmpty();
        }
    }

    private static UnaryOperator<ClusterConfigBuilder> limited(final Duration limit) {
        return builder -> settings(builder).stallLimit(limit);
    }

    private static Cause causeOf(final Dataflow dataflow) {
        return ((ScopeOutcome.Failed)
                        dataflow.awaitOutcome(Duration.ofSeconds(20)).orElseThrow())
                .cause();
    }

    /** L12: beyond the limit its dataflow fails, and no other; at twice the limit the cluster, and everybody else has control back. */
    @Test
    void shouldFailTheDataflowOfTheStepAndLaterTheCluster() throws Exception {
        final Queue<Cause> causes = new ConcurrentLinkedQueue<>();
        final Queue<String> neighbours = new ConcurrentLinkedQueue<>();
        final CountDownLatch neighbourIsDone = new CountDownLatch(1);
        try (Loopback<Void> cluster = Loopback.start(2, 2, limited(LIMIT), worker -> {
            final Dataflow bad = worker.dataflow(1);
            final Dataflow good = worker.dataflow(2);
            if (worker.index() == 0) {
                good.close();
                bad.run(() -> sleepOnALock());
                return null;
            }
            while (bad.run(() -> {})) {
                worker.park(Duration.ofMillis(5));
            }
            good.run(() -> neighbours.add("worker " + worker.index() + " goes on"));
            good.close();
            assertThat(good.awaitOutcome(Duration.ofSeconds(20)).orElseThrow())
                    .isInstanceOf(ScopeOutcome.Completed.class);
            neighbourIsDone.countDown();
            while (true) {
                worker.park(Duration.ofMillis(5));
            }
        })) {
            neighbourIsDone.await();
            assertThat(neighbours).isNotEmpty();
            final Outcomes<Void> far = cluster.process(1).join();
            causes.add(far.cause());
            assertThat(cluster.process(0).join(Duration.ofMillis(1)))
                    .as("it waits for the worker, whose code nobody can stop")
                    .isEmpty();
            assertThat(cluster.process(0).stalls())
                    .extracting(WorkerStall::worker)
                    .containsExactly(0);
            lock.countDown();
            causes.add(cluster.process(0).join().cause());
        }
        assertThat(causes).hasSize(2).allSatisfy(cause -> {
            assertThat(cause.kind()).isEqualTo(CauseKind.WORKER_STALLED);
            assertThat(cause.subjectProcess()).isZero();
            assertThat(cause.subjectWorker()).isZero();
            assertThat(cause.elapsedNs()).isGreaterThanOrEqualTo(2 * LIMIT.toNanos());
            assertThat(cause.seen()).contains("stallLimit=2000 ms", "StallTest.sleepOnALock");
        });
    }

    /** L2, L12: all members learn the same cause, and the cluster lives on; the worker comes out of it once it calls. */
    @Test
    void shouldLiveOnWhenTheWorkerGoesOnBeforeTwiceTheLimit() throws Exception {
        final Queue<Cause> causes = new ConcurrentLinkedQueue<>();
        try (Loopback<Boolean> cluster = Loopback.start(2, 1, limited(LIMIT), worker -> {
            final Dataflow outer = worker.dataflow(1);
            final Dataflow inner = worker.dataflow(2);
            if (worker.index() == 0) {
                outer.run(() -> {
                    inner.run(worker::flush);
                    sleepOnALock(); // in the outer one again
                });
                causes.add(causeOf(outer));
                return inner.run(() -> {});
            }
            causes.add(causeOf(outer));
            lock.countDown();
            return inner.run(() -> {});
        })) {
            assertThat(cluster.values()).as("the inner one is well").containsExactly(true, true);
        }
        assertThat(causes).hasSize(2).allSatisfy(cause -> {
            assertThat(cause.kind()).isEqualTo(CauseKind.WORKER_STALLED);
            assertThat(cause.subjectWorker()).isZero();
            assertThat(cause.seen()).contains("stallLimit=2000 ms");
        });
    }

    /** In no dataflow: it is the cluster that fails, at the limit. */
    @Test
    void shouldFailTheClusterWhenTheWorkerIsInNoDataflow() throws Exception {
        try (Loopback<Void> cluster = Loopback.start(2, 1, limited(TIMEOUT), worker -> {
            if (worker.index() == 0) {
                worker.dataflow(1).run(worker::flush); // it has been in one
                sleepOnALock();
                return null;
            }
            while (true) {
                worker.park(Duration.ofMillis(5));
            }
        })) {
            final Outcomes<Void> far = cluster.process(1).join();
            assertThat(far.cause().kind()).isEqualTo(CauseKind.WORKER_STALLED);
            assertThat(far.perWorker()).allMatch(Outcome.Failed.class::isInstance);
            lock.countDown();
            assertThat(cluster.process(0).join().cause().sameEvent(far.cause())).isTrue();
        }
    }

    /** A notice handler is the user's code, too, though a call into the library shows it. */
    @Test
    void shouldSeeAWorkerThatSleepsInAHandler() throws Exception {
        try (Loopback<Void> cluster = Loopback.start(2, 1, StallTest::settings, worker -> {
            if (worker.index() == 0) {
                worker.onNotice(notice -> {
                    try {
                        sleepOnALock();
                    } catch (final InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
                worker.awaitNotice(Duration.ofSeconds(20));
            }
            awaitEnd(worker);
            return null;
        })) {
            Jvm.await(
                    "the notice is taken",
                    () -> cluster.process(1).notify(0, Notice.NO_CHANNEL, 1, new UnsafeBuffer(new byte[1]), 0, 1)
                            != PushResult.REFUSED);
            awaitStalled(cluster, 0, true);
            lock.countDown();
            awaitStalled(cluster, 0, false);
            end.countDown();
            assertThat(cluster.join()).allMatch(Outcomes::isClean);
        }
    }
}
