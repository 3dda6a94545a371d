package io.hawser.tests.harness;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        ProxyConnection.reset(dialler);
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
