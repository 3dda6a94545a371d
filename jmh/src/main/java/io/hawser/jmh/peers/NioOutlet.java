package io.hawser.jmh.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * Fills one buffer with messages and writes it when it is full. Large messages are not copied: several leave in one gathering write, each
 * behind its length.
 *
 * <p><em>Threading:</em> the sending thread, which writes.
 */
final class NioOutlet implements Outlet {
    private static final int BUFFER_LENGTH = 256 * 1024;
    private static final int GATHERED_MAX = 16;

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final byte[] message;
    private final ByteBuffer[] bulk;
    private final ByteBuffer[] heads = new ByteBuffer[GATHERED_MAX];
    private final ByteBuffer[] gathered = new ByteBuffer[2 * GATHERED_MAX];
    private int gatheredCount;

    NioOutlet(final Lane lane, final SocketChannel channel) {
        this.channel = channel;
        message = Payload.blank(lane.messageLength());
        bulk = BulkBuffers.direct(lane.isBulk());
        for (int i = 0; i < heads.length; i++) {
            heads[i] = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            heads[i].putInt(0, Payload.BULK_LENGTH);
        }
    }

    @Override
    public void send(final long first, final long last) {
        final int length = message.length;
        if (gatheredCount > 0) {
            writeGathered();
        }
        if (buffer.remaining() < Integer.BYTES + length) {
            writeBuffer();
        }
        Payload.stamp(message, first, last);
        final int offset = buffer.position();
        buffer.putInt(offset, length);
        buffer.put(offset + Integer.BYTES, message);
        buffer.position(offset + Integer.BYTES + length);
    }

    @Override
    public void sendBulk(final int number) {
        gathered[gatheredCount] = heads[gatheredCount / 2].clear();
        gathered[gatheredCount + 1] = bulk[number].clear();
        gatheredCount += 2;
        if (gatheredCount == gathered.length) {
            writeGathered();
        }
    }

    @Override
    public void flush() {
        if (gatheredCount > 0) {
            writeGathered();
        }
        if (buffer.position() > 0) {
            writeBuffer();
        }
    }

    private void writeBuffer() {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        buffer.clear();
    }

    private void writeGathered() {
        int written = 0;
        try {
            while (written < gatheredCount) {
                channel.write(gathered, written, gatheredCount - written);
                while (written < gatheredCount && !gathered[written].hasRemaining()) {
                    written++;
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        gatheredCount = 0;
    }
}
