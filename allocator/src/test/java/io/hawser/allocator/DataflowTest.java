package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.CauseKind;
import io.hawser.fate.Escalation;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import io.hawser.transport.ScopeMembers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Dataflows: fates of their own under the cluster's (L10, L12). */
@Timeout(60)
class DataflowTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final long DEADLINE_S = 20;

    private static ScopeOutcome outcomeOf(final Dataflow dataflow) {
        return dataflow.awaitOutcome(DEADLINE).orElseThrow();
    }

    private static CancelAnswer answer(final java.util.concurrent.CompletionStage<CancelAnswer> stage)
            throws Exception {
        return stage.toCompletableFuture().get(DEADLINE_S, TimeUnit.SECONDS);
    }

    /** Each worker sends its index to each and adds up what comes. */
    private static long sum(final Worker worker, final Dataflow dataflow, final int channelId) {
        final Channel<Long> channel = dataflow.allocate(channelId, Codecs.int64());
        channel.broadcaster().push((long) worker.index());
        long sum = 0;
        for (int i = 0; i < worker.peers(); i++) {
            Long message = channel.puller().pull();
            while (message == null) {
                worker.park();
                message = channel.puller().pull();
            }
            sum += message;
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldComputeApartAndCompleteWhenAllClose(final Arrangement arrangement) throws Exception {
        final int workers = arrangement.workerCount();
        final List<Boolean> ends = arrangement.run(Arrangement::tight, worker -> {
            final Dataflow first = worker.dataflow(1);
            final Dataflow second = worker.dataflow(2);
            final long expected = (long) workers * (workers - 1) / 2;
            assertThat(sum(worker, second, 0)).isEqualTo(expected);
            assertThat(sum(worker, first, 0)).isEqualTo(expected);
            first.close();
            assertThat(outcomeOf(first)).isEqualTo(new ScopeOutcome.Completed());
            second.close();
            assertThat(outcomeOf(second)).isEqualTo(new ScopeOutcome.Completed());
            assertThat(first.isRunning()).isFalse();
            return true;
        });
        assertThat(ends).hasSize(workers).containsOnly(true);
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldCompleteWhatIsOpenWhenTheWorkerEnds(final Arrangement arrangement) throws Exception {
        final List<Dataflow> opened = new ArrayList<>();
        arrangement.run(Arrangement::tight, worker -> {
            final Dataflow dataflow = worker.dataflow(5);
            sum(worker, dataflow, 3);
            synchronized (opened) {
                opened.add(dataflow);
            }
            return true;
        });
        assertThat(opened)
                .allSatisfy(dataflow -> assertThat(dataflow.outcome()).contains(new ScopeOutcome.Completed()));
    }

    /** What one step throws fails that dataflow on every worker, with the same cause, and leaves the neighbour on the same links alone. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldFailEverywhereAndAloneWhenAStepThrows(final Arrangement arrangement) throws Exception {
        final int last = arrangement.workerCount() - 1;
        final List<Boolean> ends = arrangement.run(Arrangement::tight, worker -> {
            final Dataflow bad = worker.dataflow(1);
            final Dataflow good = worker.dataflow(2);
            if (worker.index() == last) {
                final boolean goesOn = bad.run(() -> {
                    throw new IllegalArgumentException("no such column");
                });
                assertThat(goesOn).isFalse();
            } else {
                final List<Channel<Long>> stuck = new ArrayList<>();
                bad.run(() -> stuck.add(bad.allocate(0, Codecs.int64()))); // it may have failed before that
                while (bad.run(() -> stuck.get(0).puller().pull())) {
                    worker.park();
                }
                for (final Channel<Long> channel : stuck) {
                    assertThatThrownBy(channel.puller()::pull)
                            .isInstanceOf(HealthLostException.class)
                            .hasMessageContaining("scope dataflow-1 of generation 1 stops");
                }
            }
            assertThatThrownBy(bad::check).isInstanceOf(HealthLostException.class);
            final ScopeOutcome outcome = outcomeOf(bad);
            assertThat(outcome).isInstanceOfSatisfying(ScopeOutcome.Failed.class, failed -> {
                assertThat(failed.cause().kind()).isEqualTo(CauseKind.WORKER_PANICKED);
                assertThat(failed.cause().subjectWorker()).isEqualTo(last);
                assertThat(failed.cause().seen()).contains("no such column");
            });
            sum(worker, good, 0);
            assertThat(worker.health().isLost()).isFalse();
            good.close();
            assertThat(outcomeOf(good).isCompleted()).isTrue();
            return true;
        });
        assertThat(ends).hasSize(last + 1).containsOnly(true);
    }

    @Test
    void shouldLoseTheClusterWhenTheFailureEscalates() throws Exception {
        final List<Dataflow> opened = new ArrayList<>();
        try (Loopback<Boolean> cluster = Arrangement.TWO_PROCESSES.start(Arrangement::tight, worker -> {
            final Dataflow dataflow = worker.dataflow(1, ScopeMembers.all(), Escalation.TO_PARENT);
            synchronized (opened) {
                opened.add(dataflow);
            }
            if (worker.index() == 0) {
                dataflow.fail(new IllegalStateException("it concerns all"));
            }
            while (true) {
                worker.park();
            }
        })) {
            for (final Outcomes<Boolean> outcomes : cluster.join()) {
                assertThat(outcomes.cause().seen()).contains("it concerns all");
            }
        }
        assertThat(opened)
                .allSatisfy(dataflow -> assertThat(dataflow.outcome().orElseThrow())
                        .isInstanceOfSatisfying(
                                ScopeOutcome.Failed.class,
                                failed -> assertThat(failed.cause().seen()).contains("it concerns all")));
    }

    /** Case 94, case 96: whoever waits for credit, or for messages, comes out; memory and credit come back; the neighbour goes on. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldComeOutOfEveryWaitWhenCancelled(final Arrangement arrangement) throws Exception {
        final int workers = arrangement.workerCount();
        final CountDownLatch stuck = new CountDownLatch(workers);
        try (Loopback<Boolean> cluster = arrangement.start(Arrangement::tight, worker -> {
            final Dataflow job = worker.dataflow(7);
            final Dataflow neighbour = worker.dataflow(8);
            final RawChannel full = job.allocateRaw(0);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[500]);
            stuck.countDown();
            final int next = (worker.index() + 1) % workers;
            final boolean isPusher = worker.index() % 2 == 0 && next != worker.index();
            assertThatThrownBy(() -> {
                        while (true) {
                            if (isPusher) {
                                full.pusher(next).push(message, 0, 500);
                            } else {
                                job.check();
                                job.awaitOutcome(Duration.ofMillis(1)); // nothing is pulled
                            }
                        }
                    })
                    .isInstanceOf(ScopeCancelledException.class)
                    .hasMessage("dataflow 7 was cancelled by process 0: enough");
            assertThat(outcomeOf(job)).isEqualTo(new ScopeOutcome.Cancelled(0, -1, "enough"));
            assertThat(worker.health().isLost()).isFalse();
            assertThat(job.health().isLost()).isFalse();
            sum(worker, neighbour, 0);
            neighbour.close();
            return outcomeOf(neighbour).isCompleted();
        })) {
            assertThat(stuck.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
            assertThat(answer(cluster.process(0).cancel(7, "enough"))).isEqualTo(CancelAnswer.CANCELLED);
            assertThat(cluster.values()).hasSize(workers).containsOnly(true);
        }
    }

    /** Case 96: before anybody has opened it, twice, after its end, of an id that nobody knows. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldAlwaysAnswerACancel(final Arrangement arrangement) throws Exception {
        final int workers = arrangement.workerCount();
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch over = new CountDownLatch(workers);
        try (Loopback<Boolean> cluster = arrangement.start(Arrangement::tight, worker -> {
            await(asked);
            final Dataflow early = worker.dataflow(1);
            assertThatThrownBy(() -> early.allocateRaw(0)).isInstanceOf(ScopeCancelledException.class);
            assertThat(outcomeOf(early).isCancelled()).isTrue();
            final Dataflow done = worker.dataflow(2);
            done.close();
            assertThat(outcomeOf(done).isCompleted()).isTrue();
            over.countDown();
            final Dataflow last = worker.dataflow(3);
            return outcomeOf(last).isCancelled();
        })) {
            final Cluster<Boolean> caller = cluster.process(cluster.processCount() - 1);
            assertThat(answer(caller.cancel(1, "before"))).isEqualTo(CancelAnswer.UNKNOWN);
            asked.countDown();
            assertThat(over.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
            assertThat(answer(caller.cancel(1, "again"))).isEqualTo(CancelAnswer.CANCELLED);
            assertThat(answer(caller.cancel(2, "after"))).isEqualTo(CancelAnswer.ALREADY_DONE);
            assertThat(answer(caller.cancel(99, "never"))).isEqualTo(CancelAnswer.UNKNOWN);
            caller.cancel(3, "the last");
            assertThat(cluster.values()).containsOnly(true);
        }
    }

    private static void await(final CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
    }

    /** Only some workers take part; the others have nothing to do with it, and a cancel by one of them works all the same. */
    @Test
    void shouldSpanSomeWorkers() throws Exception {
        final AtomicBoolean isStuck = new AtomicBoolean();
        final List<Boolean> ends = Loopback.<Boolean>start(3, 2, Arrangement::tight, worker -> {
                    final ScopeMembers members = ScopeMembers.of(0, 3, 1);
                    if (!members.contains(worker.index())) {
                        assertThatThrownBy(() -> worker.dataflow(1, members, Escalation.CONTAINED))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("worker=" + worker.index());
                        while (!isStuck.get()) {
                            Thread.onSpinWait();
                        }
                        return true;
                    }
                    final Dataflow dataflow = worker.dataflow(1, members, Escalation.CONTAINED);
                    final Channel<Long> channel = dataflow.allocate(0, Codecs.int64());
                    assertThat(channel.pushers()).hasSize(3);
                    assertThatThrownBy(() -> channel.pusher(2)).isInstanceOf(IllegalArgumentException.class);
                    channel.broadcaster().push(1L);
                    long count = 0;
                    while (count < 3) {
                        if (channel.puller().pull() == null) {
                            worker.park();
                        } else {
                            count++;
                        }
                    }
                    dataflow.close();
                    final ScopeOutcome outcome = outcomeOf(dataflow);
                    isStuck.set(true);
                    return outcome.isCompleted();
                })
                .values();
        assertThat(ends).hasSize(6).containsOnly(true);
    }

    /** Case 104: dataflows that are opened, filled and dropped again and again leave neither memory, nor credit, nor places of lanes behind. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldLeaveNothingBehindWhenDroppedAgainAndAgain(final Arrangement arrangement) throws Exception {
        final int rounds = 200;
        // workers that are slow to let go keep as many channels of others as there are workers
        final List<Boolean> ends =
                arrangement.run(builder -> Arrangement.tight(builder).channelLimit(8), worker -> {
                    final UnsafeBuffer message = new UnsafeBuffer(new byte[300]);
                    for (int round = 1; round <= rounds; round++) {
                        final Dataflow job = worker.dataflow(round);
                        fill(worker, job, message);
                        if (worker.index() == round % worker.peers()) {
                            job.cancel("round " + round);
                        }
                        assertThat(outcomeOf(job).isCancelled()).isTrue();
                    }
                    return true;
                });
        assertThat(ends).containsOnly(true);
    }

    private static void fill(final Worker worker, final Dataflow job, final UnsafeBuffer message) {
        try {
            final RawChannel channel = job.allocateRaw(0, OnFull.REFUSE);
            for (int i = 0; i < 10; i++) {
                for (int target = 0; target < worker.peers(); target++) {
                    channel.pusher(target).push(message, 0, 300);
                }
            }
            worker.flush();
        } catch (final ScopeCancelledException cancelled) {
            assertThat(job.isRunning()).isFalse();
        }
    }

    @Test
    void shouldRefuseWhatCannotBe() throws Exception {
        try (Loopback<Boolean> cluster = Arrangement.ONE_THREAD.start(Arrangement::tight, worker -> {
            assertThatThrownBy(() -> worker.dataflow(0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> worker.dataflow(1, ScopeMembers.of(0, 1), Escalation.CONTAINED))
                    .isInstanceOf(IllegalArgumentException.class);
            final Dataflow dataflow = worker.dataflow(1);
            assertThatThrownBy(() -> worker.dataflow(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("dataflowId=1");
            dataflow.close();
            dataflow.close();
            assertThatThrownBy(() -> dataflow.allocateRaw(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> worker.dataflow(1)).isInstanceOf(IllegalStateException.class);
            assertThat(dataflow.run(() -> {
                        throw new AssertionError("must not run");
                    }))
                    .isFalse();
            return true;
        })) {
            assertThat(cluster.values()).containsExactly(true);
            assertThatThrownBy(() -> cluster.process(0).cancel(0, "")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** A handler may find out, in the middle of a message, that its dataflow is no more: the message stays readable until it returns. */
    @Test
    void shouldLeaveTheMessageInPlaceWhenStoppedWhileItIsShown() throws Exception {
        final List<Boolean> ends = Arrangement.ONE_THREAD.run(Arrangement::tight, worker -> {
            final Dataflow job = worker.dataflow(1);
            final RawChannel channel = job.allocateRaw(0);
            channel.pusher(0).push(new UnsafeBuffer(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), 0, 8);
            worker.flush();
            final boolean[] isShown = new boolean[1];
            assertThatThrownBy(() -> channel.puller()
                            .poll(
                                    (buffer, offset, length, source) -> {
                                        job.cancel("now");
                                        worker.park(Duration.ofMillis(1));
                                        isShown[0] = buffer.getByte(offset + 7) == 8;
                                    },
                                    10))
                    .isInstanceOf(ScopeCancelledException.class);
            return isShown[0];
        });
        assertThat(ends).containsExactly(true);
    }

    /** A message that was begun in a dataflow that is no more is nobody's: the worker returns, and the cluster ends cleanly. */
    @ParameterizedTest
    @EnumSource(
            value = Arrangement.class,
            names = {"THREADS", "TWO_PROCESSES"})
    void shouldEndCleanlyWithAnUnfinishedMessageOfACancelledDataflow(final Arrangement arrangement) throws Exception {
        final List<Boolean> ends = arrangement.run(Arrangement::tight, worker -> {
            final Dataflow job = worker.dataflow(1);
            try {
                final RawChannel channel = job.allocateRaw(0, OnFull.REFUSE);
                final MessageWriter writer = channel.pusher(0).write(4_000);
                writer.write(new UnsafeBuffer(new byte[100]), 0, 100);
                if (worker.index() == 0) {
                    job.cancel("in the middle");
                }
                while (true) {
                    job.check();
                    Thread.onSpinWait(); // without a call that would let go of it
                }
            } catch (final ScopeCancelledException cancelled) {
                return true;
            }
        });
        assertThat(ends).containsOnly(true);
    }

    /** A claim that a step leaves open is its own matter, also in a channel of the cluster. */
    @Test
    void shouldGiveUpTheClaimsOfAStepThatThrows() throws Exception {
        final List<Boolean> ends = Arrangement.ONE_THREAD.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final Dataflow job = worker.dataflow(1);
            assertThat(job.run(() -> {
                        channel.pusher(0).claim(8);
                        throw new InterruptedException("amid a claim");
                    }))
                    .isFalse();
            assertThat(Thread.interrupted()).isTrue();
            worker.flush();
            return outcomeOf(job).isFailed();
        });
        assertThat(ends).containsExactly(true);
    }

    /** What users give as a cause need not be one of this cluster. */
    @Test
    void shouldFailWithACauseOfAnotherCluster() throws Exception {
        final List<Boolean> ends = Arrangement.TWO_PROCESSES.run(Arrangement::tight, worker -> {
            final Dataflow job = worker.dataflow(1);
            if (worker.index() == 0) {
                job.health()
                        .lose(io.hawser.fate.Cause.builder(CauseKind.PEER_LOST)
                                .subjectProcess(99)
                                .observerProcess(77)
                                .generation(1)
                                .seen("elsewhere")
                                .build());
            }
            final ScopeOutcome outcome = outcomeOf(job);
            assertThat(outcome).isInstanceOfSatisfying(ScopeOutcome.Failed.class, failed -> {
                assertThat(failed.cause().subjectProcess()).isZero();
                assertThat(failed.cause().seen()).contains("elsewhere");
            });
            return !worker.health().isLost();
        });
        assertThat(ends).containsOnly(true);
    }

    /** A worker that returns takes part in nothing any more, whether it has opened it or not, and nobody waits for its word. */
    @ParameterizedTest
    @EnumSource(
            value = Arrangement.class,
            names = {"THREADS", "TWO_PROCESSES", "THREE_PROCESSES"})
    void shouldNotWaitForMembersThatHaveReturned(final Arrangement arrangement) throws Exception {
        final List<Boolean> ends = arrangement.run(Arrangement::tight, worker -> {
            if (worker.index() == 1) {
                return true;
            }
            final Dataflow job = worker.dataflow(1);
            job.close();
            return outcomeOf(job).isCompleted();
        });
        assertThat(ends).containsOnly(true);
    }

    /** The loss of the cluster is what counts from then on, also of a dataflow that was cancelled before. */
    @ParameterizedTest
    @EnumSource(
            value = Arrangement.class,
            names = {"ONE_THREAD", "TWO_PROCESSES"})
    void shouldTellOfTheClusterOnceThatIsLost(final Arrangement arrangement) throws Exception {
        final CountDownLatch cancelled = new CountDownLatch(arrangement.workerCount());
        try (Loopback<Boolean> cluster = arrangement.start(Arrangement::tight, worker -> {
            final Dataflow job = worker.dataflow(1);
            job.cancel("first");
            assertThat(outcomeOf(job).isCancelled()).isTrue();
            cancelled.countDown();
            while (!worker.health().isLost()) {
                Thread.onSpinWait();
            }
            job.check();
            return true;
        })) {
            await(cancelled);
            cluster.process(0).abort("then");
            for (final Outcomes<Boolean> outcomes : cluster.join()) {
                assertThat(outcomes.perWorker()).allMatch(io.hawser.fate.Outcome::isFailed);
                assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
            }
        }
    }
}
