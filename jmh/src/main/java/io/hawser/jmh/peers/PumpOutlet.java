package io.hawser.jmh.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Writes the large messages as one stretch of bytes, many at a time; the stream's end is the connection's.
 *
 * <p><em>Threading:</em> the sending thread, which writes.
 */
final class PumpOutlet implements Outlet {
    private static final int WRITTEN_TOGETHER = 16;

    private final SocketChannel channel;
    private final ByteBuffer all = ByteBuffer.allocateDirect(Payload.BULK_COUNT * Payload.BULK_LENGTH);

    PumpOutlet(final SocketChannel channel) {
        this.channel = channel;
        for (int number = 0; number < Payload.BULK_COUNT; number++) {
            all.put(Payload.bulk(number));
        }
        all.clear().limit(0);
    }

    @Override
    public void send(final long first, final long last) {
        flush();
        try {
            channel.shutdownOutput();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void sendBulk(final int number) {
        if (all.limit() == all.capacity() && !all.hasRemaining()) {
            all.clear().limit(0);
        }
        all.limit(all.limit() + Payload.BULK_LENGTH);
        if (all.remaining() == WRITTEN_TOGETHER * Payload.BULK_LENGTH) {
            flush();
        }
    }

    @Override
    public void flush() {
        try {
            while (all.hasRemaining()) {
                channel.write(all);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
