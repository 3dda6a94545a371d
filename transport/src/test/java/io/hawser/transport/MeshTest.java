package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.HealthState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Meshes over loopback in one JVM: forming, the clean end (L1, L6), and losing health together (L2, L3, L4). */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class MeshTest {
    private static final Duration END = Duration.ofSeconds(5);

    @Test
    void shouldBeHealthyAndEndCleanlyWhenAlone() throws Exception {
        Mesh mesh = Mesh.form(ClusterConfig.local(2), new CollectingReceiver());
        assertThat(mesh.health().state()).isEqualTo(HealthState.HEALTHY);
        mesh.hangUp();
        assertThat(mesh.awaitClosed(END)).isTrue();
        assertThat(mesh.health().state()).isEqualTo(HealthState.ENDED);
    }

    @Test
    void shouldDeliverAllInOrderAndLeaveNothingWhenAllHangUp() throws Exception {
        try (LoopbackMeshes meshes = LoopbackMeshes.form(3)) {
            int count = 10_000;
            for (Mesh from : meshes.all()) {
                for (int peer = 0; peer < 3; peer++) {
                    if (peer != from.config().processIndex()) {
                        push(from, peer, count);
                    }
                }
            }
            meshes.all().forEach(Mesh::hangUp);
            for (int process = 0; process < 3; process++) {
                assertThat(meshes.mesh(process).awaitClosed(END)).isTrue();
                assertThat(meshes.mesh(process).health().state()).isEqualTo(HealthState.ENDED);
                for (int peer = 0; peer < 3; peer++) {
                    if (peer != process) {
                        assertThat(meshes.receiver(process).messages(peer)).hasSize(count);
                        assertThat(meshes.receiver(process).messages(peer)).isSorted();
                        assertThat(meshes.receiver(process).hasHungUp(peer)).isTrue();
                    }
                }
                assertThat(meshes.mesh(process).memory().liveBytes()).isZero();
            }
        }
    }

    private static void push(Mesh from, int peer, int count) {
        try (SendRing ring = from.openRing(peer, from.config().processIndex())) {
            SendLane lane = ring.openLane(0, 1, peer, 1);
            for (int i = 0; i < count; i++) {
                byte[] text = String.valueOf(1_000_000 + i).getBytes(StandardCharsets.US_ASCII);
                ring.push(lane, new UnsafeBuffer(text), 0, text.length);
            }
        }
    }

    @Test
    void shouldTellTheSameFirstCauseEverywhereWhenOneLosesHealth() throws Exception {
        try (LoopbackMeshes meshes = LoopbackMeshes.form(4)) {
            Mesh failing = meshes.mesh(2);
            long startNs = System.nanoTime();
            failing.health()
                    .lose(failing.causeHere(CauseKind.WORKER_PANICKED)
                            .subjectWorker(2)
                            .seen("java.lang.IllegalStateException: boom")
                            .build());
            for (Mesh mesh : meshes.all()) {
                assertThat(mesh.awaitClosed(END)).isTrue();
            }
            assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(3));
            List<Cause> roots =
                    meshes.all().stream().map(mesh -> mesh.health().rootCause()).toList();
            assertThat(roots).allMatch(cause -> cause.sameEvent(roots.get(2)));
            assertThat(roots.get(0).kind()).isEqualTo(CauseKind.WORKER_PANICKED);
            assertThat(roots.get(0).subjectWorker()).isEqualTo(2);
            assertThat(roots.get(0).seen()).contains("boom");
            assertThat(meshes.all()).allMatch(mesh -> mesh.memory().liveBytes() == 0);
        }
    }

    @Test
    void shouldTakeOverTheHighestGenerationWhenProposalsDiffer() throws Exception {
        try (LoopbackMeshes meshes =
                LoopbackMeshes.form(3, (process, config) -> config.generation(process == 1 ? 7 : 1))) {
            assertThat(meshes.all()).allMatch(mesh -> mesh.generation() == 7);
            assertThat(LoopbackMeshes.threadsNamed("hawser-loopback"))
                    .as("a thread dump tells which generation runs")
                    .allMatch(name -> name.contains("-g7-"));
        }
    }

    @Test
    void shouldTellTheStepsOfFormingInOrder() {
        List<List<String>> told = new ArrayList<>();
        for (int process = 0; process < 3; process++) {
            told.add(Collections.synchronizedList(new ArrayList<>()));
        }
        try (LoopbackMeshes meshes = LoopbackMeshes.form(
                3,
                (process, config) -> config.generation(process == 1 ? 7 : 1)
                        .formationListener((step, generation, peer) ->
                                told.get(process).add(step + " " + generation + " " + peer)))) {
            for (int process = 0; process < meshes.all().size(); process++) {
                List<String> steps = told.get(process);
                assertThat(steps.get(0)).startsWith("LISTENING ").endsWith(" -1");
                assertThat(steps).endsWith("STARTED 7 -1");
                assertThat(steps).containsOnlyOnce("ALL_GREETED 7 -1");
                assertThat(steps.contains("RAISED 7 -1")).isEqualTo(process != 1);
                for (int peer = 0; peer < 3; peer++) {
                    if (peer != process) {
                        assertThat(steps)
                                .containsSubsequence("GREETED 7 " + peer, "PEER_READY 7 " + peer, "STARTED 7 -1");
                        assertThat(steps).containsSubsequence("GREETED 7 " + peer, "ALL_GREETED 7 -1");
                    }
                }
                assertThat(meshes.mesh(process).roster().members()).hasSize(3);
                assertThat(meshes.mesh(process).roster().incarnation())
                        .isEqualTo(meshes.mesh(0).roster().incarnation());
            }
        }
    }

    /** Whoever only looks on does not decide the fate of all. */
    @Test
    void shouldFormWhateverTheListenerThrows() {
        try (LoopbackMeshes meshes = LoopbackMeshes.form(
                2,
                (process, config) -> config.formationListener((step, generation, peer) -> {
                    throw new LinkageError("told at " + step);
                }))) {
            assertThat(meshes.all()).allMatch(mesh -> mesh.generation() == 1);
        }
    }

    /** L3, L4: a directory that never answers delays a dial, and costs one thread for a configuration and all that come of it. */
    @Test
    void shouldFormByTheLastListWhenTheDirectoryHangs() {
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Directory hanging = () -> {
            asked.incrementAndGet();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return List.of();
        };
        try (LoopbackMeshes meshes = LoopbackMeshes.form(2, (process, config) -> config.directory(hanging))) {
            assertThat(meshes.all()).allMatch(mesh -> mesh.generation() == 1);
            assertThat(asked.get()).as("one open question for each process").isLessThanOrEqualTo(2);
        } finally {
            answer.countDown();
        }
    }

    @Test
    void shouldListEveryMissingPeerWhenTheDeadlinePasses() {
        List<Endpoint> addresses = LoopbackMeshes.freeEndpoints(3);
        ClusterConfig config = ClusterConfig.builder()
                .clusterId("missing")
                .processIndex(1)
                .addresses(addresses)
                .formationTimeout(Duration.ofMillis(300))
                .build();
        assertThatThrownBy(() -> Mesh.form(config, new CollectingReceiver()))
                .isInstanceOf(FormationException.class)
                .hasMessageContaining("process 0 at " + addresses.get(0) + ": not connected, we dial it")
                .hasMessageContaining("Connection refused")
                .hasMessageContaining("process 2 at " + addresses.get(2) + ": not connected, it has to dial us");
        assertThat(LoopbackMeshes.threadsNamed("hawser-missing")).isEmpty();
    }
}
