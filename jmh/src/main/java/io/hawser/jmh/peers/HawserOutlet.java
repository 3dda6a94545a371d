package io.hawser.jmh.peers;

import io.hawser.allocator.RawPusher;
import io.hawser.allocator.Worker;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes small messages where the transport has room for them, and pushes large ones.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class HawserOutlet implements Outlet {
    private final RawPusher pusher;
    private final Worker worker;
    private final byte[] blank;
    private final UnsafeBuffer[] bulk;

    HawserOutlet(final RawPusher pusher, final Worker worker, final int messageLength, final boolean isBulk) {
        this.pusher = pusher;
        this.worker = worker;
        blank = Payload.blank(messageLength);
        bulk = new UnsafeBuffer[isBulk ? Payload.BULK_COUNT : 0];
        for (int number = 0; number < bulk.length; number++) {
            bulk[number] = new UnsafeBuffer(ByteBuffer.allocateDirect(Payload.BULK_LENGTH));
            bulk[number].putBytes(0, Payload.bulk(number));
        }
    }

    @Override
    public void send(final long first, final long last) {
        final int length = blank.length;
        final int offset = pusher.claim(length);
        final MutableDirectBuffer buffer = pusher.buffer();
        buffer.putBytes(offset, blank, 0, length);
        buffer.putLong(offset, first, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(offset + length - Long.BYTES, last, ByteOrder.LITTLE_ENDIAN);
        pusher.commit();
    }

    @Override
    public void sendBulk(final int number) {
        pusher.push(bulk[number], 0, Payload.BULK_LENGTH);
    }

    @Override
    public void flush() {
        worker.flush();
    }
}
