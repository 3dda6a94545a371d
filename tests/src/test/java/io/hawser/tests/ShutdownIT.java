package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Cluster;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.Worker;
import io.hawser.allocator.WorkerFunction;
import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.HealthLostException;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.FreePorts;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Joined;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.RawPeer;
import io.hawser.transport.ClusterConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * L2, L3, L4 and cases 66, 68, 71, 89, 91, 92, 99, 125: closing, aborting, exiting and panicking, from whatever thread and at whatever
 * moment, comes to an end and keeps the first cause.
 */
class ShutdownIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long BOUND_MS = 1_500;

    @RegisterExtension
    final Nursery nursery = Nursery.forEachTest();

    private final List<Integer> ports = FreePorts.take(2);
    private final List<Member> members = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        members.forEach(Member::close);
        Member.assertNoThreads();
    }

    @Test
    void shouldExitWhenWorkerCallsSystemExitCase92() {
        final ChildCluster cluster = processes();
        final ChildCluster.Run run = cluster.form("poll");
        run.awaitAtWork(cluster.all());
        run.tell(1, "misdeed", "what", "exit_in_worker");
        assertThat(cluster.child(1).awaitExit(Duration.ofSeconds(5))).isEqualTo(5);
        new Joined(run.joined(cluster.allBut(1), PATIENCE))
                .assertCause("PROCESS_EXITING", 1)
                .assertNothingLeft();
    }

    @Test
    void shouldExitWhenListenerCallsSystemExitCase92() {
        final ChildCluster cluster = processes().set("onLoss", "exit");
        final ChildCluster.Run run = cluster.form("park");
        run.awaitAtWork(cluster.all());
        cluster.child(1).signal(Signal.KILL);
        assertThat(cluster.child(0).awaitExit(Duration.ofSeconds(5))).isEqualTo(7);
        assertThat(cluster.child(2).awaitExit(Duration.ofSeconds(5))).isEqualTo(7);
    }

    @Test
    void shouldNotWaitForTheDeadWhenClosingCase91() {
        final ChildCluster cluster = processes();
        final ChildCluster.Run run = cluster.form("park");
        run.awaitAtWork(cluster.all());
        cluster.child(1).signal(Signal.KILL);
        cluster.child(1).awaitExit(PATIENCE);
        final long startNs = System.nanoTime();
        run.tell(0, "close");
        run.joined(0, PATIENCE);
        assertThat(millisSince(startNs)).isLessThan(BOUND_MS);
    }

    @Test
    void shouldWaitForTheFrozenNoLongerThanTheSettingWhenClosingCase91() {
        final ChildCluster cluster = processes().set("silenceMs", 1_500);
        final ChildCluster.Run run = cluster.newRun();
        run.start(0, "return");
        run.start(
                1, "pull"); // who parks finds that nothing can come any more, if the others return before it is stopped
        run.start(2, "return");
        run.awaitFormed(cluster.all());
        run.awaitAtWork(cluster.all());
        cluster.child(1).signal(Signal.STOP);
        final long startNs = System.nanoTime();
        run.tell(0, "close");
        final Joined joined = new Joined(run.joined(cluster.allBut(1), PATIENCE));
        assertThat(millisSince(startNs)).isLessThan(1_500 + 500 + BOUND_MS);
        joined.assertSameCause().assertNothingLeft();
    }

    @Test
    void shouldFailAllInTimeWhenListenersThrowSleepOrCloseCase125() throws Exception {
        formPair();
        final Cluster<Long> cluster = members.get(0).formed();
        final CountDownLatch heard = new CountDownLatch(1);
        cluster.health().onLost("throws", cause -> {
            throw new IllegalStateException("a listener's own fault");
        });
        cluster.health().onLost("sleeps", cause -> awaitQuietly(released));
        cluster.health().onLost("closes", cause -> cluster.close());
        cluster.health().onLost("hears", cause -> heard.countDown());
        final long startNs = System.nanoTime();
        members.get(1).formed().abort("for the listeners");
        assertThat(heard.await(BOUND_MS, TimeUnit.MILLISECONDS)).isTrue();
        for (final Member member : members) {
            final Cause cause = member.joined().cause();
            assertThat(cause.kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
            assertThat(cause.subjectProcess()).isEqualTo(1);
            assertThat(cause.seen()).contains("for the listeners");
        }
        assertThat(millisSince(startNs)).isLessThan(BOUND_MS + 500);
    }

    @Test
    void shouldKeepFirstPanicWhenSeveralWorkersThrowCase68() throws Exception {
        final ClusterConfig config =
                Member.config(0, ports.subList(0, 1)).workersPerProcess(3).build();
        final CountDownLatch together = new CountDownLatch(3);
        final Member member = start(config, worker -> {
            together.countDown();
            together.await();
            try {
                throw new IllegalStateException("first of worker " + worker.index());
            } finally {
                throwFromFinally(worker);
            }
        });
        final Outcomes<Long> outcomes = member.joined();
        assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.WORKER_PANICKED);
        assertThat(outcomes.perWorker()).allMatch(outcome -> outcome.isPanicked());
        assertThat(outcomes.secondaryCauses()).hasSize(2);
        assertThatThrownBy(outcomes::values)
                .hasMessageContaining("worker " + outcomes.cause().subjectWorker())
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(2));
    }

    private static void throwFromFinally(final Worker worker) {
        if (worker.index() == 1) {
            throw new UnsupportedOperationException("thrown from finally");
        }
    }

    @Test
    void shouldWakeWorkersOfTheSameProcessWhenOnePanicsL3() throws Exception {
        final ClusterConfig config = ClusterConfig.local(4);
        final CountDownLatch atWork = new CountDownLatch(3);
        final Member member = start(config, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            if (worker.index() == 0) {
                assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
                throw new IllegalStateException("on purpose");
            }
            atWork.countDown();
            return endlessly(worker, channel);
        });
        final long startNs = System.nanoTime();
        final Outcomes<Long> outcomes = member.joined();
        assertThat(millisSince(startNs)).isLessThan(BOUND_MS);
        assertThat(outcomes.perWorker().get(0).isPanicked()).isTrue();
        assertThat(outcomes.perWorker().subList(1, 4)).allMatch(outcome -> outcome.isFailed());
        assertThat(outcomes.cause().subjectWorker()).isZero();
    }

    /** One parks, one pulls, one pushes to itself. */
    private static Long endlessly(final Worker worker, final Channel<byte[]> channel) {
        while (true) {
            switch (worker.index()) {
                case 1 -> worker.park();
                case 2 -> channel.puller().pull();
                default -> {
                    channel.pusher(worker.index()).push(new byte[100]);
                    channel.puller().pull();
                }
            }
        }
    }

    @Test
    void shouldBeUncleanWhenWorkersSwallowTheLossCase66() throws Exception {
        final CountDownLatch atWork = new CountDownLatch(2);
        for (int process = 0; process < 2; process++) {
            start(Member.config(process, ports).build(), worker -> {
                worker.allocateRaw(0);
                atWork.countDown();
                try {
                    worker.park();
                } catch (final HealthLostException swallowed) {
                    return 42L;
                }
                return 0L;
            });
        }
        assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
        members.get(0).formed().abort("to be swallowed");
        for (final Member member : members) {
            assertThat(member.joined().isClean()).isFalse();
            assertThat(member.joined().perWorker().get(0).valueOrThrow()).isEqualTo(42L);
        }
    }

    @Test
    void shouldWakeParkedWorkerWheneverPeerDiesCase71() throws Exception {
        final List<Integer> two = Counterpart.ports();
        final long seed = System.nanoTime();
        System.out.println("moments of death: seed=" + seed);
        final Random random = new Random(seed);
        for (int round = 0; round < Soak.times(150, 100_000); round++) {
            try (Counterpart pair = Counterpart.open(two)) {
                LockSupport.parkNanos(random.nextInt(3_000_000));
                final long startNs = System.nanoTime();
                pair.raw().reset();
                assertThat(pair.joined().cause().kind()).isEqualTo(CauseKind.PEER_LOST);
                assertThat(millisSince(startNs)).as("round %d", round).isLessThan(BOUND_MS);
            }
        }
    }

    @Test
    void shouldFreeAllPushersWhenLinkIsCutCase89() throws Exception {
        final List<Integer> two = Counterpart.ports();
        final int workers = 8;
        final RawHello hello = Counterpart.hello(1);
        hello.workersPerProcess = workers;
        final AtomicReference<Long> lastPushNs = new AtomicReference<>(0L);
        final Member member =
                start(Member.config(0, two).workersPerProcess(workers).build(), worker -> {
                    final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
                    while (true) {
                        channel.pusher(workers).push(new byte[32_000]);
                        lastPushNs.set(System.nanoTime());
                    }
                });
        try (RawPeer raw = RawPeer.join(two.get(0), hello)) {
            member.formed();
            Deadline.await(PATIENCE, "all blocked", () -> lastPushNs.get() != 0 && millisSince(lastPushNs.get()) > 300);
            final long startNs = System.nanoTime();
            raw.reset();
            final Outcomes<Long> outcomes = member.joined();
            assertThat(millisSince(startNs)).isLessThan(BOUND_MS);
            assertThat(outcomes.cause().kind()).as("%s", outcomes).isEqualTo(CauseKind.PEER_LOST);
            assertThat(outcomes.perWorker()).hasSize(workers).allMatch(outcome -> outcome.isFailed());
        }
    }

    @Test
    void shouldLeaveClusterAloneWhenWaiterIsInterrupted() throws Exception {
        formPair();
        final Cluster<Long> cluster = members.get(0).formed();
        Thread.currentThread().interrupt();
        assertThatThrownBy(cluster::join).isInstanceOf(InterruptedException.class);
        assertThat(cluster.health().isLost()).isFalse();
        assertThat(cluster.join(Duration.ofMillis(50))).isEmpty();
        cluster.abort("done");
        assertThat(members.get(1).joined().cause().seen()).contains("done");
    }

    @Test
    void shouldCloseFromWorkerCase99() throws Exception {
        final AtomicReference<Cluster<Long>> own = new AtomicReference<>();
        start(Member.config(0, ports).build(), worker -> {
            worker.allocateRaw(0);
            Deadline.await(PATIENCE, "own cluster", () -> own.get() != null);
            own.get().close();
            own.get().close();
            worker.park();
            return 0L;
        });
        members.add(Member.start(Member.config(1, ports)));
        own.set(members.get(0).formed());
        for (final Member member : members) {
            final Outcomes<Long> outcomes = member.joined();
            assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
            assertThat(outcomes.cause().subjectProcess()).isZero();
            assertThat(outcomes.perWorker()).allMatch(outcome -> outcome.isFailed());
        }
    }

    private ChildCluster processes() {
        final ChildCluster cluster =
                new ChildCluster(nursery, 3, 1).set("heartbeatMs", 100).set("silenceMs", 10_000);
        cluster.launchMissing();
        return cluster;
    }

    private Member start(final ClusterConfig config, final WorkerFunction<Long> work) {
        final Member member = Member.start(config, work);
        members.add(member);
        return member;
    }

    private void formPair() throws Exception {
        for (int process = 0; process < 2; process++) {
            members.add(Member.start(Member.config(process, ports)));
        }
        for (final Member member : members) {
            member.formed();
        }
    }

    private static void awaitQuietly(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static long millisSince(final long startNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }
}
