package io.hawser.tests.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hawser.testkit.Cut;
import io.hawser.testkit.Deadline;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * A scripted peer on a plain socket: it does what it is told, right or wrong, and nothing by itself, heartbeats neither.
 * Every wait has a limit.
 *
 * <p><em>Threading:</em> one thread at a time.
 */
public final class RawPeer implements AutoCloseable {
    private static final int PATIENCE_MS = 15_000;

    private final Socket socket;
    private final DataInputStream in;

    private long nextSequence;
    private long dataFramesSent;
    private long dataBytesSent;
    private long dataFramesReceived;
    private long dataBytesReceived;
    private RawHello peer;

    private RawPeer(final Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
    }

    /** Connects to a port of this machine, trying again while nobody listens there. */
    public static RawPeer dial(final int port) throws IOException {
        final Deadline deadline = Deadline.in(Duration.ofMillis(PATIENCE_MS));
        while (true) {
            final Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
                return new RawPeer(socket);
            } catch (final IOException refused) {
                socket.close();
                if (deadline.isOver()) {
                    throw refused;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Takes the next connection. */
    public static RawPeer accept(final ServerSocket listener) throws IOException {
        listener.setSoTimeout(PATIENCE_MS);
        return new RawPeer(listener.accept());
    }

    /** Dials, greets and is ready in both directions: the link is open. */
    public static RawPeer join(final int port, final RawHello hello) throws IOException {
        final RawPeer raw = greet(port, hello);
        raw.readyUp();
        raw.await(RawFrame.READY);
        return raw;
    }

    /**
     * Dials and greets, again while the answer is an end of stream or a refusal that may be tried again: not yet forming, or still
     * closing the generation before.
     */
    public static RawPeer greet(final int port, final RawHello hello) throws IOException {
        final Deadline deadline = Deadline.in(Duration.ofMillis(PATIENCE_MS));
        while (true) {
            final RawPeer raw = dial(port);
            try {
                raw.send(hello.frame());
                raw.await(RawFrame.HELLO);
                return raw;
            } catch (final IOException notYet) {
                raw.close();
                if (deadline.isOver()) {
                    throw notYet;
                }
            }
        }
    }

    /** Says READY to the peer that has greeted. */
    public void readyUp() throws IOException {
        send(RawFrame.ready(peer.generation, peer.nonce));
    }

    /** Sends a frame under the next sequence, and counts it. */
    public void send(final RawFrame frame) throws IOException {
        sendAs(nextSequence, frame);
        nextSequence++;
    }

    /** Sends a frame under any sequence. */
    public void sendAs(final long sequence, final RawFrame frame) throws IOException {
        if (frame.type() == RawFrame.DATA) {
            dataFramesSent++;
            dataBytesSent += frame.frameLength();
        }
        sendBytes(frame.sequence(sequence).bytes());
    }

    /** Sends bytes as they are. */
    public void sendBytes(final byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends the beginning of a frame. */
    public void sendPart(final RawFrame frame, final int length) throws IOException {
        socket.getOutputStream().write(frame.sequence(nextSequence).bytes(), 0, length);
    }

    /** Sends HANGUP with the true totals. */
    public void hangUp() throws IOException {
        send(RawFrame.hangUp(dataFramesSent, dataBytesSent, 0, 0));
    }

    /** Sends HANGUP with CONFIRM and the true totals. */
    public void confirm() throws IOException {
        send(RawFrame.hangUp(dataFramesSent, dataBytesSent, dataFramesReceived, dataBytesReceived)
                .flags(RawFrame.CHECKED | RawFrame.CONFIRM));
    }

    /** Sends HANGUP with CONFIRM under a sequence and totals of the caller's own count. */
    public void confirmAs(final long sequence, final long framesSent, final long bytesSent) throws IOException {
        sendAs(
                sequence,
                RawFrame.hangUp(framesSent, bytesSent, dataFramesReceived, dataBytesReceived)
                        .flags(RawFrame.CHECKED | RawFrame.CONFIRM));
    }

    /** The sequence that the next frame has to carry. */
    public long nextSequence() {
        return nextSequence;
    }

    /** Reads to the end of the stream, or its first frame: whether that is a HELLO. */
    public boolean isAnsweredByHello() throws IOException {
        try {
            return next().type() == RawFrame.HELLO;
        } catch (final EOFException | SocketException ended) {
            return false;
        }
    }

    /** Reads frames until one of a type comes. An end of stream before that is an EOFException. */
    public RawFrame await(final int type) throws IOException {
        RawFrame frame = next();
        while (frame.type() != type) {
            if (frame.type() == RawFrame.REFUSE || frame.type() == RawFrame.ABORT) {
                throw new IOException("instead of type " + type + " came " + text(frame));
            }
            frame = next();
        }
        return frame;
    }

    /** Reads the next frame, heartbeats too. */
    public RawFrame next() throws IOException {
        final RawFrame frame = RawFrame.read(in);
        if (frame.type() == RawFrame.HELLO) {
            peer = RawHello.parse(frame.payload());
        } else if (frame.type() == RawFrame.DATA) {
            dataFramesReceived++;
            dataBytesReceived += frame.frameLength();
        }
        return frame;
    }

    /** Reads and drops until the stream ends; a reset is an end too. Fails if it does not end within a time. */
    public void awaitEnd(final Duration allowed) throws IOException {
        socket.setSoTimeout((int) allowed.toMillis());
        final byte[] dropped = new byte[8_192];
        final Deadline deadline = Deadline.in(allowed);
        try {
            while (in.read(dropped) >= 0) {
                if (deadline.isOver()) {
                    throw new AssertionError("stream still flows after " + allowed.toMillis() + " ms");
                }
            }
        } catch (final SocketTimeoutException open) {
            throw new AssertionError("stream did not end within " + allowed.toMillis() + " ms", open);
        } catch (final IOException reset) {
            assert reset != null;
        }
    }

    /** From now on whatever comes is read and dropped, by a thread of its own. */
    public void discardInBackground() {
        final Thread discarding = new Thread(
                () -> {
                    try {
                        socket.setSoTimeout(0);
                        in.transferTo(OutputStream.nullOutputStream());
                    } catch (final IOException ended) {
                        assert ended != null;
                    }
                },
                "raw-peer-discards");
        discarding.setDaemon(true);
        discarding.start();
    }

    /** What the peer said of itself. */
    public RawHello peer() {
        return peer;
    }

    /** The last of the texts that a REFUSE or ABORT carries. */
    public static String text(final RawFrame frame) {
        final byte[] payload = frame.payload().array();
        final int fixed = frame.type() == RawFrame.REFUSE ? 24 : 64;
        return "type " + frame.type() + ": " + new String(payload, fixed, payload.length - fixed, UTF_8);
    }

    /** Ends our half of the stream. */
    public void fin() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends the connection by a reset. */
    public void reset() {
        Cut.RST.end(socket);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
