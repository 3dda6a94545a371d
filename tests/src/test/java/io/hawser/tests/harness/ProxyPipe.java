package io.hawser.tests.harness;

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

    private final ProxyConnection connection;
    private final ProxyLane lane;
    private final Socket source;
    private final Socket sink;
    private final ArrayDeque<Chunk> queue = new ArrayDeque<>();

    private long queuedBytes;
    private long writtenBytes;
    private boolean isAbandoned;

    ProxyPipe(final ProxyConnection connection, final ProxyLane lane, final Socket source, final Socket sink) {
        this.connection = connection;
        this.lane = lane;
        this.source = source;
        this.sink = sink;
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
        } else if (chunk == Chunk.END) {
            sink.shutdownOutput();
            connection.endPipe();
        } else {
            connection.cut(Cut.RST);
        }
    }

    private void forwardOrDiscard(final Chunk chunk) throws IOException, InterruptedException {
        try {
            forward(chunk, sink.getOutputStream());
        } catch (final IOException failed) {
            // after a cut by FIN what still comes is read and dropped, since closing over unread input would say RST
            if (!connection.isCut()) {
                throw failed;
            }
        }
    }

    private void forward(final Chunk chunk, final OutputStream out) throws IOException, InterruptedException {
        lane.awaitTime(chunk.arrivedNs());
        int done = 0;
        while (done < chunk.bytes().length && !isOver()) {
            lane.awaitPassage(this::isOver);
            final int length = lane.portion(writtenBytes, chunk.bytes().length - done);
            if (length == 0) {
                connection.cut(lane.cut());
                return;
            }
            lane.spoil(writtenBytes, chunk.bytes(), done, length);
            if (!lane.isSwallowing()) {
                out.write(chunk.bytes(), done, length);
            }
            done += length;
            writtenBytes += length;
            lane.passed(writtenBytes, length);
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

    private record Chunk(byte[] bytes, long arrivedNs) {
        static final Chunk END = new Chunk(null, 0);
        static final Chunk RESET = new Chunk(null, 0);

        static Chunk of(final byte[] bytes) {
            return new Chunk(bytes, System.nanoTime());
        }

        int length() {
            return isData() ? bytes.length : 0;
        }

        boolean isData() {
            return bytes != null;
        }
    }
}
