package io.hawser.tests.harness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.hawser.testkit.Cut;
import io.hawser.testkit.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Whoever comes to a port by mistake or with bad intent. What stays open is closed with this.
 *
 * <p><em>Threading:</em> one thread at a time.
 */
public final class Strangers implements AutoCloseable {
    /** What a browser or curl says. */
    public static final byte[] HTTP =
            "GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: curl/8\r\n\r\n".getBytes(US_ASCII);

    /** What a secure shell says. */
    public static final byte[] SSH = "SSH-2.0-OpenSSH_9.2\r\n".getBytes(US_ASCII);

    /** The beginning of a TLS handshake: record header, then a ClientHello as far as its version. */
    public static final byte[] TLS = HexFormat.of().parseHex("16030100c8010000c40303" + "5a".repeat(64));

    private static final int PATIENCE_MS = 10_000;

    private final int port;
    private final List<Socket> open = new ArrayList<>();

    /** Those who will come to this port of this machine. */
    public Strangers(final int port) {
        this.port = port;
    }

    /** So many connect and close at once, every other one by reset. */
    public void connectAndClose(final int count) throws IOException {
        for (int i = 0; i < count; i++) {
            final Socket socket = connect();
            if (i % 2 == 0) {
                socket.close();
            } else {
                Cut.RST.end(socket);
            }
        }
    }

    /** So many connect and stay without a word. */
    public void connectAndStay(final int count) throws IOException {
        for (int i = 0; i < count; i++) {
            open.add(connect());
        }
    }

    /** So many connect, say this and stay. */
    public void sayAndStay(final byte[] words, final int count) throws IOException {
        for (int i = 0; i < count; i++) {
            final Socket socket = connect();
            open.add(socket);
            socket.getOutputStream().write(words);
        }
    }

    /** One connects, says this, and gives what it hears until the other side closes. */
    public byte[] sayAndListen(final byte[] words) throws IOException {
        try (Socket socket = connect()) {
            return say(socket, words);
        }
    }

    /** One says a lot of nonsense, the same for the same seed. */
    public void babble(final int length, final long seed) throws IOException {
        final byte[] nonsense = new byte[length];
        new Random(seed).nextBytes(nonsense);
        sayAndListen(nonsense);
    }

    /** Waits until the other side has closed all that stayed. */
    public void awaitDropped(final Duration allowed) throws IOException {
        final Deadline deadline = Deadline.in(allowed);
        for (final Socket socket : open) {
            socket.setSoTimeout((int) Math.max(1, deadline.remainingMs()));
            try {
                socket.getInputStream().readAllBytes();
            } catch (final SocketTimeoutException kept) {
                throw new AssertionError("still open after " + allowed.toMillis() + " ms: socket=" + socket, kept);
            } catch (final IOException reset) {
                assert reset != null;
            }
        }
    }

    /** Those that stayed go. */
    @Override
    public void close() throws IOException {
        for (final Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    private Socket connect() throws IOException {
        final Socket socket = new Socket();
        socket.setSoTimeout(PATIENCE_MS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
        return socket;
    }

    /** A reset is an answer too: the other side closed without reading everything. */
    private static byte[] say(final Socket socket, final byte[] words) throws IOException {
        final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        try {
            socket.getOutputStream().write(words);
            socket.getInputStream().transferTo(heard);
        } catch (final SocketTimeoutException open) {
            throw new AssertionError("neither answered nor closed: wordsLength=" + words.length, open);
        } catch (final IOException reset) {
            assert reset != null;
        }
        return heard.toByteArray();
    }
}
