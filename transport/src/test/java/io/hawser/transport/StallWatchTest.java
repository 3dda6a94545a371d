package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseBuilder;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Health;
import io.hawser.fate.HealthOwner;
import io.hawser.framing.WaitState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Law L3, case 70: what the watch does about workers that stand still, in virtual time. */
@Timeout(30)
class StallWatchTest {
    private static final long S = 1_000_000_000;
    private static final long TICK_NS = S / 4;
    private static final int FIRST = 2;

    private final HealthOwner owner = HealthOwner.root("test", Thread::new);
    private final List<WaitNews> announced = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final FakeWorker[] workers = {new FakeWorker(), new FakeWorker()};
    private boolean isScopeOver;
    private StallWatch watch;
    private long nowNs = Long.MAX_VALUE - 3 * S;

    /** A worker of which a test says what is seen. */
    private static final class FakeWorker implements WorkerView {
        private volatile long progress = 5;
        private volatile long phase = 1;
        private volatile long scopeId;
        private volatile CountDownLatch stackLatch = new CountDownLatch(0);

        @Override
        public long progress() {
            return progress;
        }

        @Override
        public long phase() {
            return phase;
        }

        @Override
        public long scopeId() {
            return scopeId;
        }

        @Override
        public StackTraceElement[] stack() {
            try {
                stackLatch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new StackTraceElement[] {new StackTraceElement("org.example.Job", "run", "Job.java", 7)};
        }
    }

    private final class FakeHost implements StallWatch.Host {
        @Override
        public void announce(WaitNews stall) {
            announced.add(stall);
        }

        @Override
        public CauseBuilder causeHere(CauseKind kind) {
            return Cause.builder(kind)
                    .subjectProcess(1)
                    .observerProcess(1)
                    .observedAtEpochMs(1)
                    .generation(7);
        }

        @Override
        public Health health() {
            return owner.health();
        }

        @Override
        public boolean failScope(long scopeId, Cause cause) {
            failed.add(scopeId + ": " + cause.describe());
            return !isScopeOver;
        }

        @Override
        public long generation() {
            return 7;
        }

        @Override
        public void wakeWatch() {
            // a test ticks as it likes
        }
    }

    private void start(UnaryOperator<ClusterConfigBuilder> settings) {
        ClusterConfig config = settings.apply(ClusterConfig.builder()
                        .clusterId("ropes")
                        .addresses(List.of(new Endpoint("127.0.0.1", 7_000), new Endpoint("127.0.0.1", 7_001)))
                        .processIndex(1)
                        .workersPerProcess(2)
                        .stallTimeout(Duration.ofSeconds(10)))
                .build();
        watch = new StallWatch(config, new FakeHost(), TICK_NS);
        watch.open(FIRST, workers[0]);
        watch.open(FIRST + 1, workers[1]);
        tick(1);
        for (FakeWorker worker : workers) {
            worker.phase = 2;
        }
        tick(1);
    }

    private void tick(int count) {
        for (int i = 0; i < count; i++) {
            nowNs += TICK_NS;
            watch.tick(nowNs);
            awaitStacks();
        }
    }

    /** The thread that takes stacks does so between two ticks, unless the worker does not let it. */
    private void awaitStacks() {
        while (workers[0].stackLatch.getCount() == 0 && workers[1].stackLatch.getCount() == 0 && isTakingStacks()) {
            Thread.onSpinWait();
        }
    }

