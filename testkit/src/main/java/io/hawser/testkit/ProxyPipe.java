package io.hawser.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * One direction of one connection: a thread that reads stamps what comes with its time, a bounded queue carries it, a
 * thread that writes does to it what the lane says. The queue is bounded, so that back-pressure passes through.
 */
final class ProxyPipe {
    private static final int CHUNK_LENGTH = 64 * 1024;

    /** Of what is under way, in bytes: many small pieces must not be delayed by more than what the lane says. */
    private static final long QUEUE_LIMIT = 4 * CHUNK_LENGTH;

    private static final byte[] NOTHING = new byte[0];

    private final ProxyConnection connection;
    private final ProxyLane lane;
    private final Socket source;
    private final Socket sink;
    private final ArrayDeque<Chunk> queue = new ArrayDeque<>();
    private final FrameFinder frames;

    // under the monitor
    private long queuedBytes;
    private boolean isAbandoned;

    // the writing thread's
    private long writtenBytes;
    private byte[] heldBack = NOTHING;

    ProxyPipe(final ProxyConnection connection, final ProxyLane lane, final Socket source, final Socket sink) {
        this.connection = connection;
        this.lane = lane;
        this.source = source;
        this.sink = sink;
        this.frames = new FrameFinder(lane::framePassed);
    }

    void start(final String name) {
        start(name + lane.name() + "-read", this::read);
        start(name + lane.name() + "-write", this::write);
    }

    private static void start(final String name, final Runnable work) {
        final Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        final byte[] buffer = new byte[CHUNK_LENGTH];
        try {
            int length = source.getInputStream().read(buffer);
            while (length >= 0 && put(Chunk.of(Arrays.copyOf(buffer, length)))) {
                length = source.getInputStream().read(buffer);
            }
            put(Chunk.END);
        } catch (final IOException reset) {
            put(Chunk.RESET);
        }
    }

    private void write() {
        try {
            Chunk chunk = take();
            while (chunk.isData()) {
                forwardOrDiscard(chunk);
                chunk = take();
            }
            releaseHeldBack();
            lane.awaitEnd(this::isOver);
            end(chunk);
        } catch (final IOException | InterruptedException sinkIsGone) {
            connection.cut(Cut.RST);
        } finally {
            abandon();
        }
    }

    private void end(final Chunk chunk) throws IOException {
        if (connection.isCut()) {
            connection.endPipe();
        } else if (chunk.kind() == Kind.END) {
            sink.shutdownOutput();
            connection.endPipe();
        } else {
            connection.cut(Cut.RST);
        }
    }

    private void forwardOrDiscard(final Chunk chunk) throws IOException, InterruptedException {
        lane.awaitTime(chunk.arrivedNs(), this::isOver);
        final byte[] bytes = withHeldBack(chunk.bytes());
        final int done = forwardOrDiscard(bytes);
        if (done < bytes.length && !isOver()) {
            heldBack = Arrays.copyOfRange(bytes, done, bytes.length);
        }
    }

    private int forwardOrDiscard(final byte[] bytes) throws IOException, InterruptedException {
        try {
            return forward(bytes, sink.getOutputStream());
        } catch (final IOException failed) {
            // after a cut by FIN what still comes is read and dropped, since closing over unread input would say RST
            if (!connection.isCut()) {
                throw failed;
            }
            return bytes.length;
        }
    }

    /** Forwards as many as the lane lets pass; what is left over is the start of a frame whose type cannot be told yet. */
    private int forward(final byte[] bytes, final OutputStream out) throws IOException, InterruptedException {
        int done = 0;
        while (done < bytes.length && !isOver()) {
            lane.awaitPassage(this::isOver);
            final int untilFrame = untilFrame(bytes, done);
            if (untilFrame == FrameFinder.UNDECIDED) {
                return done;
            }
            final int length = untilFrame == 0 ? 0 : portion(untilFrame);
            if (length == 0) {
                return done;
            }
            write(bytes, done, length, out);
            done += length;
        }
        return done;
    }

    /** How many bytes lie before the frame at which the lane cuts; if none do, that is done. */
    private int untilFrame(final byte[] bytes, final int offset) {
        final ProxyLane.FrameCut sought = lane.frameCut();
        final int available = bytes.length - offset;
        if (sought == null) {
            return available;
        }
        final int length = sought.lengthBefore(frames, bytes, offset, available);
        if (length == 0) {
            connection.cut(sought.how());
        }
        return length;
    }

    /** How many bytes the lane lets pass in one write; if none, the connection has been cut. */
    private int portion(final int available) {
        final int length = lane.portion(writtenBytes, available);
        if (length == 0) {
            connection.cut(lane.cut());
        }
        return length;
    }

    private void write(final byte[] bytes, final int offset, final int length, final OutputStream out)
            throws IOException {
        lane.awaitRate(length, this::isOver);
        frames.passed(bytes, offset, length);
        lane.spoil(writtenBytes, bytes, offset, length);
        if (!lane.isSwallowing()) {
            out.write(bytes, offset, length);
        }
        writtenBytes += length;
        lane.passed(writtenBytes, length);
        lane.awaitInterval(this::isOver);
    }

    private byte[] withHeldBack(final byte[] bytes) {
        if (heldBack.length == 0) {
            return bytes;
        }
        final byte[] joined = Arrays.copyOf(heldBack, heldBack.length + bytes.length);
        System.arraycopy(bytes, 0, joined, heldBack.length, bytes.length);
        heldBack = NOTHING;
        return joined;
    }

    /** The stream ends within a header: nothing is to be told of that frame any more. */
    private void releaseHeldBack() throws IOException, InterruptedException {
        if (heldBack.length > 0 && !isOver()) {
            lane.awaitPassage(this::isOver);
            write(heldBack, 0, heldBack.length, sink.getOutputStream());
        }
    }

    private boolean isOver() {
        return connection.isCut() || sink.isClosed();
    }

    private synchronized boolean put(final Chunk chunk) {
        while (queuedBytes >= QUEUE_LIMIT && !isAbandoned) {
            try {
                wait();
            } catch (final InterruptedException interrupted) {
                return false;
            }
        }
        queue.add(chunk);
        queuedBytes += chunk.length();
        notifyAll();
        return !isAbandoned;
    }

    private synchronized Chunk take() throws InterruptedException {
        while (queue.isEmpty()) {
            wait();
        }
        notifyAll();
        final Chunk chunk = queue.remove();
        queuedBytes -= chunk.length();
        return chunk;
    }

    private synchronized void abandon() {
        isAbandoned = true;
        queue.clear();
        notifyAll();
    }

    private enum Kind {
        DATA,
        END,
        RESET
    }

    private record Chunk(Kind kind, byte[] bytes, long arrivedNs) {
        static final Chunk END = new Chunk(Kind.END, NOTHING, 0);
        static final Chunk RESET = new Chunk(Kind.RESET, NOTHING, 0);

        static Chunk of(final byte[] bytes) {
            return new Chunk(Kind.DATA, bytes, System.nanoTime());
        }

        int length() {
            return bytes.length;
        }

        boolean isData() {
            return kind == Kind.DATA;
        }
    }
}
