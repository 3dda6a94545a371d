package io.hawser.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.SupervisedOutcomes;
import io.hawser.allocator.SupervisionPolicy;
import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.framing.FrameType;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.FormationException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LoopbackClusterTest {
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SILENCE = Duration.ofSeconds(1);

    @Test
    void shouldRunAllWorkersOfAllProcesses() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(3, 2)) {
            final LoopbackRun<Long> run = cluster.run(Work::sum);
            assertThat(run.values(PATIENCE)).hasSize(6).containsOnly(15L);
            assertThat(run.isOver()).isTrue();
        }
    }

    @Test
    void shouldRunOneProcessWithoutSockets() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(1, 2).withProxies()) {
            assertThat(cluster.run(Work::sum).values(PATIENCE)).containsExactly(1L, 1L);
        }
    }

    @Test
    void shouldRunThroughProxies() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(3, 1).withProxies()) {
            assertThat(cluster.run(Work::sum).values(PATIENCE)).containsOnly(3L);
            for (int source = 0; source < 3; source++) {
                for (int target = 0; target < 3; target++) {
                    if (source != target) {
                        assertThat(cluster.lane(source, target).passedFrames(FrameType.DATA))
                                .as("from %d to %d", source, target)
                                .isPositive();
                    }
                }
            }
        }
    }

    @Test
    void shouldNameLanesByDirection() {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies()) {
            assertThat(cluster.lane(1, 0)).isSameAs(cluster.proxy(0, 1).toTarget());
            assertThat(cluster.lane(0, 1)).isSameAs(cluster.proxy(1, 0).toDialler());
        }
    }

    @Test
    void shouldFormNextGenerationAfterLoss() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies()) {
            final LoopbackRun<Long> lost = cluster.run(Work::forEver);
            cluster.sever(1, Cut.RST);
            lost.join(PATIENCE);
            cluster.heal();
            final LoopbackRun<Long> next = cluster.run(Work::sum);
            assertThat(next.generation()).isGreaterThan(lost.generation());
            assertThat(next.values(PATIENCE)).containsOnly(1L);
        }
    }

    @Test
    void shouldTellOthersOfAbort() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(3, 1)) {
            final LoopbackRun<Long> run = cluster.run(Work::forEver);
            run.abort(2, "enough");
            for (final Outcomes<Long> outcomes : run.join(PATIENCE)) {
                assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
                assertThat(outcomes.cause().subjectProcess()).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void shouldLookLikeADeadProcessWhenSevered(final Cut how) throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(3, 1).withProxies()) {
            final LoopbackRun<Long> run = cluster.run(Work::forEver);
            cluster.sever(2, how);
            final List<Outcomes<Long>> outcomes = run.join(PATIENCE);
            for (int survivor = 0; survivor < 2; survivor++) {
                final Cause cause = outcomes.get(survivor).cause();
                assertThat(cause.kind()).isEqualTo(CauseKind.PEER_LOST);
                assertThat(cause.subjectProcess()).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldBeSilentWhenIsolated() throws Exception {
        try (LoopbackCluster cluster = withShortSilence(LoopbackCluster.of(3, 1).withProxies())) {
            final LoopbackRun<Long> run = cluster.run(Work::forEver);
            cluster.isolate(0);
            assertThat(run.join(PATIENCE).get(1).cause().kind()).isEqualTo(CauseKind.PEER_SILENT);
        }
    }

    @Test
    void shouldSeeFlippedBit() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies()) {
            final LoopbackRun<Long> run = cluster.run(Work::forEver);
            cluster.lane(1, 0).flipBit(cluster.lane(1, 0).position() + 4_000, 0);
            assertThat(run.join(PATIENCE).get(0).cause().kind()).isEqualTo(CauseKind.PROTOCOL_VIOLATED);
        }
    }

    @Test
    void shouldLosePeerWhenCutAtFirstDataFrame() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies()) {
            cluster.lane(0, 1).cutAtFrame(FrameType.DATA, 0, Cut.FIN);
            final LoopbackRun<Long> run = cluster.run(Work::sum);
            assertThat(run.join(PATIENCE).get(1).cause().kind()).isEqualTo(CauseKind.PEER_LOST);
            assertThat(cluster.lane(0, 1).passedFrames(FrameType.READY)).isPositive();
            assertThat(cluster.lane(0, 1).passedFrames(FrameType.DATA)).isZero();
        }
    }

    @Test
    void shouldGiveEachProcessItsOwnSettings() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1)) {
            cluster.configure((settings, process) -> settings.generation(10 + process))
                    .configure((settings, process) -> settings.heartbeatInterval(Duration.ofMillis(50)));
            assertThat(cluster.run(Work::sum).generation()).isGreaterThanOrEqualTo(11);
        }
    }

    @Test
    void shouldThrowAndLeaveNothingWhenNotFormed() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies()) {
            cluster.proxy(0, 1).onAccept(FaultProxy.OnAccept.CLOSE);
            cluster.configure((settings, process) -> settings.formationTimeout(Duration.ofMillis(500)));
            assertThatThrownBy(() -> cluster.run(Work::sum)).isInstanceOf(FormationException.class);
            cluster.heal();
            assertThat(cluster.run(Work::sum).values(PATIENCE)).containsOnly(1L);
        }
    }

    @Test
    void shouldTakeOrdersWhileForming() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies()) {
            cluster.proxy(0, 1).onAccept(FaultProxy.OnAccept.CLOSE);
            final CompletableFuture<LoopbackRun<Long>> run = CompletableFuture.supplyAsync(() -> formed(cluster));
            Deadline.await(PATIENCE, "a dial", () -> cluster.proxy(0, 1).acceptedCount() > 0);
            assertThat(cluster.describe()).contains("has not run");
            cluster.heal();
            assertThat(run.get().values(PATIENCE)).containsOnly(1L);
        }
    }

    private static LoopbackRun<Long> formed(final LoopbackCluster cluster) {
        try {
            return cluster.run(Work::sum);
        } catch (final FormationException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void shouldThrowWhenSettingsAreWrong() {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1)) {
            cluster.configure((settings, process) -> settings.workersPerProcess(-process));
            assertThatThrownBy(() -> cluster.run(Work::sum)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldAbortWhatRunsWhenClosed() throws Exception {
        final LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies();
        final LoopbackRun<Long> run = cluster.run(Work::forEver);
        cluster.close();
        assertThat(run.join(Duration.ZERO).get(0).cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
        assertThatThrownBy(() -> cluster.run(Work::sum)).isInstanceOf(IllegalStateException.class);
        cluster.close();
    }

    @Test
    void shouldRunOnceAtATime() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1)) {
            cluster.run(Work::forEver);
            assertThatThrownBy(() -> cluster.run(Work::sum)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldFailWithStateWhenNotJoinedInTime() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies()) {
            final LoopbackRun<Long> run = cluster.run(Work::forEver);
            assertThatThrownBy(() -> run.join(Duration.ofMillis(50)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("did not end within 50 ms")
                    .hasMessageContaining("process 1, running")
                    .hasMessageContaining("to-dialler:")
                    .hasMessageContaining("-worker-");
        }
    }

    @Test
    void shouldFailCloseWhenWorkerDoesNotReturn() throws Exception {
        final CountDownLatch over = new CountDownLatch(1);
        final LoopbackCluster cluster = LoopbackCluster.of(2, 1)
                .tidyWithin(SOON)
                .configure((settings, process) -> settings.abortTimeout(Duration.ofMillis(200)));
        cluster.run(worker -> {
            over.await();
            return 0L;
        });
        try {
            assertThatThrownBy(cluster::close)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("nothing is left")
                    .hasMessageContaining("CountDownLatch");
        } finally {
            over.countDown();
        }
    }

    /** An engine that runs the loop itself is cut, forms again, and goes on with what it has kept. */
    @Test
    void shouldGiveSettingsToAnEngineThatIsSupervised() throws Exception {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies()) {
            final ExecutorService processes = Executors.newFixedThreadPool(2);
            final CountDownLatch areRunning = new CountDownLatch(2);
            final List<Future<SupervisedOutcomes<String>>> ending = new ArrayList<>();
            for (int process = 0; process < 2; process++) {
                final ClusterConfig config = cluster.config(process);
                ending.add(processes.submit(() -> Cluster.supervise(config, SupervisionPolicy.standard(), worker -> {
                    final String kept = worker.kept(String.class);
                    worker.keep("of generation " + worker.generation());
                    if (kept == null) {
                        areRunning.countDown();
                        while (true) {
                            worker.park();
                        }
                    }
                    return kept;
                })));
            }
            areRunning.await();
            cluster.proxy(0, 1).cut(Cut.RST);
            for (final Future<SupervisedOutcomes<String>> process : ending) {
                assertThat(process.get(20, TimeUnit.SECONDS).values()).containsExactly("of generation 1");
            }
            processes.shutdown();
        }
    }

    @Test
    void shouldFailCloseWhenPortIsHeld() throws Exception {
        final LoopbackCluster cluster = LoopbackCluster.of(2, 1).tidyWithin(SOON);
        try (FaultProxy stranger = FaultProxy.to(cluster.port(0));
                ServerSocket held = new ServerSocket(cluster.port(1))) {
            assertThatThrownBy(cluster::close)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("port " + held.getLocalPort());
            assertThat(stranger.openCount()).isZero();
        }
    }

    @Test
    void shouldFailCloseWhenConnectionIsLeftOpen() throws Exception {
        final LoopbackCluster cluster = LoopbackCluster.of(2, 1).withProxies().tidyWithin(SOON);
        cluster.run(Work::sum).join(PATIENCE);
        try (ServerSocket server = new ServerSocket(cluster.port(0));
                Socket leak = new Socket("127.0.0.1", cluster.proxy(0, 1).port())) {
            server.accept();
            assertThatThrownBy(cluster::close)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("1 open");
            assertThat(leak.isConnected()).isTrue();
        }
    }

    @Test
    void shouldNameWhatIsMissingOrWrong() {
        try (LoopbackCluster cluster = LoopbackCluster.of(2, 1)) {
            assertThatThrownBy(() -> cluster.proxy(0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("withProxies()");
            cluster.withProxies();
            assertThatThrownBy(() -> cluster.proxy(1, 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> LoopbackCluster.of(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("processCount=0");
    }

    private static LoopbackCluster withShortSilence(final LoopbackCluster cluster) {
        return cluster.configure((settings, process) -> settings.silenceTimeout(SILENCE));
    }
}