    private static boolean isTakingStacks() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("hawser-ropes-p1-g7-stall"));
    }

    private void tickSeconds(int seconds) {
        tick((int) (seconds * S / TICK_NS));
    }

    private List<WorkerStall> stalls() {
        List<WorkerStall> stalls = new ArrayList<>();
        watch.addTo(stalls, nowNs);
        return stalls;
    }

    @AfterEach
    void shouldLeaveNoThread() {
        workers[0].stackLatch.countDown();
        workers[1].stackLatch.countDown();
        awaitStacks();
    }

    @Test
    void shouldTellOnceWithTheStackThenThatItIsOver() {
        start(builder -> builder);
        for (int i = 0; i < 80; i++) {
            workers[1].progress++;
            tick(1);
        }
        assertThat(announced).hasSize(1);
        WaitNews told = announced.get(0);
        assertThat(told).isEqualTo(WaitNews.stalled(FIRST, 0, 10 * S + TICK_NS, "org.example.Job.run(Job.java:7)"));
        assertThat(stalls()).hasSize(1);
        assertThat(stalls().get(0).lasted()).isEqualTo(Duration.ofSeconds(20));
        assertThat(stalls().get(0).describe())
                .contains("worker 2 of process 1", "20000 ms", "org.example.Job.run(Job.java:7)", "worker.alive()")
                .contains("hawser-ropes-p1-g7-worker-2");
        workers[0].progress++;
        assertThat(stalls())
                .as("it has moved, whether the watch has seen it or not")
                .isEmpty();
        tick(1);
        assertThat(announced).hasSize(2);
        assertThat(announced.get(1).state()).isEqualTo(WaitState.OVER);
        assertThat(announced.get(1).isOfStall()).isTrue();
        assertThat(announced.get(1).number()).isEqualTo(told.number());
        assertThat(owner.health().isLost()).as("without a limit nothing fails").isFalse();
    }

    @Test
    void shouldTellTheEndWhenTheWorkerEndsAndCountTheNextStall() {
        start(builder -> builder);
        tickSeconds(11);
        workers[0].phase = -1;
        workers[1].phase = 3;
        tick(1);
        workers[1].phase = 4;
        tickSeconds(11);
        assertThat(announced)
                .extracting(WaitNews::waiter, WaitNews::state, WaitNews::number)
                .containsExactly(
                        tuple(FIRST, WaitState.STALLED, 0L),
                        tuple(FIRST + 1, WaitState.STALLED, 0L),
                        tuple(FIRST, WaitState.OVER, 0L),
                        tuple(FIRST + 1, WaitState.OVER, 0L),
                        tuple(FIRST + 1, WaitState.STALLED, 1L));
    }

    /** A loop without a safepoint, a page that the disk does not bring: the thread that asks for the stack hangs with it, the watch does not. */
    @Test
    void shouldTellWithoutAStackWhenItCannotBeTaken() {
        workers[0].stackLatch = new CountDownLatch(1);
        start(builder -> builder);
        tickSeconds(12);
        assertThat(announced).hasSize(2).allMatch(told -> told.stack().isEmpty());
        assertThat(stalls().get(0).describe()).contains("its stack could not be taken");
        workers[1].progress++;
        tickSeconds(12);
        assertThat(announced).as("one thread at a time, and that hangs").hasSize(4);
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().endsWith("-stall"))
                        .count())
                .isOne();
    }

    @Test
    void shouldTellWithoutAStackWhenThereIsNoThread() {
        start(builder -> builder.threadFactory(body -> null));
        tickSeconds(12);
        assertThat(announced).hasSize(2).allMatch(told -> told.stack().isEmpty());
    }

    @Test
    void shouldFailTheDataflowAtTheLimitAndAllAtTwiceThat() {
        start(builder -> builder.stallLimit(Duration.ofSeconds(20)));
        workers[1].phase = 3;
        workers[0].scopeId = 17;
        tickSeconds(20);
        assertThat(failed).hasSize(1);
        assertThat(failed.get(0))
                .startsWith("17: ")
                .contains("worker " + FIRST, "20000 ms", "stallLimit=20000 ms", "org.example.Job.run(Job.java:7)")
                .doesNotContain("\n");
        assertThat(owner.health().isLost()).isFalse();
        tickSeconds(20);
        assertThat(failed).hasSize(1);
        Cause cause = owner.health().rootCause();
        assertThat(cause.kind()).isEqualTo(CauseKind.WORKER_STALLED);
        assertThat(cause.subjectWorker()).isEqualTo(FIRST);
        assertThat(cause.elapsedNs()).isEqualTo(40 * S);
        assertThat(cause.seen()).contains("twice as long as stallLimit=20000 ms");
        assertThat(stalls()).as("it still stands there").hasSize(1);
    }

    @Test
    void shouldFailAllAtTheLimitWhenTheWorkerIsInNoDataflow() {
        start(builder -> builder.stallLimit(Duration.ofSeconds(20)));
        tickSeconds(19);
        assertThat(owner.health().isLost()).isFalse();
        tickSeconds(1);
        assertThat(failed).isEmpty();
        assertThat(owner.health().rootCause().subjectWorker()).isEqualTo(FIRST);
    }

    /** Cancelled meanwhile, and the worker does not come out of it: there is nothing left to fail but the cluster. */
    @Test
    void shouldGiveAWorkerInAStoppedDataflowAsLongAgain() {
        isScopeOver = true;
        start(builder -> builder.stallLimit(Duration.ofSeconds(20)));
        workers[1].phase = 3;
        workers[0].scopeId = 17;
        tickSeconds(39);
        assertThat(owner.health().isLost()).isFalse();
        tickSeconds(1);
        assertThat(owner.health().isLost()).isTrue();
    }
}
