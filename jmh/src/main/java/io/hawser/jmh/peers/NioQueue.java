package io.hawser.jmh.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * A ring of bytes between one thread that fills it and one that writes it to a socket. Both sleep when they have to wait, after a short spin.
 *
 * <p><em>Threading:</em> {@link #claim}, {@link #put} and {@link #publish} by the one, {@link #writeTo} by the other.
 */
final class NioQueue {
    private static final int SMALL_CAPACITY = 1 << 20;
    private static final int BULK_CAPACITY = 1 << 22;
    private static final int WRITE_LENGTH_MAX = 256 * 1024;
    private static final int SPINS = 20;

    private final int capacity;
    private final ByteBuffer ring;

    /** Written by the filling thread. */
    private long filled;

    private long consumedSeen;
    private volatile long published;
    private volatile Thread waitingFiller;

    /** Written by the writing thread. */
    private volatile long consumed;

    private volatile Thread waitingWriter;

    NioQueue(final boolean isBulk) {
        capacity = isBulk ? BULK_CAPACITY : SMALL_CAPACITY;
        ring = ByteBuffer.allocateDirect(capacity);
    }

    /** Waits until there is room for so many bytes. */
    void claim(final int length) {
        if (filled + length - consumedSeen > capacity) {
            awaitRoom(filled + length);
        }
    }

    /** Appends bytes that were claimed. */
    void put(final byte[] bytes) {
        final int offset = offset(filled);
        final int first = Math.min(bytes.length, capacity - offset);
        ring.put(offset, bytes, 0, first);
        if (first < bytes.length) {
            ring.put(0, bytes, first, bytes.length - first);
        }
        filled += bytes.length;
    }

    /** Appends bytes that were claimed. */
    void put(final ByteBuffer bytes) {
        final int length = bytes.remaining();
        final int offset = offset(filled);
        final int first = Math.min(length, capacity - offset);
        ring.put(offset, bytes, 0, first);
        if (first < length) {
            ring.put(0, bytes, first, length - first);
        }
        filled += length;
    }

    /** Shows the writing thread what was appended. */
    void publish() {
        published = filled;
        final Thread writer = waitingWriter;
        if (writer != null) {
            waitingWriter = null;
            LockSupport.unpark(writer);
        }
    }

    /** Writes what is published, without end. */
    void writeTo(final SocketChannel channel) throws IOException {
        final ByteBuffer view = ring.duplicate();
        long position = 0;
        while (true) {
            final long end = awaitPublished(position);
            final int offset = offset(position);
            final int length = (int) Math.min(Math.min(end - position, WRITE_LENGTH_MAX), capacity - offset);
            view.limit(offset + length).position(offset);
            while (view.hasRemaining()) {
                channel.write(view);
            }
            position += length;
            consumed = position;
            wakeFiller(position);
        }
    }

    private void awaitRoom(final long end) {
        consumedSeen = consumed;
        for (int spins = 0; end - consumedSeen > capacity; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                waitingFiller = Thread.currentThread();
                if (end - consumed > capacity) {
                    LockSupport.park(this);
                }
                waitingFiller = null;
            }
            consumedSeen = consumed;
        }
    }

    /** Once half is free, so that it is not woken for each message. */
    private void wakeFiller(final long position) {
        final Thread filler = waitingFiller;
        if (filler != null && published - position <= capacity / 2) {
            waitingFiller = null;
            LockSupport.unpark(filler);
        }
    }

    private long awaitPublished(final long position) {
        for (int spins = 0; published == position; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                waitingWriter = Thread.currentThread();
                if (published == position) {
                    LockSupport.park(this);
                }
                waitingWriter = null;
            }
        }
        return published;
    }

    private int offset(final long position) {
        return (int) (position & capacity - 1);
    }
}
