package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Escalation;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import io.hawser.transport.Notice;
import io.hawser.transport.ScopeMembers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Admission over real links: no work begins before the go-ahead (L9), and what is asked is answered (L8). */
@Timeout(60)
class AdmissionTest {
    private static final long DEADLINE_S = 20;
    private static final PlacementListener NOBODY = new PlacementListener() {};

    /** A worker that does what it is told, several things at a time, until a notice says that it is enough. */
    private static final class Service {
        private final Queue<ScopeOutcome> outcomes = new ConcurrentLinkedQueue<>();
        private final Queue<Integer> begun = new ConcurrentLinkedQueue<>();

        private boolean serve(final Worker worker) {
            final AtomicBoolean isOver = new AtomicBoolean();
            final List<Job> jobs = new ArrayList<>();
            worker.onNotice(notice -> isOver.set(true));
            worker.onGo(goAhead -> {
                begun.add(worker.index());
                jobs.add(new Job(worker, goAhead));
            });
            while (!isOver.get() || !jobs.isEmpty()) {
                worker.park();
                jobs.removeIf(job -> job.isOver(outcomes));
            }
            return true;
        }
    }

    /** Adds up what all tasks of its dataflow send, by one message of each. */
    private static final class Job {
        private final Dataflow dataflow;
        private final Channel<Long> channel;
        private long sum;
        private int count;

        Job(final Worker worker, final GoAhead goAhead) {
            final int[] members = IntStream.range(0, goAhead.taskCount())
                    .map(goAhead::workerOf)
                    .toArray();
            dataflow = worker.dataflow(goAhead.request().dataflowId(), ScopeMembers.of(members), Escalation.CONTAINED);
            channel = dataflow.allocate(0, Codecs.int64());
            channel.broadcaster().push(goAhead.plan().getLong(0));
        }

        boolean isOver(final Queue<ScopeOutcome> outcomes) {
            dataflow.run(() -> {
                for (Long message = channel.puller().pull();
                        message != null;
                        message = channel.puller().pull()) {
                    sum += message;
                    count++;
                }
                if (count == channel.pushers().size()) {
                    assertThat(sum).isEqualTo(count * 7L);
                    dataflow.close();
                }
            });
            dataflow.outcome().ifPresent(outcomes::add);
            return dataflow.outcome().isPresent();
        }
    }

    private static void end(final Loopback<Boolean> cluster, final int workers) throws Exception {
        final int perProcess = workers / cluster.processCount();
        for (int worker = 0; worker < workers; worker++) {
            cluster.process(worker / perProcess).notify(worker, Notice.NO_CHANNEL, 0, new UnsafeBuffer(0, 0), 0, 0);
        }
        assertThat(cluster.values()).hasSize(workers).containsOnly(true);
    }

    private static <T> T get(final CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(DEADLINE_S, TimeUnit.SECONDS);
    }

    private static PlacementTask task() {
        final byte[] plan = new byte[Long.BYTES];
        new UnsafeBuffer(plan).putLong(0, 7);
        return PlacementTask.of(plan);
    }

    private static Placement placement(final long id, final int tasks, final int... candidates) {
        PlacementBuilder builder = Placement.of(id).candidates(candidates);
        for (int i = 0; i < tasks; i++) {
            builder = builder.task(task());
        }
        return builder.build();
    }

