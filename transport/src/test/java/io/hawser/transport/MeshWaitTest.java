package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.HealthState;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for the end of a mesh, and who may bring it about (L3, L4). */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class MeshWaitTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(5);

    @Test
    void shouldReturnWithinItsTimeoutWhileTheMeshRuns() throws Exception {
        try (LoopbackMeshes meshes = LoopbackMeshes.form(2)) {
            for (Duration timeout : new Duration[] {Duration.ZERO, SHORT, Duration.ofSeconds(-1)}) {
                long startNs = System.nanoTime();
                assertThat(meshes.mesh(0).awaitClosed(timeout)).isFalse();
                assertThat(System.nanoTime() - startNs).isBetween(timeout.toNanos(), BOUND_NS);
            }
        }
    }

    @Test
    void shouldReturnToAllThatWaitAtTheSameTime() throws Exception {
        try (LoopbackMeshes meshes = LoopbackMeshes.form(2)) {
            FutureTask<Boolean> one = waiter(meshes.mesh(0), LONG);
            FutureTask<Boolean> other = waiter(meshes.mesh(0), Duration.ofSeconds(Long.MAX_VALUE));
            FutureTask<Boolean> hasty = waiter(meshes.mesh(0), SHORT);
            assertThat(hasty.get(20, TimeUnit.SECONDS)).isFalse();
            assertThat(one.isDone() || other.isDone()).isFalse();
            meshes.all().forEach(Mesh::hangUp);
            assertThat(one.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(other.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(meshes.mesh(0).awaitClosed(Duration.ZERO))
                    .as("once it is over")
                    .isTrue();
        }
    }

    /** While nobody else comes: the greet thread sleeps in its selector, and would for long. */
    @Test
    void shouldLeaveNothingAtOnceWhenFormingIsInterrupted() throws Exception {
        ClusterConfig config = ClusterConfig.builder()
                .clusterId("interrupted")
                .addresses(LoopbackMeshes.freeEndpoints(2))
                .formationTimeout(Duration.ofMinutes(5))
                .build();
        FutureTask<Mesh> forming = new FutureTask<>(() -> Mesh.form(config, new CollectingReceiver()));
        Thread thread = new Thread(forming, "test-forms");
        thread.start();
        long startNs = System.nanoTime();
        while (LoopbackMeshes.threadsNamed("hawser-interrupted").size() < 2) {
            assertThat(System.nanoTime() - startNs).isLessThan(2 * BOUND_NS);
            Thread.onSpinWait();
        }
        thread.interrupt();
        startNs = System.nanoTime();
        assertThatThrownBy(() -> forming.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        assertThat(System.nanoTime() - startNs).isLessThan(BOUND_NS);
        assertThat(LoopbackMeshes.threadsNamed("hawser-interrupted")).isEmpty();
    }

    private static FutureTask<Boolean> waiter(Mesh mesh, Duration timeout) {
        FutureTask<Boolean> task = new FutureTask<>(() -> mesh.awaitClosed(timeout));
        new Thread(task, "test-waits").start();
        return task;
    }

    /** All is done, but some thread of the user's factory takes its time to go. */
    @Test
    void shouldNotWaitBeyondItsTimeoutForThreadsThatLinger() throws Exception {
        CountDownLatch mayGo = new CountDownLatch(1);
        try (LoopbackMeshes meshes = LoopbackMeshes.form(
                3,
                (process, config) -> process != 0
                        ? config
                        : config.threadFactory(body -> new Thread(() -> {
                            body.run();
                            await(mayGo);
                        })))) {
            meshes.all().forEach(Mesh::hangUp);
            assertThat(meshes.mesh(1).awaitClosed(LONG)).isTrue();
            Thread later = new Thread(() -> letGoLater(mayGo), "test-lets-go");
            later.start();
            for (Duration timeout : new Duration[] {SHORT, Duration.ZERO}) {
                long startNs = System.nanoTime();
                assertThat(meshes.mesh(0).awaitClosed(timeout)).isFalse();
                assertThat(System.nanoTime() - startNs).isLessThan(BOUND_NS / 2);
            }
            mayGo.countDown();
            assertThat(meshes.mesh(0).awaitClosed(LONG)).isTrue();
            assertThat(meshes.mesh(0).health().state()).isEqualTo(HealthState.ENDED);
        }
    }

    /** So that a test that fails comes to its end. */
    private static void letGoLater(CountDownLatch mayGo) {
        try {
            mayGo.await(BOUND_NS, TimeUnit.NANOSECONDS);
            mayGo.countDown();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A try-with-resources in the wrong place must not switch the detection of failures off. */
    @Test
    void shouldRefuseToEndTheHealthOfAMeshForAnybodyElse() throws Exception {
        try (LoopbackMeshes meshes = LoopbackMeshes.form(2)) {
            Mesh mesh = meshes.mesh(0);
            for (Runnable ending : new Runnable[] {
                () -> mesh.health().end(), () -> mesh.health().close()
            }) {
                assertThatIllegalStateException()
                        .isThrownBy(ending::run)
                        .withMessageContaining("close or abort it")
                        .withMessageEndingWith("name=loopback-p0-g1");
            }
            assertThat(mesh.health().state()).isEqualTo(HealthState.HEALTHY);
            meshes.all().forEach(Mesh::hangUp);
            assertThat(mesh.awaitClosed(LONG)).isTrue();
            assertThat(mesh.health().state()).as("by its owner").isEqualTo(HealthState.ENDED);
        }
    }
}
