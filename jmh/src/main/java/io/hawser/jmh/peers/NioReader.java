package io.hawser.jmh.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * Reads into one buffer and delivers messages from where they lie, until the other end closes.
 *
 * <p><em>Threading:</em> the receiving thread.
 */
final class NioReader {
    /** Read at most so much at a time: what was read is still in the cache when it is looked at. */
    private static final int SMALL_READ_LENGTH = 32 * 1024;

    private static final int BULK_READ_LENGTH = 128 * 1024;

    /** Room for so many reads, so that a message that was cut off seldom has to move. */
    private static final int READS = 4;

    private final SocketChannel channel;
    private final Receiver receiver;
    private final int readLength;
    private final ByteBuffer buffer;

    /** Where the first byte that was not delivered stands; the last is before the buffer's position. */
    private int offset;

    NioReader(final Lane lane, final SocketChannel channel, final Receiver receiver) {
        this.channel = channel;
        this.receiver = receiver;
        readLength = lane.isBulk() ? BULK_READ_LENGTH : SMALL_READ_LENGTH;
        buffer = ByteBuffer.allocateDirect(readLength * READS).order(ByteOrder.LITTLE_ENDIAN);
    }

    void run() throws IOException {
        while (true) {
            makeRoom();
            buffer.limit(buffer.position() + readLength);
            final int length = channel.read(buffer);
            if (length < 0) {
                return;
            }
            if (length == 0) {
                Threads.giveWay(); // the channel does not block: nothing is there
            } else {
                deliver();
                receiver.onBatchEnd();
            }
        }
    }

    private void deliver() {
        final int end = buffer.position();
        while (end - offset >= Integer.BYTES) {
            final int length = buffer.getInt(offset);
            final int next = offset + Integer.BYTES + length;
            if (next > end) {
                return;
            }
            receiver.onMessage(buffer.getLong(offset + Integer.BYTES), buffer.getLong(next - Long.BYTES), length);
            offset = next;
        }
    }

    private void makeRoom() {
        if (offset == buffer.position()) {
            buffer.clear();
            offset = 0;
        } else if (buffer.capacity() - buffer.position() < readLength) {
            buffer.limit(buffer.position()).position(offset);
            buffer.compact();
            offset = 0;
        }
    }
}
