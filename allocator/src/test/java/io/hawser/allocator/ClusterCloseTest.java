package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.CauseKind;
import io.hawser.transport.ClusterConfig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** L4, cases 92 and 99: whoever closes or joins, whenever, comes back. */
class ClusterCloseTest {
    private static final WorkerFunction<Object> SLEEPER = worker -> {
        final Channel<Long> unused = worker.allocate(0, Codecs.int64());
        while (true) {
            worker.park(Duration.ofDays(1));
            unused.puller().pull();
        }
    };

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("no thread is left", () -> Jvm.threads("hawser-").isEmpty());
    }

    @Test
    void shouldAbortWhenClosedWhileWorkersRun() throws Exception {
        final Cluster<Object> cluster = start(SLEEPER);

        cluster.close();
        cluster.close();

        final Outcomes<Object> outcomes = cluster.join();
        assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
        assertThat(outcomes.perWorker()).allMatch(outcome -> outcome.isFailed());
        assertThat(cluster.liveBytes()).isZero();
    }

    @Test
    void shouldTellReasonWhenAborted() throws Exception {
        final Cluster<Object> cluster = start(SLEEPER);

        cluster.abort("the answer is known");
        cluster.abort("never mind");

        final Outcomes<Object> outcomes = cluster.join();
        assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
        assertThat(outcomes.cause().seen()).isEqualTo("the answer is known");
        assertThat(cluster.join()).isSameAs(outcomes);
        cluster.close();
        assertThat(cluster.join(Duration.ZERO)).containsSame(outcomes);
    }

    @Test
    void shouldChangeNothingWhenClosedOrAbortedAfterTheEnd() throws Exception {
        final Cluster<Object> cluster = start(worker -> "done");
        final Outcomes<Object> outcomes = cluster.join();

        cluster.abort("too late");
        cluster.close();

        assertThat(cluster.join()).isSameAs(outcomes);
        assertThat(outcomes.isClean()).isTrue();
        assertThat(cluster.health().firstCause()).isNull();
    }

    @Test
    void shouldEndCleanlyWhenClosedAfterTheWorkersHaveReturned() throws Exception {
        final Cluster<Object> cluster = start(worker -> "done");
        Jvm.await("the workers end", () -> Jvm.threads("hawser-").isEmpty());

        cluster.close();

        assertThat(cluster.join().isClean()).isTrue();
    }

    @Test
    void shouldReturnWhenWorkerClosesItsOwnCluster() throws Exception {
        final CompletableFuture<Cluster<Object>> self = new CompletableFuture<>();
        final Cluster<Object> cluster = start(worker -> {
            if (worker.index() == 0) {
                self.get().close();
                assertThatThrownBy(() -> self.get().join())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("callingThread=hawser-");
                return "closed it";
            }
            return SLEEPER.apply(worker);
        });
        self.complete(cluster);

        final Outcomes<Object> outcomes = cluster.join();

        assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
        assertThat(outcomes.perWorker().get(0).valueOrThrow()).isEqualTo("closed it");
        assertThat(outcomes.perWorker().get(1).isFailed()).isTrue();
    }

    /** Case 125. */
    @Test
    void shouldReturnWhenListenerCloses() throws Exception {
        final Cluster<Object> cluster = start(SLEEPER);
        final CountDownLatch closed = new CountDownLatch(1);
        cluster.health().onLost("thrower", cause -> {
            throw new IllegalStateException("not my problem");
        });
        cluster.health().onLost("closer", cause -> {
            cluster.close();
            closed.countDown();
        });

        cluster.abort("enough");

        assertThat(cluster.join().cause().seen()).isEqualTo("enough");
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    /** Case 99. */
    @Test
    void shouldReturnEverywhereWhenManyCloseAndJoinAtOnce() throws Exception {
        for (int round = 0; round < 50; round++) {
            final Cluster<Object> cluster = start(SLEEPER);
            final Thread[] callers = new Thread[4];
            final CountDownLatch returned = new CountDownLatch(callers.length);
            for (int i = 0; i < callers.length; i++) {
                final boolean isJoining = i % 2 == 0;
                callers[i] = new Thread(() -> {
                    closeOrJoin(cluster, isJoining);
                    returned.countDown();
                });
                callers[i].start();
            }
            assertThat(returned.await(10, TimeUnit.SECONDS))
                    .as("round=%d", round)
                    .isTrue();
            assertThat(cluster.liveBytes()).isZero();
        }
    }

    @Test
    void shouldComeBackEmptyHandedWhenJoinTimesOut() throws Exception {
        try (Cluster<Object> cluster = start(SLEEPER)) {
            assertThat(cluster.join(Duration.ofMillis(1))).isEmpty();
            assertThat(cluster.join(Duration.ZERO)).isEmpty();
            assertThat(cluster.join(Duration.ofSeconds(-1))).isEmpty();
        }
    }

    @Test
    void shouldLeaveClusterAloneWhenJoinIsInterrupted() throws Exception {
        try (Cluster<Object> cluster = start(SLEEPER)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(cluster::join).isInstanceOf(InterruptedException.class);
            assertThat(cluster.health().isLost()).isFalse();
        }
    }

    @Test
    void shouldKeepInterruptWhenCloseIsInterrupted() throws Exception {
        final Cluster<Object> cluster = start(SLEEPER);
        Thread.currentThread().interrupt();

        cluster.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(cluster.join().cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
    }

    /** A worker that never comes back to the library is left behind; close does not wait for ever. */
    @Test
    void shouldReturnWhenWorkerDoesNot() throws Exception {
        final CountDownLatch release = new CountDownLatch(1);
        final Cluster<Object> cluster = start(worker -> {
            release.await();
            return "at last";
        });

        cluster.close();
        assertThat(cluster.join(Duration.ofMillis(1))).isEmpty();
        release.countDown();

        final Outcomes<Object> outcomes = cluster.join();
        assertThat(outcomes.perWorker().get(0).valueOrThrow()).isEqualTo("at last");
        assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
    }

    @Test
    void shouldPanicWhenThreadCannotStart() throws Exception {
        final OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        final ClusterConfig config = ClusterConfig.local(2).toBuilder()
                .threadFactory(body ->
                        body instanceof WorkerGuard && Jvm.threads("hawser-").isEmpty()
                                ? new Thread(body) {
                                    @Override
                                    public void start() {
                                        throw noThread;
                                    }
                                }
                                : new Thread(body))
                .build();

        final Outcomes<Object> outcomes = Cluster.execute(config, SLEEPER).join();

        assertThat(outcomes.cause().throwable()).isSameAs(noThread);
        assertThat(outcomes.perWorker()).allMatch(outcome -> outcome.isPanicked());
    }

    /** L4: what fails before the first worker starts leaves nothing either. */
    @Test
    void shouldLeaveNothingWhenWorkersCannotBePrepared() {
        final ClusterConfig config =
                ClusterConfig.local(2).toBuilder().threadFactory(body -> null).build();

        assertThatThrownBy(() -> Cluster.execute(config, SLEEPER))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("the thread factory made no thread");
    }

    @Test
    void shouldRefuseProcessWhenThereIsNone() throws Exception {
        try (Cluster<Object> cluster = start(SLEEPER)) {
            assertThatThrownBy(() -> cluster.stats(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("process=0 processIndex=0 processCount=1");
            assertThatThrownBy(() -> cluster.stats(1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void closeOrJoin(final Cluster<?> cluster, final boolean isJoining) {
        try {
            if (isJoining) {
                cluster.join();
            } else {
                cluster.close();
            }
        } catch (final InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Cluster<Object> start(final WorkerFunction<Object> function) throws Exception {
        return Cluster.execute(ClusterConfig.local(2), function);
    }
}
