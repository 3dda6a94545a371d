package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.Outcome;
import io.hawser.transport.ClusterConfigBuilder;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several processes over loopback, one of which fails. L2, L3, L4. */
class MeshPanicTest {
    private static final String TEXT = "out of ideas";

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("no thread is left", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** What all others do when one worker throws. */
    enum Occupation {
        PARKED {
            @Override
            void work(final Worker worker, final RawChannel channel) {
                worker.park();
            }
        },
        PULLING {
            @Override
            void work(final Worker worker, final RawChannel channel) {
                channel.puller().poll((buffer, offset, length, source) -> {}, 1);
            }
        },
        PUSHING {
            @Override
            void work(final Worker worker, final RawChannel channel) {
                channel.broadcaster().claim(100);
                channel.broadcaster().commit();
                channel.puller().poll((buffer, offset, length, source) -> {}, Integer.MAX_VALUE);
            }
        };

        abstract void work(Worker worker, RawChannel channel);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReachEveryWorkerWhenOnePanics(final Occupation occupation) throws Exception {
        final CountDownLatch allRun = new CountDownLatch(6);
        try (Loopback<Object> cluster = Loopback.start(3, 2, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            allRun.countDown();
            allRun.await();
            if (worker.index() == 3) {
                throw new IllegalStateException(TEXT);
            }
            while (true) {
                occupation.work(worker, channel);
            }
        })) {
            assertSameRoot(cluster.join(), 1, 3);
        }
    }

    /** However deep the worker stands when it flushes: the frame is sent whole or not at all, the half is let go, and the cause is the worker's. */
    @RepeatedTest(5)
    void shouldTellThePanicWhenTheStackEndsInsideAFlush() throws Exception {
        try (Loopback<Object> cluster = Loopback.start(2, 2, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            if (worker.index() == 3) {
                recurse(worker, channel.pusher(0), 0);
            }
            while (true) {
                worker.park();
                channel.puller().poll((buffer, offset, length, source) -> {}, Integer.MAX_VALUE);
            }
        })) {
            final List<Outcomes<Object>> outcomes = cluster.join();
            assertThat(outcomes).allSatisfy(outcome -> {
                assertThat(outcome.cause().kind()).isEqualTo(CauseKind.WORKER_PANICKED);
                assertThat(outcome.cause().subjectWorker()).isEqualTo(3);
                assertThat(outcome.cause().seen()).contains("StackOverflowError");
            });
        }
    }

    @SuppressWarnings("InfiniteRecursion") // that is the point
    private static void recurse(final Worker worker, final RawPusher pusher, final long depth) {
        final int offset = pusher.claim(Long.BYTES);
        pusher.buffer().putLong(offset, depth);
        pusher.commit();
        worker.flush();
        recurse(worker, pusher, depth + 1);
    }

