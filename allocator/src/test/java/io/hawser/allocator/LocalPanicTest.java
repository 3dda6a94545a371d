package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.Outcome;
import io.hawser.transport.ClusterConfig;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One process whose worker 0 throws. L2: that is the cause. L3: whatever worker 1 does, it comes out. L4: nothing is left. */
class LocalPanicTest {
    private static final String TEXT = "out of ideas";

    @AfterEach
    void shouldLeaveNoThread() {
        assertThat(Jvm.threads("hawser-")).isEmpty();
    }

    /** What worker 1 does when worker 0 throws. */
    enum Occupation {
        PARKED {
            @Override
            void work(final Worker worker, final RawChannel channel) {
                worker.park();
            }
        },
        PARKED_FOR_A_TIME {
            @Override
            void work(final Worker worker, final RawChannel channel) {
                worker.park(java.time.Duration.ofDays(1));
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
                channel.pusher(1).claim(8);
                channel.pusher(1).commit();
                channel.puller().poll((buffer, offset, length, source) -> {}, 1);
            }
        },
        FLUSHING {
            @Override
            void work(final Worker worker, final RawChannel channel) {
                channel.flush();
            }
        };

        abstract void work(Worker worker, RawChannel channel);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReachSiblingWhenWorkerPanics(final Occupation occupation) throws Exception {
        final AtomicReference<Thread> sibling = new AtomicReference<>();
        final Outcomes<String> outcomes = run(2, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            if (worker.index() == 0) {
                Jvm.await("the sibling starts", () -> sibling.get() != null);
                if (occupation.name().startsWith("PARKED")) {
                    Jvm.awaitParked(sibling.get());
                }
                throw new IllegalStateException(TEXT);
            }
            sibling.set(Thread.currentThread());
            while (true) {
                occupation.work(worker, channel);
            }
        });

        assertPanicOfWorker0(outcomes);
        assertThat(outcomes.perWorker().get(1)).isEqualTo(new Outcome.Failed<>(outcomes.cause()));
    }

    static Stream<Throwable> throwables() {
        return Stream.of(
                new IllegalStateException(TEXT),
                new InterruptedException(),
                new ThreadDeath(),
                new OutOfMemoryError("Java heap space"),
                new OutOfMemoryError("other"),
                new StackOverflowError(),
                new InternalError(),
                new LinkageError(),
                new Exception((String) null),
                new Hostile());
    }

