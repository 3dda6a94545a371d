package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.RecordDescriptor;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The two threads of one link over a real socket, of which the test is the other end. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LinkTest {
    private static final int TIMEOUT_MS = 10_000;
    /** Makes a frame of 1 KiB, so that a number of them fills a write exactly and leaves no room for another ring. */
    private static final int LENGTH = 1_024 - FrameHeaderFlyweight.HEADER_LENGTH - RecordDescriptor.PREFIX_LENGTH;

    private static final int WRITE_LIMIT = 256 * 1_024;
    private static final int FLOOD_LENGTH = 3 * 1_024 * 1_024;

    private final MemoryAccount account = new MemoryAccount();
    private final Owner owner = new Owner();
    private final FailingSession session = new FailingSession();
    private ScriptedPeer peer;
    private SlabPool pool;
    private WindowPool windows;
    private final List<SlabPool> cellPools = new ArrayList<>();
    private Link link;
    private SocketChannel ours;
    private Socket theirs;
    private DataInputStream received;

    /** Fails on demand where nothing fails by itself. */
    private static final class FailingSession extends Session {
        private volatile boolean failsToPoll;
        private volatile boolean failsToSeal;

        FailingSession() {
            super(Role.ACCEPTOR, hello(0), new FrameEncoder(), 0);
        }

        @Override
        int poll(MutableDirectBuffer buffer, int offset, boolean drained, long nowNs) {
            if (failsToPoll) {
                failsToPoll = false;
                throw new IllegalStateException("between two frames");
            }
            return super.poll(buffer, offset, drained, nowNs);
        }

        @Override
        void sealData(MutableDirectBuffer buffer, int offset, int length, int check) {
            super.sealData(buffer, offset, length, check);
            if (failsToSeal) {
                throw new IllegalStateException("in the middle of a frame");
            }
        }
    }

    /** A mesh of one link. */
    private static final class Owner implements LinkOwner {
        private final Health health = Health.root("link-test");
        private final CompletableFuture<Boolean> wasHeardOutOnAbort = new CompletableFuture<>();

        @Override
        public Clock clock() {
            return Clock.system();
        }

        @Override
        public Health health() {
            return health;
        }

        @Override
        public Cause rehearsalCause() {
            return ScriptedPeer.cause(0, 1);
        }

        @Override
        public void onThreadFailed(String role, Throwable error) {
            health.lose(Cause.builder(CauseKind.THREAD_FAILED)
                    .subjectProcess(0)
                    .observerProcess(0)
                    .generation(Hellos.GENERATION)
                    .seen(role + " threw " + error)
                    .build());
        }

        @Override
        public void awaitStart(Link link) {}

        @Override
        public void onData(FrameHeaderFlyweight header, Slab slab, int offset, ReceiveLane lane) {}

        @Override
        public void onNotice(Notice notice, ConsumptionListener books) {}

        @Override
        public void onWaiting(WaitNews news) {}

        @Override
        public String onFate(Link link, long scopeId) {
            return null;
        }

        @Override
        public void onCancel(Link link, long scopeId, int worker) {}

        @Override
        public String onCancelled(Link link, long scopeId) {
            return null;
        }

        @Override
        public void onOffered(Link link, FrameHeaderFlyweight header, DirectBuffer buffer, int payload) {}

        @Override
        public void onPeerReady(Link link) {}

        @Override
        public void onPeerHungUp(Link link) {}

        @Override
        public void onPeerAborted(Link link, Cause cause) {
            wasHeardOutOnAbort.complete(link.isHeardOut());
        }

        @Override
        public void onPeerLost(Link link, String seen) {}

        @Override
        public void onPeerViolated(Link link, String seen) {}

        @Override
        public void wakeWatch() {}
    }

    private void open() throws IOException {
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            theirs = new Socket(address.getAddress(), address.getPort());
            ours = listener.accept();
            ours.configureBlocking(false);
        }
        theirs.setSoTimeout(TIMEOUT_MS);
        received = new DataInputStream(theirs.getInputStream());
        peer = new ScriptedPeer(session, hello(1), 0).open();
        session.onBytes(1, Clock.system().nanoTime());
        ClusterConfig config = config();
        pool = new SlabPool(config.slabLength(), 1, account);
        windows = new WindowPool(config.floatingWindow(), config.channelWindowMax(), Clock.system());
        link = new Link(
                owner,
                config,
                ours,
                session,
                pool,
                new LaneCells(account, cellPools),
                windows,
                account,
                new StoppedScopes(),
                new Names("link-test-"));
    }

    /** Windows that hold all that is pushed before anybody reads. */
    private static Hello hello(int process) {
        return Hellos.spoken(process, 1 - process)
                .windows(2 * FLOOD_LENGTH, 12L * FLOOD_LENGTH)
                .hello();
    }

    private static ClusterConfig config() {
        return ClusterConfig.builder()
                .addresses(List.of(new Endpoint("127.0.0.1", 1), new Endpoint("127.0.0.1", 2)))
                .sendRingLength(4 * 1_024 * 1_024)
                .build();
    }

    @AfterEach
    void close() throws Exception {
        link.close();
        theirs.close();
        link.sendThread().join(TIMEOUT_MS);
        link.receiveThread().join(TIMEOUT_MS);
        assertThat(link.isEnded()).isTrue();
        pool.close();
        cellPools.forEach(SlabPool::close);
        assertThat(account.liveBytes()).isZero();
    }

    private SendRing ring(int worker) {
        return link.openRing(config(), worker, account);
    }

    private static void push(SendRing ring, int length) {
        ring.push(ring.openLane(0, 1, Hellos.WORKERS, 1), new UnsafeBuffer(new byte[length]), 0, length);
        ring.flush();
    }

    /** Reads the next frame; null at the end of the stream. */
    private FrameHeaderFlyweight next() throws IOException {
        byte[] bytes = received.readNBytes(FrameHeaderFlyweight.HEADER_LENGTH);
        if (bytes.length < FrameHeaderFlyweight.HEADER_LENGTH) {
            return null;
        }
        FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(new UnsafeBuffer(bytes), 0);
        received.skipNBytes(header.alignedLength() - FrameHeaderFlyweight.HEADER_LENGTH);
        return header;
    }

    /** Whatever one worker has pushed, another one's message waits for one write at most. */
    @Test
    void shouldSendFromEachRingInTurnWhenOneIsFlooded() throws Exception {
        open();
        SendRing flooded = ring(0);
        SendRing other = ring(1);
        for (int pushed = 0; pushed < FLOOD_LENGTH; pushed += LENGTH) {
            push(flooded, LENGTH);
        }
        push(other, LENGTH);
        link.start();

        int before = 0;
        FrameHeaderFlyweight frame = next();
        while (frame.sourceWorker() != 1) {
            before += frame.alignedLength();
            frame = next();
        }
        assertThat(before).as("bytes of the flood before it").isBetween(WRITE_LIMIT / 2, 2 * WRITE_LIMIT);
        flooded.close();
        other.close();
    }

    /** Its stream is whole: the peer is told. */
    @Test
    void shouldTellTheCauseWhenTheSendThreadFailsBetweenFrames() throws Exception {
        open();
        session.failsToPoll = true;
        link.start();

        FrameHeaderFlyweight frame = next();
        while (frame != null && frame.type() != FrameType.ABORT) {
            frame = next();
        }
        assertThat(frame).as("an ABORT, before the end").isNotNull();
        assertThat(session.sentCause().kind()).isEqualTo(CauseKind.THREAD_FAILED);
        assertThat(session.sentCause().seen()).contains("between two frames");
    }

    /** What came behind half a frame would be taken for its rest. */
    @Test
    void shouldCloseWhenTheSendThreadFailsInTheMiddleOfAFrame() throws Exception {
        open();
        session.failsToSeal = true;
        SendRing ring = ring(0);
        push(ring, LENGTH);
        link.start();

        FrameHeaderFlyweight frame = next();
        while (frame != null) {
            assertThat(frame.type()).isEqualTo(FrameType.HEARTBEAT);
            frame = next();
        }
        assertThat(owner.health.firstCause().seen()).contains("in the middle of a frame");
        assertThat(session.sentCause()).isNull();
        ring.close();
    }

    /** L2: whoever sees all links heard out settles the causes, and has to know this one by then. Case 58 failed by it. */
    @Test
    void shouldBeHeardOutOnlyAfterItsCauseIsKnown() throws Exception {
        open();
        link.start();
        UnsafeBuffer frame = new UnsafeBuffer(new byte[4_096]);
        theirs.getOutputStream().write(frame.byteArray(), 0, peer.writeAbort(frame, ScriptedPeer.cause(1, 1)));

        assertThat(owner.wasHeardOutOnAbort.get(TIMEOUT_MS, TimeUnit.MILLISECONDS))
                .isFalse();
        while (!link.isHeardOut()) {
            Thread.onSpinWait();
        }
        owner.health.lose(ScriptedPeer.cause(0, 1));
    }

    @Test
    void shouldAccountForTheMemoryOfControlFrames() throws Exception {
        open();
        assertThat(account.liveBytes()).isEqualTo(8 * 1_024);
        link.start();
    }
}