    /** A worker that waits for room in its ring comes out, too. */
    @Test
    void shouldReachWorkerWhenItIsBlockedInFullRing() throws Exception {
        final AtomicReference<Thread> pushing = new AtomicReference<>();
        final CountDownLatch isEnough = new CountDownLatch(1);
        try (Loopback<Object> cluster = Loopback.start(2, 2, MeshPanicTest::tight, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            if (worker.index() == 0) {
                pushing.set(Thread.currentThread());
                while (true) {
                    channel.pusher(2).push(new byte[900]);
                }
            }
            if (worker.index() == 1) {
                Jvm.await("worker 0 pushes", () -> pushing.get() != null);
                Jvm.awaitParked(pushing.get());
                throw new IllegalStateException(TEXT);
            }
            isEnough.await(); // pulls nothing; the inbox takes it all
            return null;
        })) {
            Jvm.await("health is lost", () -> cluster.process(1).health().isLost());
            isEnough.countDown();
            assertThat(cluster.join())
                    .extracting(o -> o.cause().seen())
                    .containsOnly("java.lang.IllegalStateException: " + TEXT);
        }
    }

    @Test
    void shouldTellAllWhenOneProcessIsClosed() throws Exception {
        try (Loopback<Object> cluster = Loopback.start(3, 1, worker -> {
            worker.park();
            return null;
        })) {
            cluster.process(1).close();

            for (final Outcomes<Object> outcomes : cluster.join()) {
                assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
                assertThat(outcomes.cause().subjectProcess()).isEqualTo(1);
                assertThat(outcomes.perWorker()).allMatch(Outcome::isFailed);
            }
        }
    }

    /** Case 68, across processes: what the others throw on their way out never becomes the cause. */
    @Test
    void shouldKeepFirstCauseWhenOthersThrowOnTheirWayOut() throws Exception {
        final CountDownLatch allRun = new CountDownLatch(3);
        try (Loopback<Object> cluster = Loopback.start(3, 1, worker -> {
            allRun.countDown();
            allRun.await();
            if (worker.index() == 2) {
                throw new IllegalStateException(TEXT);
            }
            try {
                worker.park();
            } catch (final HealthLostException lost) {
                throw new IllegalArgumentException("on my way out");
            }
            return null;
        })) {
            final List<Outcomes<Object>> all = cluster.join();

            for (final Outcomes<Object> outcomes : all) {
                assertThat(outcomes.cause().subjectWorker()).isEqualTo(2);
                assertThat(outcomes.cause().seen()).isEqualTo("java.lang.IllegalStateException: " + TEXT);
            }
            assertThat(all.get(0).perWorker().get(0).isPanicked()).isTrue();
            assertThat(all.get(0).secondaryCauses())
                    .extracting(Cause::seen)
                    .anyMatch(seen -> seen.contains("on my way"));
        }
    }

    /** A process whose workers have all completed still learns that the cluster did not end cleanly. */
    @Test
    void shouldTellCompletedProcessWhenAnotherPanicsLater() throws Exception {
        final CountDownLatch isDone = new CountDownLatch(1);
        try (Loopback<Object> cluster = Loopback.start(2, 1, worker -> {
            if (worker.index() == 0) {
                isDone.countDown();
                return "done";
            }
            isDone.await();
            throw new IllegalStateException(TEXT);
        })) {
            final List<Outcomes<Object>> all = cluster.join();

            assertThat(all.get(0).perWorker()).containsExactly(new Outcome.Completed<>("done"));
            assertThat(all).extracting(o -> o.cause().subjectWorker()).containsOnly(1);
        }
    }

    /** L4: the same process forms again and again, and nothing grows. */
    @Test
    void shouldFormAgainWhenClusterWasLost() throws Exception {
        for (int round = 0; round < 10; round++) {
            final int guilty = round % 4;
            try (Loopback<Object> cluster = Loopback.start(2, 2, worker -> {
                worker.allocateRaw(0).broadcaster().claim(8);
                if (worker.index() == guilty) {
                    throw new IllegalStateException(TEXT);
                }
                worker.allocateRaw(1);
                while (true) {
                    worker.health().check();
                }
            })) {
                assertSameRoot(cluster.join(), guilty / 2, guilty);
            }
            shouldLeaveNoThread();
        }
    }

    private static void assertSameRoot(final List<Outcomes<Object>> all, final int process, final int guilty) {
        for (final Outcomes<Object> outcomes : all) {
            final Cause cause = outcomes.cause();
            assertThat(cause.kind()).isEqualTo(CauseKind.WORKER_PANICKED);
            assertThat(cause.subjectProcess()).isEqualTo(process);
            assertThat(cause.subjectWorker()).isEqualTo(guilty);
            assertThat(cause.seen()).isEqualTo("java.lang.IllegalStateException: " + TEXT);
            assertThat(outcomes.perWorker())
                    .filteredOn(Outcome::isFailed)
                    .allMatch(o -> ((Outcome.Failed<Object>) o).cause() == cause);
        }
        final int local = guilty % all.get(process).perWorker().size();
        assertThat(all.get(process).perWorker().get(local).isPanicked()).isTrue();
        final long failed = all.stream()
                .flatMap(o -> o.perWorker().stream())
                .filter(Outcome::isFailed)
                .count();
        assertThat(failed).isEqualTo(all.size() * (long) all.get(0).perWorker().size() - 1);
    }

    private static ClusterConfigBuilder tight(final ClusterConfigBuilder builder) {
        return builder.frameLimit(1_024).sendRingLength(2_048).slabLength(64 * 1_024);
    }
}