    /** Cases 65 and 66. */
    @ParameterizedTest
    @MethodSource("throwables")
    void shouldPanicWhateverIsThrown(final Throwable thrown) throws Exception {
        final Outcomes<Object> outcomes = run(2, worker -> {
            if (worker.index() == 0) {
                throw sneaky(thrown);
            }
            worker.park();
            return null;
        });

        assertThat(outcomes.perWorker().get(0)).isEqualTo(new Outcome.Panicked<>(thrown));
        assertThat(outcomes.perWorker().get(1).isFailed()).isTrue();
        assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.WORKER_PANICKED);
        assertThat(outcomes.cause().throwable()).isSameAs(thrown);
        assertThat(outcomes.cause().seen()).startsWith(thrown.getClass().getName());
    }

    @Test
    void shouldPanicWhenStackReallyOverflows() throws Exception {
        final Outcomes<Object> outcomes = run(2, worker -> {
            if (worker.index() == 0) {
                return endless(0);
            }
            worker.park();
            return null;
        });

        assertThat(outcomes.cause().throwable()).isInstanceOf(StackOverflowError.class);
        assertThat(outcomes.cause().seen()).isEqualTo("java.lang.StackOverflowError");
    }

    @Test
    void shouldTellWhoAndWhyWhenValuesAreAskedFor() throws Exception {
        final Outcomes<Object> outcomes = run(1, worker -> {
            throw new IllegalStateException(TEXT);
        });

        assertThatThrownBy(outcomes::values)
                .isInstanceOf(ClusterFailedException.class)
                .hasMessage(outcomes.cause().describe())
                .hasMessageContaining("java.lang.IllegalStateException: " + TEXT)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(outcomes.isClean()).isFalse();
        assertThat(outcomes.toString()).contains(TEXT);
    }

    /** Case 66: a worker that swallows the failure has still completed; the cluster is lost all the same. */
    @Test
    void shouldCompleteWhenWorkerSwallowsTheLoss() throws Exception {
        final Outcomes<String> outcomes = run(2, worker -> {
            if (worker.index() == 0) {
                throw new IllegalStateException(TEXT);
            }
            try {
                worker.park();
            } catch (final HealthLostException swallowed) {
                assertThatThrownBy(worker::flush).isInstanceOf(HealthLostException.class);
            }
            return "done";
        });

        assertPanicOfWorker0(outcomes);
        assertThat(outcomes.perWorker().get(1)).isEqualTo(new Outcome.Completed<>("done"));
    }

    /** Case 68. */
    @Test
    void shouldKeepFirstCauseWhenOthersThrowOnTheirWayOut() throws Exception {
        final RuntimeException second = new RuntimeException("in finally");
        final Outcomes<Object> outcomes = run(3, worker -> {
            if (worker.index() == 0) {
                throw new IllegalStateException(TEXT);
            }
            try {
                worker.park();
            } catch (final HealthLostException lost) {
                throw worker.index() == 1 ? second : new Exception("wrapped", lost);
            }
            return null;
        });

        assertPanicOfWorker0(outcomes);
        assertThat(outcomes.perWorker().get(1)).isEqualTo(new Outcome.Panicked<>(second));
        assertThat(outcomes.perWorker().get(2)).isEqualTo(new Outcome.Failed<>(outcomes.cause()));
        assertThat(outcomes.secondaryCauses()).extracting(Cause::throwable).containsExactly(second);
        assertThatThrownBy(outcomes::values).hasSuppressedException(second);
    }

    /** The failure of another cluster, met in this one's worker, is a panic of this one. */
    @Test
    void shouldPanicWhenTheLossIsThatOfAnotherCluster() throws Exception {
        final Outcomes<Object> outcomes = run(1, worker -> {
            try (Cluster<Object> inner =
                    Cluster.execute(ClusterConfig.builder().clusterId("inner").build(), innerWorker -> {
                        throw new IllegalStateException(TEXT);
                    })) {
                return inner.join().perWorker().get(0).isPanicked() ? throwLoss(inner) : null;
            }
        });

        assertThat(outcomes.perWorker().get(0).isPanicked()).isTrue();
        assertThat(outcomes.cause().seen()).startsWith(HealthLostException.class.getName());
    }

    /** Case 71, with the whole way from a throwing worker to a parked one. */
    @Test
    void shouldLoseNoWakeUpWhenPanicRacesWithParking() throws Exception {
        for (int round = 0; round < 300; round++) {
            final int delay = round;
            final CountDownLatch bothRun = new CountDownLatch(2);
            final Outcomes<Object> outcomes = run(2, worker -> {
                bothRun.countDown();
                bothRun.await();
                if (worker.index() == 0) {
                    for (int i = 0; i < delay; i++) {
                        Thread.onSpinWait();
                    }
                    throw new Hostile();
                }
                worker.park();
                return null;
            });
            assertThat(outcomes.perWorker().get(1).isFailed())
                    .as("round=%d", round)
                    .isTrue();
        }
    }

    private static Object throwLoss(final Cluster<?> cluster) {
        cluster.health().check();
        return null;
    }

    private static void assertPanicOfWorker0(final Outcomes<?> outcomes) {
        final Cause cause = outcomes.cause();
        assertThat(cause.kind()).isEqualTo(CauseKind.WORKER_PANICKED);
        assertThat(cause.subjectWorker()).isZero();
        assertThat(cause.subjectPid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(cause.seen()).isEqualTo("java.lang.IllegalStateException: " + TEXT);
        assertThat(outcomes.perWorker().get(0).isPanicked()).isTrue();
    }

    private static <R> Outcomes<R> run(final int workers, final WorkerFunction<R> function) throws Exception {
        try (Cluster<R> cluster = Cluster.execute(ClusterConfig.local(workers), function)) {
            final Outcomes<R> outcomes = cluster.join();
            assertThat(cluster.liveBytes()).isZero();
            return outcomes;
        }
    }

    private static int endless(final int depth) {
        return endless(depth + 1) + 1;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(final Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** Bites whoever asks it anything. */
    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("mind your own business");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no comment");
        }
    }
}
