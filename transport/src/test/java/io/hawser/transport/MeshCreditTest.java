package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.HealthState;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two meshes over loopback, and consumers that are slow: memory stays bounded, control goes on, nothing is lost (L7, L8; cases 29, 104, 108).
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MeshCreditTest {
    private static final Duration END = Duration.ofSeconds(20);
    /** At least, padded. */
    private static final int HEARTBEAT_LENGTH = 96;

    private static final int WINDOW = 8 * 1_024;
    private static final int CHANNELS = 16;
    private static final int SLAB = 64 * 1_024;
    private static final int RING = 64 * 1_024;
    private static final int CONTROL = 8 * 1_024;
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final UnsafeBuffer source = new UnsafeBuffer(new byte[4 * 1_024]);

    private static LoopbackMeshes form(long floating, HoldingReceiver receiver) {
        return LoopbackMeshes.form(
                2,
                (process, config) -> config.frameLimit(4 * 1_024)
                        .sendRingLength(RING)
                        .slabLength(SLAB)
                        .channelWindow(WINDOW)
                        .channelLimit(CHANNELS)
                        .floatingWindow(floating)
                        .channelWindowMax(8 * WINDOW)
                        .heartbeatInterval(INTERVAL)
                        .silenceTimeout(Duration.ofSeconds(5)),
                process -> process == 1 ? receiver : new CollectingReceiver());
    }

    /** All channels are as full as they can be, nobody reads any, and heartbeats go to and fro as ever. */
    @Test
    void shouldBoundMemoryAndKeepControlFlowingWhenNobodyConsumes() throws Exception {
        HoldingReceiver receiver = new HoldingReceiver(channel -> true);
        try (LoopbackMeshes meshes = form(4 * WINDOW, receiver)) {
            Mesh from = meshes.mesh(0);
            Mesh to = meshes.mesh(1);
            SendRing ring = from.openRing(1, 0);
            for (int length : new int[] {0, 64, 1_000, 3_900}) {
                for (int channel = 0; channel < CHANNELS; channel++) {
                    fill(ring, ring.openLane(0, channel, 1, 1), length);
                }
            }
            ring.flush();
            long sent = from.lanes(1).stream()
                    .filter(LaneState::isSending)
                    .mapToLong(LaneState::charged)
                    .sum();
            assertThat(sent).isGreaterThan(CHANNELS * (WINDOW - 1_024L));
            await(() -> receiver.heldBytes() == sent); // all of it, so that what comes from now on is control
            for (int channel = 0; channel < CHANNELS; channel++) {
                assertThat(ring.tryClaim(ring.openLane(0, channel, 1, 1), 2_000))
                        .isEqualTo(SendRing.NO_CREDIT);
            }
            assertThat(receiver.heldBytes()).isLessThanOrEqualTo(CHANNELS * (long) WINDOW);
            assertThat(to.memory().liveBytes()).isLessThanOrEqualTo(to.config().receiveMemoryLimit() + CONTROL);

            long bytesBefore = to.stats(0).bytesIn();
            await(() ->
                    to.stats(0).bytesIn() > bytesBefore + 5 * HEARTBEAT_LENGTH); // no data can come, so it is control
            for (Mesh mesh : meshes.all()) {
                int peer = 1 - mesh.config().processIndex();
                await(() -> mesh.stats(peer).roundTripNs() > 0);
                PeerStats stats = mesh.stats(peer);
                assertThat(stats.roundTripNs()).isLessThan(TimeUnit.SECONDS.toNanos(5));
                assertThat(stats.silenceNs()).isLessThan(TimeUnit.SECONDS.toNanos(2));
                assertThat(mesh.health().state()).isEqualTo(HealthState.HEALTHY);
            }

            // and all goes on as if nothing had been
            while (receiver.consumeOne()) {
                // the rest too
            }
            for (int channel = 0; channel < CHANNELS; channel++) {
                ring.push(ring.openLane(0, channel, 1, 1), source, 0, 2_000);
            }
            ring.close();
            meshes.all().forEach(Mesh::hangUp);
            await(() -> {
                receiver.consumeOne();
                return from.health().state() == HealthState.ENDED
                        && receiver.heldCount() == 0; // in that order: then nothing comes
            });
            assertEnded(meshes);
        }
    }

    private void fill(SendRing ring, SendLane lane, int length) {
        while (true) {
            int index = ring.tryClaim(lane, length);
            if (index == SendRing.NO_CREDIT) {
                return;
            }
            if (index == SendRing.FULL) {
                ring.await(lane, index);
            } else {
                ring.commit();
            }
        }
    }

    @Test
    void shouldDeliverAllWithinBoundedMemoryWhenTheConsumerIsSlow() throws Exception {
        int messages = 40_000;
        HoldingReceiver receiver = new HoldingReceiver(channel -> true);
        try (LoopbackMeshes meshes = form(16 * WINDOW, receiver)) {
            Mesh to = meshes.mesh(1);
            SendRing ring = meshes.mesh(0).openRing(1, 0);
            FutureTask<Boolean> pushing = new FutureTask<>(
                    () -> {
                        for (int i = 0; i < messages; i++) {
                            SendLane lane = ring.openLane(0, i % 7, 1, 1);
                            ring.push(lane, source, 0, i % 31 == 0 ? 2_000 : i % 97);
                        }
                        for (int channel = 0; channel < 7; channel++) {
                            SendLane lane = ring.openLane(0, channel, 1, 1);
                            while (!ring.tryClose(lane)) {
                                ring.await(lane, SendRing.FULL);
                            }
                        }
                        ring.close();
                    },
                    true);
            Thread worker = new Thread(pushing, "test-pushes");
            worker.setDaemon(true);
            worker.start();
            long mostBytes = 0;
            long consumed = 0;
            long deadlineNs = System.nanoTime() + END.toNanos();
            while (!(pushing.isDone() && receiver.messages() == messages && receiver.heldCount() == 0)) {
                mostBytes = Math.max(mostBytes, to.memory().liveBytes());
                if (!receiver.consumeOne()) {
                    Thread.onSpinWait();
                } else if (consumed++ % 400 == 0) {
                    Thread.sleep(1);
                }
                assertThat(System.nanoTime() - deadlineNs)
                        .as("messages=%d held=%d", receiver.messages(), receiver.heldCount())
                        .isNegative();
            }
            assertThat(pushing.get()).isTrue();
            assertThat(mostBytes).isLessThanOrEqualTo(to.config().receiveMemoryLimit() + CONTROL);
            await(() -> to.windows().freeBytes() == 16 * WINDOW);
            meshes.all().forEach(Mesh::hangUp);
            assertEnded(meshes);
        }
    }

    /** One unread message of a few bytes in each slab: beyond some slabs their memory is used again all the same. */
    @Test
    void shouldNotPinASlabForEachUnreadMessage() throws Exception {
        int unread = 50;
        IntPredicate isHeld = channel -> channel == 1;
        HoldingReceiver receiver = new HoldingReceiver(isHeld);
        try (LoopbackMeshes meshes = form(0, receiver)) {
            Mesh to = meshes.mesh(1);
            SendRing ring = meshes.mesh(0).openRing(1, 0);
            SendLane flood = ring.openLane(0, 0, 1, 1);
            SendLane few = ring.openLane(0, 1, 1, 1);
            for (int i = 0; i < unread; i++) {
                ring.push(few, source, 0, 16);
                for (int bytes = 0; bytes < 2 * SLAB; bytes += 1_000) {
                    ring.push(flood, source, 0, 1_000);
                }
            }
            ring.flush();
            await(() -> receiver.heldCount() == unread);
            await(() -> receiver.messages() == unread * (1 + (2 * SLAB + 999L) / 1_000));
            assertThat(to.memory().liveBytes())
                    .as("bytes, whereas %d slabs are %d", unread, unread * SLAB)
                    .isLessThanOrEqualTo(9L * SLAB + 4 * SLAB + CONTROL);

            while (receiver.consumeOne()) {
                // the rest
            }
            ring.close();
            meshes.all().forEach(Mesh::hangUp);
            assertEnded(meshes);
        }
    }

    private static void assertEnded(LoopbackMeshes meshes) throws InterruptedException {
        for (Mesh mesh : meshes.all()) {
            assertThat(mesh.awaitClosed(END)).isTrue();
            assertThat(mesh.health().state()).isEqualTo(HealthState.ENDED);
            assertThat(mesh.memory().liveBytes()).isZero();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadlineNs = System.nanoTime() + END.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadlineNs).isNegative();
            Thread.sleep(1);
        }
    }
}
