package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A mesh over real sockets, of which the test is the other processes: sessions that do what they are told, and nobody who decides. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LateWriteTest {
    private static final String CLUSTER = "late-write";
    private static final long SOON_NS = TimeUnit.SECONDS.toNanos(10);

    private final List<Endpoint> addresses = LoopbackMeshes.freeEndpoints(3);
    private final List<Peer> peers = new ArrayList<>();
    private Peer first;
    private Peer second;

    /** One process of the cluster. */
    private static final class Peer {
        private final Session session;
        private final SocketChannel channel;
        private final FrameDecoder decoder;
        private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[8 * 1_024]);
        private final ByteBuffer in = ByteBuffer.allocate(1 << 16);

        Peer(ClusterConfig config, Endpoint target) throws IOException {
            Hello own = Hello.of(config, ProcessIdentity.current(), 1, Nonce.next());
            session = new Session(Session.Role.DIALLER, own.to(0), new FrameEncoder(), System.nanoTime());
            decoder = new FrameDecoder().agreed(config.frameLimit(), true).recordWalk(true);
            channel = dial(new InetSocketAddress(target.host(), target.port()));
            channel.configureBlocking(false);
            session.onConnected(System.nanoTime());
        }

        /** As soon as somebody listens there. */
        private static SocketChannel dial(InetSocketAddress address) throws IOException {
            long startNs = System.nanoTime();
            while (true) {
                try {
                    return SocketChannel.open(address);
                } catch (ConnectException nobodyYet) {
                    if (System.nanoTime() - startNs > SOON_NS) {
                        throw nobodyYet;
                    }
                    Thread.yield();
                }
            }
        }

        /** Says what is due, and hears what has come. */
        void pump() throws IOException {
            int length = session.poll(out, 0, true, System.nanoTime());
            while (length > 0) {
                assertThat(channel.write(ByteBuffer.wrap(out.byteArray(), 0, length)))
                        .isEqualTo(length);
                length = session.poll(out, 0, true, System.nanoTime());
            }
            if (channel.read(in) > 0) {
                hear();
            }
        }

        private void hear() {
            UnsafeBuffer bytes = new UnsafeBuffer(in.array());
            session.onBytes(1, System.nanoTime());
            int from = 0;
            int length = decoder.decode(bytes, from, in.position());
            while (length > 0) {
                header.wrap(bytes, from);
                Session.Verdict verdict =
                        session.onFrame(header, bytes, from + FrameHeaderFlyweight.HEADER_LENGTH, System.nanoTime());
                if (verdict == Session.Verdict.GREETED) {
                    session.openLanes(new WindowPool(0, 0, null), () -> {}, new StoppedScopes());
                    session.readyUp();
                }
                from += length;
                length = decoder.decode(bytes, from, in.position());
            }
            assertThat(length).as("what the decoder says").isZero();
            in.flip().position(from);
            in.compact();
        }

        void reset() throws IOException {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        }
    }

    private ClusterConfig config(int process) {
        return ClusterConfig.builder()
                .clusterId(CLUSTER)
                .processIndex(process)
                .addresses(addresses)
                .heartbeatInterval(Duration.ofMillis(50))
                .formationTimeout(Duration.ofSeconds(10))
                .build();
    }

    @AfterEach
    void close() throws IOException {
        for (Peer peer : peers) {
            peer.channel.close();
        }
    }

    private void pumpUntil(String what, BooleanSupplier isSo) throws IOException {
        long startNs = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime() - startNs).as(what).isLessThan(SOON_NS);
            for (Peer peer : peers) {
                if (peer.channel.isOpen()) {
                    peer.pump();
                }
            }
            Thread.yield();
        }
    }

    private Mesh form() throws Exception {
        FutureTask<Mesh> forming = new FutureTask<>(() -> Mesh.form(config(0), new CollectingReceiver()));
        new Thread(forming, "test-forms").start();
        first = new Peer(config(1), addresses.get(0));
        peers.add(first);
        second = new Peer(config(2), addresses.get(0));
        peers.add(second);
        pumpUntil("formed", forming::isDone);
        return forming.get();
    }

    /**
     * The first peer has confirmed, so nobody reads from it any more; the second one has still to hang up, so it is not confirmed yet. Then the first
     * one dies, and only a write can tell (L3: this process waited for ever).
     */
    @Test
    void shouldLoseAPeerThatDiesBetweenItsConfirmAndOurs() throws Exception {
        try (Mesh mesh = form()) {
            mesh.hangUp();
            first.session.hangUp();
            pumpUntil("hung up", () -> first.session.received() == Session.Stage.HUNG_UP);
            first.session.confirm();
            pumpUntil(
                    "confirmed",
                    () -> LoopbackMeshes.threadsNamed("hawser-" + CLUSTER + "-p0-g1-recv-from-1")
                            .isEmpty());
            assertThat(mesh.health().isLost()).isFalse();
            first.reset();
            pumpUntil("lost", () -> mesh.health().isLost());
            Cause cause = mesh.health().firstCause();
            assertThat(cause.kind()).isEqualTo(CauseKind.PEER_LOST);
            assertThat(cause.subjectProcess()).isEqualTo(1);
            assertThat(cause.seen()).contains("a write failed");
            pumpUntil("told to the second", () -> second.session.received() == Session.Stage.ABORTED);
            assertThat(second.session.peerCause().sameEvent(cause)).isTrue();
            second.channel.close();
            assertThat(mesh.awaitClosed(Duration.ofSeconds(5))).isTrue();
        }
    }
}