    private static int[] all(final int workers) {
        return IntStream.range(0, workers).toArray();
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldRunEachTaskOnceWhenAllAccept(final Arrangement arrangement) throws Exception {
        final int workers = arrangement.workerCount();
        final Service service = new Service();
        try (Loopback<Boolean> cluster =
                arrangement.start(builder -> Arrangement.tight(builder).channelLimit(64), service::serve)) {
            for (int process = 0; process < cluster.processCount(); process++) {
                cluster.process(process).onStart(request -> Admission.accept());
            }
            for (long id = 1; id <= 20; id++) {
                final PlacementVerdict verdict = get(cluster.process((int) id % cluster.processCount())
                        .place(placement(id, workers, all(workers)), NOBODY));
                assertThat(verdict.kind()).isEqualTo(PlacementVerdict.Kind.PLACED);
                assertThat(verdict.tasks())
                        .extracting(PlacementVerdict.Task::worker)
                        .doesNotHaveDuplicates();
            }
            awaitUntil(() -> service.outcomes.size() == 20 * workers);
            end(cluster, workers);
        }
        assertThat(service.begun).hasSize(20 * workers);
        assertThat(service.outcomes).hasSize(20 * workers).allMatch(ScopeOutcome::isCompleted);
    }

    /** Case 32: who says no has run nothing, and the work goes elsewhere. */
    @Test
    void shouldGoElsewhereWhenRejected() throws Exception {
        final Service service = new Service();
        try (Loopback<Boolean> cluster = Arrangement.THREE_PROCESSES.start(Arrangement::tight, service::serve)) {
            cluster.process(0).onStart(request -> Admission.rejectElsewhere("busy"));
            cluster.process(1).onStart(request -> {
                throw new IllegalStateException("no table");
            });
            cluster.process(2).onStart(request -> Admission.accept());
            final Queue<PlacementStep> steps = new ConcurrentLinkedQueue<>();
            final PlacementVerdict verdict =
                    get(cluster.process(0).place(placement(1, 1, 0, 1, 2), new PlacementListener() {
                        @Override
                        public void onStep(final PlacementStep step) {
                            steps.add(step);
                        }
                    }));
            assertThat(verdict.kind()).isEqualTo(PlacementVerdict.Kind.PLACED);
            assertThat(verdict.tasks()).containsExactly(new PlacementVerdict.Task(2, 3, true));
            assertThat(steps)
                    .filteredOn(step -> step.kind() == PlacementStep.Kind.REJECTED)
                    .extracting(PlacementStep::reason)
                    .satisfiesExactly(
                            first -> assertThat(first).contains("busy"),
                            second -> assertThat(second).contains("no table"));
            awaitUntil(() -> service.outcomes.size() == 1);
            end(cluster, 3);
        }
        assertThat(service.begun).containsExactly(2);
    }

    /** Nobody has a handler: nothing begins, and the verdict says that nothing can have happened. */
    @Test
    void shouldFailWithoutEffectWhenNobodyAccepts() throws Exception {
        final Service service = new Service();
        try (Loopback<Boolean> cluster = Arrangement.TWO_PROCESSES.start(Arrangement::tight, service::serve)) {
            final PlacementVerdict verdict = get(cluster.process(0)
                    .place(
                            Placement.of(1)
                                    .candidates(0, 1, 2, 3)
                                    .task(task())
                                    .attemptLimit(4)
                                    .build(),
                            NOBODY));
            assertThat(verdict.kind()).isEqualTo(PlacementVerdict.Kind.FAILED);
            assertThat(verdict.canHaveRun()).isFalse();
            assertThat(verdict.reason()).contains("no admission handler");
            end(cluster, 4);
        }
        assertThat(service.begun).isEmpty();
    }

    /** Case 34, case 96: a cancel while one worker thinks about it releases what the others keep free. */
    @Test
    void shouldReleaseEverythingWhenCancelledBeforeTheGoAhead() throws Exception {
        final CountDownLatch isAsked = new CountDownLatch(1);
        final CountDownLatch mayAnswer = new CountDownLatch(1);
        final CapacityModel capacity = new CapacityModel(2, Duration.ofMillis(10));
        final Service service = new Service();
        try (Loopback<Boolean> cluster = Arrangement.THREE_PROCESSES.start(Arrangement::tight, service::serve)) {
            cluster.process(1).onStart(capacity);
            cluster.process(2).onStart(request -> {
                isAsked.countDown();
                awaitQuietly(mayAnswer);
                return Admission.accept();
            });
            final CompletionStage<PlacementVerdict> verdict = cluster.process(0).place(placement(5, 2, 1, 2), NOBODY);
            assertThat(isAsked.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
            assertThat(get(cluster.process(0).cancel(5, "changed my mind"))).isEqualTo(CancelAnswer.CANCELLED);
            mayAnswer.countDown();
            assertThat(get(verdict).kind()).isEqualTo(PlacementVerdict.Kind.CANCELLED);
            assertThat(get(verdict).canHaveRun()).isFalse();
            awaitUntil(() -> capacity.permitsFree() == 2 && capacity.reservationsOpen() == 0);
            end(cluster, 3);
        }
        assertThat(service.begun).isEmpty();
    }

    /** Case 34: accepted and never confirmed. */
    @Test
    void shouldFreeReservationsThatNobodyConfirms() throws Exception {
        final CapacityModel capacity = new CapacityModel(1, Duration.ofMillis(5));
        final Service service = new Service();
        try (Loopback<Boolean> cluster = Arrangement.TWO_PROCESSES.start(
                builder -> Arrangement.tight(builder).reservationTimeout(Duration.ofMillis(50)), service::serve)) {
            cluster.process(1).onStart(capacity);
            // the second task is never accepted, so that the first one's reservation runs out again and again
            final PlacementVerdict verdict = get(cluster.process(0)
                    .place(
                            Placement.of(1)
                                    .candidates(2, 3)
                                    .task(task())
                                    .task(task())
                                    .attemptTimeout(Duration.ofMillis(100))
                                    .deadline(Duration.ofMillis(300))
                                    .build(),
                            NOBODY));
            assertThat(verdict.kind()).isEqualTo(PlacementVerdict.Kind.FAILED);
            awaitUntil(() -> capacity.permitsFree() == 1);
            end(cluster, 4);
        }
        assertThat(service.begun).isEmpty();
    }

    /** A process that leaves takes nothing new, and finishes what it has. */
    @Test
    void shouldFinishAndTakeNothingNewWhenDraining() throws Exception {
        final Service service = new Service();
        try (Loopback<Boolean> cluster = Arrangement.TWO_PROCESSES.start(Arrangement::tight, service::serve)) {
            final CapacityModel capacity = new CapacityModel(4, Duration.ofMillis(10));
            cluster.process(0).onStart(request -> Admission.accept());
            cluster.process(1).onStart(capacity);
            get(cluster.process(0).place(placement(1, 4, all(4)), NOBODY));
            get(cluster.process(1).drain());
            assertThat(capacity.tasksRunning()).isZero();
            final PlacementVerdict verdict = get(cluster.process(1).place(placement(2, 1, 2, 3, 0), NOBODY));
            assertThat(verdict.tasks())
                    .extracting(PlacementVerdict.Task::worker)
                    .containsExactly(0);
            awaitUntil(() -> service.outcomes.size() == 5);
            end(cluster, 4);
        }
        assertThat(service.outcomes).hasSize(5).allMatch(ScopeOutcome::isCompleted);
    }

    @Test
    void shouldTellWhatIsWrongWithAPlacement() throws Exception {
        final Service service = new Service();
        try (Loopback<Boolean> cluster = Arrangement.ONE_THREAD.start(Arrangement::tight, service::serve)) {
            final Cluster<Boolean> process = cluster.process(0);
            process.onStart(request -> Admission.accept());
            assertThatThrownBy(() -> get(process.place(placement(1, 1, 9), NOBODY)))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IndexOutOfBoundsException.class);
            final PlacementTask large = PlacementTask.of(new byte[Arrangement.FRAME_LIMIT]);
            assertThatThrownBy(() -> get(process.place(
                            Placement.of(1).candidates(0).task(large).build(), NOBODY)))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(io.hawser.transport.MessageTooLargeException.class);
            end(cluster, 1);
        }
    }

    /** A plan that is longer than the buffer of control frames. */
    @Test
    void shouldCarryPlansUpToTheFrameLimit() throws Exception {
        final Queue<Integer> lengths = new ConcurrentLinkedQueue<>();
        try (Loopback<Boolean> cluster = Loopback.start(2, 1, worker -> {
            final AtomicBoolean isOver = new AtomicBoolean();
            worker.onNotice(notice -> isOver.set(true));
            worker.onGo(goAhead -> lengths.add(goAhead.plan().capacity()));
            while (!isOver.get()) {
                worker.park();
            }
            return true;
        })) {
            cluster.process(1).onStart(request -> Admission.accept());
            final int length = 200_000;
            final PlacementVerdict verdict = get(cluster.process(0)
                    .place(
                            Placement.of(1)
                                    .candidates(1)
                                    .task(PlacementTask.of(new byte[length]))
                                    .build(),
                            NOBODY));
            assertThat(verdict.kind()).isEqualTo(PlacementVerdict.Kind.PLACED);
            awaitUntil(() -> lengths.contains(length));
            end(cluster, 2);
        }
        assertThat(List.copyOf(lengths)).hasSize(1);
    }

    /** A worker that has returned runs nothing: it is not asked, and a go-ahead that comes too late fails the placement. */
    @Test
    void shouldRefuseWhatIsForAWorkerThatHasEnded() throws Exception {
        final Queue<Integer> begun = new ConcurrentLinkedQueue<>();
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CountDownLatch hasEnded = new CountDownLatch(1);
        try (Loopback<Boolean> cluster = Loopback.start(2, 1, worker -> {
            worker.onGo(goAhead -> begun.add(worker.index()));
            if (worker.index() == 0) {
                final AtomicBoolean isOver = new AtomicBoolean();
                worker.onNotice(notice -> isOver.set(true));
                while (!isOver.get()) {
                    worker.park();
                }
            } else {
                awaitQuietly(mayEnd); // what comes meanwhile is not shown
            }
            return true;
        })) {
            cluster.process(1).onStart(request -> Admission.accept());
            final Queue<PlacementVerdict> verdicts = new ConcurrentLinkedQueue<>();
            final PlacementVerdict first = get(cluster.process(0).place(placement(1, 1, 1), new PlacementListener() {
                @Override
                public void onVerdict(final PlacementVerdict verdict) {
                    verdicts.add(verdict);
                    if (verdicts.size() == 2) {
                        hasEnded.countDown();
                    }
                }
            }));
            assertThat(first.kind()).isEqualTo(PlacementVerdict.Kind.PLACED);
            mayEnd.countDown();
            assertThat(hasEnded.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
            assertThat(verdicts)
                    .last()
                    .satisfies(verdict -> assertThat(verdict.kind()).isEqualTo(PlacementVerdict.Kind.FAILED));
            final PlacementVerdict second = get(cluster.process(0)
                    .place(
                            Placement.of(2)
                                    .candidates(1)
                                    .task(task())
                                    .attemptLimit(1)
                                    .build(),
                            NOBODY));
            assertThat(second.kind()).isEqualTo(PlacementVerdict.Kind.FAILED);
            assertThat(second.reason()).contains("worker 1 has ended");
            cluster.process(0).notify(0, Notice.NO_CHANNEL, 0, new UnsafeBuffer(0, 0), 0, 0);
            assertThat(cluster.values()).hasSize(2).containsOnly(true);
        }
        assertThat(begun).isEmpty();
    }

    /** Case 96: the coordinator has opened the dataflow itself, and cancels it before the go-ahead. */
    @Test
    void shouldNotBeginWhatWasCancelledThoughItsDataflowIsOpen() throws Exception {
        final CountDownLatch isAsked = new CountDownLatch(1);
        final CountDownLatch mayAnswer = new CountDownLatch(1);
        final Queue<Integer> begun = new ConcurrentLinkedQueue<>();
        final Queue<PlacementVerdict> verdicts = new ConcurrentLinkedQueue<>();
        try (Loopback<Boolean> cluster = Loopback.start(2, 1, worker -> {
            worker.onGo(goAhead -> begun.add(worker.index()));
            final AtomicBoolean isOver = new AtomicBoolean();
            worker.onNotice(notice -> isOver.set(true));
            if (worker.index() == 0) {
                final Dataflow dataflow = worker.dataflow(17);
                final CompletionStage<PlacementVerdict> verdict = worker.place(placement(17, 1, 1), NOBODY);
                awaitQuietly(isAsked);
                dataflow.cancel("no more");
                verdicts.add(get(verdict));
                mayAnswer.countDown();
            }
            while (!isOver.get()) {
                worker.park();
            }
            return true;
        })) {
            cluster.process(1).onStart(request -> {
                isAsked.countDown();
                awaitQuietly(mayAnswer);
                return Admission.accept();
            });
            awaitUntil(() -> !verdicts.isEmpty());
            end(cluster, 2);
        }
        assertThat(verdicts).singleElement().satisfies(verdict -> {
            assertThat(verdict.kind()).isEqualTo(PlacementVerdict.Kind.CANCELLED);
            assertThat(verdict.canHaveRun()).isFalse();
        });
        assertThat(begun).isEmpty();
    }

    /** L3: a placement that comes when all is over is answered. */
    @Test
    void shouldAnswerAPlacementAfterTheEnd() throws Exception {
        try (Loopback<Boolean> cluster = Arrangement.TWO_PROCESSES.start(Arrangement::tight, worker -> true)) {
            assertThat(cluster.values()).hasSize(4);
            assertThatThrownBy(() -> get(cluster.process(0).place(placement(1, 1, 0), NOBODY)))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldKeepItsHandler() throws Exception {
        final Service service = new Service();
        try (Loopback<Boolean> cluster = Arrangement.ONE_THREAD.start(Arrangement::tight, service::serve)) {
            cluster.process(0).onStart(request -> Admission.accept());
            assertThatThrownBy(() -> cluster.process(0).onStart(request -> Admission.accept()))
                    .isInstanceOf(IllegalStateException.class);
            end(cluster, 1);
        }
    }

    /** L8: a worker whose dataflows end all the time is shown go-aheads and notices all the same. */
    @Test
    void shouldShowGoAheadsAndNoticesToABusyWorker() throws Exception {
        try (Loopback<Boolean> cluster = Loopback.start(2, 1, worker -> {
            final AtomicBoolean isBegun = new AtomicBoolean();
            final AtomicBoolean isOver = new AtomicBoolean();
            worker.onGo(goAhead -> isBegun.set(true));
            worker.onNotice(notice -> isOver.set(true));
            long id = 1_000L * (worker.index() + 1);
            while (!isOver.get() || worker.index() == 1 && !isBegun.get()) {
                final Dataflow own = worker.dataflow(++id, ScopeMembers.of(worker.index()), Escalation.CONTAINED);
                own.close(); // news each time
                worker.park(Duration.ofMillis(1));
            }
            return true;
        })) {
            cluster.process(1).onStart(request -> Admission.accept());
            final PlacementVerdict verdict = get(cluster.process(0).place(placement(1, 1, 1), NOBODY));
            assertThat(verdict.kind()).isEqualTo(PlacementVerdict.Kind.PLACED);
            end(cluster, 2);
        }
    }

    /** Several tasks of one placement on one worker share its dataflow. */
    @Test
    void shouldRunSeveralTasksOfAPlacementOnOneWorker() throws Exception {
        final Queue<Integer> tasks = new ConcurrentLinkedQueue<>();
        final Queue<ScopeOutcome> outcomes = new ConcurrentLinkedQueue<>();
        try (Loopback<Boolean> cluster = Loopback.start(2, 1, worker -> {
            final AtomicBoolean isOver = new AtomicBoolean();
            final List<Dataflow> open = new ArrayList<>();
            worker.onNotice(notice -> isOver.set(true));
            worker.onGo(goAhead -> {
                tasks.add(goAhead.task());
                open.add(worker.dataflow(goAhead));
                if (open.size() == 3) {
                    assertThat(open.get(0)).isSameAs(open.get(1)).isSameAs(open.get(2));
                    open.get(0).close();
                    outcomes.add(open.get(0)
                            .awaitOutcome(Duration.ofSeconds(DEADLINE_S))
                            .orElseThrow());
                }
            });
            while (!isOver.get()) {
                worker.park();
            }
            return true;
        })) {
            final CapacityModel capacity = new CapacityModel(3, Duration.ofMillis(5));
            cluster.process(1).onStart(capacity);
            get(cluster.process(0).place(placement(1, 3, 1), NOBODY));
            awaitUntil(() -> outcomes.size() == 1 && capacity.permitsFree() == 3);
            end(cluster, 2);
        }
        assertThat(tasks).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(outcomes).allMatch(ScopeOutcome::isCompleted);
    }

    /** L4: a handler that blocks holds up offers, not the end of the cluster. */
    @Test
    void shouldEndWhileAHandlerBlocks() throws Exception {
        final CountDownLatch never = new CountDownLatch(1);
        final CountDownLatch isAsked = new CountDownLatch(1);
        try (Loopback<Boolean> cluster =
                Loopback.start(2, 1, builder -> builder.abortTimeout(Duration.ofMillis(200)), worker -> {
                    worker.onGo(goAhead -> {});
                    worker.park();
                    return true;
                })) {
            cluster.process(1).onStart(request -> {
                isAsked.countDown();
                awaitQuietly(never);
                return Admission.accept();
            });
            cluster.process(0).place(placement(1, 1, 1), NOBODY);
            cluster.process(0).place(placement(2, 1, 1), NOBODY);
            assertThat(isAsked.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
            cluster.process(0).abort("enough");
            final long startNs = System.nanoTime();
            for (final Outcomes<Boolean> outcomes : cluster.ended()) {
                assertThat(outcomes.isClean()).isFalse();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(DEADLINE_S / 2));
        } finally {
            never.countDown();
        }
    }

    private static void awaitQuietly(final CountDownLatch latch) {
        try {
            assertThat(latch.await(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitUntil(final java.util.function.BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.onSpinWait();
        }
    }
}
