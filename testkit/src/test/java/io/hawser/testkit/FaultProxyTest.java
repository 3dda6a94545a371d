package io.hawser.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.framing.FrameType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class FaultProxyTest {
    private static final int QUIET_MS = 150;
    private static final int LONG_MS = 10_000;

    private ServerSocket server;
    private FaultProxy proxy;
    private Socket dialler;
    private Socket target;

    @BeforeEach
    void connectThroughProxy() throws IOException {
        server = new ServerSocket(FreePorts.next(), 10, InetAddress.getLoopbackAddress());
        proxy = FaultProxy.to(server.getLocalPort());
        dialler = dial();
        target = server.accept();
        dialler.setSoTimeout(LONG_MS);
        target.setSoTimeout(LONG_MS);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        dialler.close();
        target.close();
        server.close();
    }

    @Test
    void shouldForwardBothWaysAndPassEndsOfStreamOneByOne() throws IOException {
        say(dialler, "ping");
        assertThat(hear(target, 4)).isEqualTo("ping");
        dialler.shutdownOutput();
        assertThat(target.getInputStream().read()).isEqualTo(-1);
        say(target, "pong");
        assertThat(hear(dialler, 4)).isEqualTo("pong");
        target.shutdownOutput();
        assertThat(dialler.getInputStream().read()).isEqualTo(-1);
        Deadline.await(Duration.ofSeconds(5), "connection over", () -> proxy.openCount() == 0);
        assertThat(proxy.toTarget().passedBytes()).isEqualTo(4);
    }

    @Test
    void shouldPassResetAsReset() throws IOException {
        say(dialler, "ping");
        hear(target, 4);
        Cut.RST.end(dialler);
        assertThatThrownBy(() -> target.getInputStream().read()).isInstanceOf(SocketException.class);
    }

    @Test
    void shouldKeepBytesAndEndsWhileStalledAndDeliverThemWhenHealed() throws IOException {
        proxy.blackHole();
        say(dialler, "late");
        dialler.shutdownOutput();
        assertSilent(target);
        proxy.heal();
        assertThat(hear(target, 4)).isEqualTo("late");
        assertThat(target.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void shouldBlockWriterWhileStalled() throws Exception {
        proxy.toTarget().stall();
        final Thread writer = new Thread(() -> sayManyMegabytes(dialler));
        writer.start();
        writer.join(500);
        assertThat(writer.isAlive()).isTrue();
        proxy.cut(Cut.RST);
        writer.join(LONG_MS);
        assertThat(writer.isAlive()).isFalse();
    }

    @Test
    void shouldSwallowOneWayOnly() throws IOException {
        proxy.toTarget().swallow();
        say(dialler, "lost");
        dialler.shutdownOutput();
        assertSilent(target);
        say(target, "seen");
        assertThat(hear(dialler, 4)).isEqualTo("seen");
    }

    @Test
    void shouldStallOneWayOnly() throws IOException {
        proxy.toTarget().stall();
        say(dialler, "late");
        assertSilent(target);
        say(target, "seen");
        assertThat(hear(dialler, 4)).isEqualTo("seen");
        proxy.toTarget().pass();
        assertThat(hear(target, 4)).isEqualTo("late");
    }

    @Test
    void shouldLoseForGoodWhatWasSwallowed() throws IOException {
        proxy.toTarget().swallow();
        say(dialler, "lost");
        Deadline.await(
                Duration.ofSeconds(5), "swallowed", () -> proxy.toTarget().passedBytes() == 4);
        proxy.heal();
        say(dialler, "kept");
        assertThat(hear(target, 4)).isEqualTo("kept");
    }

    @Test
    void shouldDelay() throws IOException {
        proxy.toTarget().delay(Duration.ofMillis(QUIET_MS));
        final long startNs = System.nanoTime();
        say(dialler, "ping");
        assertThat(hear(target, 4)).isEqualTo("ping");
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(QUIET_MS * 1_000_000L);
    }

    @Test
    void shouldTrickleByteByByte() throws IOException {
        proxy.toTarget().trickle(1, Duration.ofMillis(20));
        final long startNs = System.nanoTime();
        say(dialler, "12345");
        assertThat(hear(target, 5)).isEqualTo("12345");
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(4 * 20 * 1_000_000L);
    }

    @Test
    void shouldKeepToRateOverAllConnections() throws IOException {
        final int bytesPerSecond = 100_000;
        final int length = 30_000;
        proxy.toTarget().limitRate(bytesPerSecond);
        final long startNs = System.nanoTime();
        try (Socket other = dial();
                Socket otherTarget = server.accept()) {
            dialler.getOutputStream().write(new byte[length]);
            other.getOutputStream().write(new byte[length]);
            target.getInputStream().readNBytes(length);
            otherTarget.getInputStream().readNBytes(length);
        }
        // the first write of each connection need not wait for its own length
        final long leastMs = (2L * length - 2L * bytesPerSecond / 50) * 1_000 / bytesPerSecond;
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs)).isGreaterThanOrEqualTo(leastMs);
    }

    @Test
    void shouldPassAtOnceWhatTheRateHeldBackWhenHealed() throws IOException {
        proxy.toTarget().limitRate(1);
        say(dialler, "slow");
        assertThat(hear(target, 1)).isEqualTo("s");
        assertSilent(target);
        final long startNs = System.nanoTime();
        proxy.heal();
        assertThat(hear(target, 3)).isEqualTo("low");
        assertThat(System.nanoTime() - startNs).isLessThan(2_000_000_000L);
    }

    @Test
    void shouldFlipOneBitAtPosition() throws IOException {
        proxy.toTarget().flipBit(2, 0);
        say(dialler, "abcd");
        assertThat(hear(target, 4)).isEqualTo("abbd");
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void shouldCutBothSides(final Cut how) throws IOException {
        say(dialler, "ping");
        hear(target, 4);
        proxy.cut(how);
        assertEnded(dialler, how);
        assertEnded(target, how);
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void shouldCutAtPosition(final Cut how) throws IOException {
        proxy.toTarget().cutAt(3, how);
        say(dialler, "abc");
        assertThat(hear(target, 3)).isEqualTo("abc");
        say(dialler, "def");
        assertEnded(target, how);
        assertEnded(dialler, how);
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void shouldCutAtFrame(final Cut how) throws IOException {
        final FrameStream stream = FrameStream.greeted().ready().data(100, true).data(100, true);
        proxy.toTarget().cutAtFrame(2, how);
        assertPassesUntil(stream, 2, how);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 40, 1_000})
    void shouldCutAtFrameOfTypeHoweverItComes(final int pieceLength) throws IOException {
        final FrameStream stream =
                FrameStream.greeted().ready().data(100, true).ready().data(100, true);
        proxy.toTarget().cutAtFrame(FrameType.DATA, 1, Cut.FIN);
        final byte[] bytes = stream.bytes();
        for (int position = 0; position < bytes.length; position += pieceLength) {
            dialler.getOutputStream().write(bytes, position, Math.min(pieceLength, bytes.length - position));
        }
        assertThat(target.getInputStream().readAllBytes()).isEqualTo(Arrays.copyOf(bytes, stream.start(4)));
        assertThat(proxy.toTarget().passedFrames(FrameType.READY)).isEqualTo(2);
        assertThat(proxy.toTarget().passedFrames(FrameType.DATA)).isEqualTo(1);
    }

    @Test
    void shouldCutAtNextFrameWhenOrderedInMidstream() throws IOException {
        final FrameStream stream = FrameStream.greeted().ready().data(100, true);
        final byte[] bytes = stream.bytes();
        final int within = stream.start(1) + 20;
        dialler.getOutputStream().write(bytes, 0, within);
        assertThat(target.getInputStream().readNBytes(within)).hasSize(within);
        proxy.toTarget().cutAtFrame(0, Cut.FIN);
        dialler.getOutputStream().write(bytes, within, bytes.length - within);
        assertThat(target.getInputStream().readAllBytes())
                .isEqualTo(Arrays.copyOfRange(bytes, within, stream.start(2)));
    }

    @Test
    void shouldNotCutAtFrameOfStreamThatIsNoneOfOurs() throws IOException {
        proxy.toTarget().cutAtFrame(FrameType.DATA, 0, Cut.RST);
        say(dialler, "GET / HTTP/1.1");
        assertThat(hear(target, 14)).isEqualTo("GET / HTTP/1.1");
    }

    @Test
    void shouldPassTornHeaderWhenStreamEndsWhileFrameIsSought() throws IOException {
        final byte[] start = Arrays.copyOf(FrameStream.greeted().bytes(), 20);
        proxy.toTarget().cutAtFrame(FrameType.DATA, 0, Cut.RST);
        dialler.getOutputStream().write(start);
        dialler.shutdownOutput();
        assertThat(target.getInputStream().readAllBytes()).isEqualTo(start);
    }

    private void assertPassesUntil(final FrameStream stream, final int frame, final Cut how) throws IOException {
        dialler.getOutputStream().write(stream.bytes(), 0, stream.start(frame));
        assertThat(target.getInputStream().readNBytes(stream.start(frame)))
                .isEqualTo(Arrays.copyOf(stream.bytes(), stream.start(frame)));
        dialler.getOutputStream().write(stream.bytes(), stream.start(frame), 1);
        assertEnded(target, how);
        assertEnded(dialler, how);
    }

    @Test
    void shouldResetWhateverIsAcceptedWhenOrdered() {
        proxy.onAccept(FaultProxy.OnAccept.RESET);
        // the reset may come before the dialler has seen its connection
        assertThatThrownBy(this::dialAndHear)
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    @Test
    void shouldResetHeldConnectionsAndForwardLaterOnesWhenHealed() throws IOException {
        proxy.onAccept(FaultProxy.OnAccept.HOLD);
        try (Socket held = dial()) {
            Deadline.await(Duration.ofSeconds(5), "held", () -> proxy.acceptedCount() == 2);
            assertSilent(held);
            proxy.heal();
            assertEnded(held, Cut.RST);
        }
        try (Socket later = dial();
                Socket laterTarget = server.accept()) {
            say(later, "ping");
            assertThat(hear(laterTarget, 4)).isEqualTo("ping");
        }
    }

    @Test
    void shouldFreePortAndThreadsWhenClosed() throws IOException {
        proxy.toTarget().delay(Duration.ofHours(1));
        proxy.toDialler().limitRate(1);
        say(dialler, "under way");
        say(target, "under way");
        assertThat(hear(dialler, 1)).isEqualTo("u");
        proxy.close();
        assertThat(FreePorts.isFree(proxy.port())).isTrue();
        Deadline.await(
                Duration.ofSeconds(5),
                "end of the proxy's threads",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith(proxy.threadPrefix())));
        assertThat(proxy.openCount()).isZero();
    }

    @Test
    void shouldRefuseOrdersThatMakeNoSense() {
        final ProxyLane lane = proxy.toTarget();
        assertThatThrownBy(() -> lane.limitRate(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("bytesPerSecond=0");
        assertThatThrownBy(() -> lane.trickle(0, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lane.flipBit(0, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> lane.cutAtFrame(-1, Cut.FIN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldTellWhatIsDone() {
        assertThat(proxy.toTarget().toString()).isEqualTo("to-target: 0 bytes passed, faithful");
        proxy.toTarget().stall();
        proxy.toTarget().limitRate(7);
        assertThat(proxy.toString())
                .contains("stalled, bytesPerSecond=7")
                .contains("to-dialler: 0 bytes passed, faithful");
    }

    @Test
    void shouldCloseWhateverIsAcceptedWhenOrdered() throws IOException {
        proxy.onAccept(FaultProxy.OnAccept.CLOSE);
        try (Socket late = dial()) {
            late.setSoTimeout(LONG_MS);
            assertThat(late.getInputStream().read()).isEqualTo(-1);
        }
        proxy.onAccept(FaultProxy.OnAccept.HOLD);
        try (Socket held = dial()) {
            assertSilent(held);
        }
        assertThat(proxy.acceptedCount()).isEqualTo(3);
    }

    @Test
    void shouldResetDiallerWhenTargetRefuses() throws IOException {
        server.close();
        target.close();
        // the reset may come before the dialler has seen its connection
        assertThatThrownBy(this::dialAndHear)
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    private void dialAndHear() throws IOException {
        try (Socket late = dial()) {
            late.setSoTimeout(LONG_MS);
            late.getInputStream().read();
        }
    }

    private Socket dial() throws IOException {
        final Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()), LONG_MS);
        return socket;
    }

    private static void say(final Socket socket, final String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private static String hear(final Socket socket, final int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), US_ASCII);
    }

    private static void sayManyMegabytes(final Socket socket) {
        try {
            final byte[] megabyte = new byte[1 << 20];
            Arrays.fill(megabyte, (byte) 'x');
            for (int i = 0; i < 256; i++) {
                socket.getOutputStream().write(megabyte);
            }
        } catch (final IOException reset) {
            assertThat(reset).isInstanceOf(SocketException.class);
        }
    }

    private static void assertSilent(final Socket socket) throws IOException {
        socket.setSoTimeout(QUIET_MS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(LONG_MS);
    }

    private static void assertEnded(final Socket socket, final Cut how) throws IOException {
        if (how == Cut.FIN) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } else {
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }
}
