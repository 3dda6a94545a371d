package io.hawser.jmh.peers;

import java.nio.ByteBuffer;

/**
 * Copies messages into a {@link NioQueue}, each behind its length.
 *
 * <p><em>Threading:</em> the sending thread.
 */
final class NioQueueOutlet implements Outlet {
    private final NioQueue queue;

    /** A small message behind its length. */
    private final byte[] framed;

    private final byte[] bulkHead = lengthOf(Payload.BULK_LENGTH);
    private final ByteBuffer[] bulk;

    NioQueueOutlet(final Lane lane, final NioQueue queue) {
        this.queue = queue;
        framed = new byte[Integer.BYTES + lane.messageLength()];
        System.arraycopy(Payload.blank(lane.messageLength()), 0, framed, Integer.BYTES, lane.messageLength());
        System.arraycopy(lengthOf(lane.messageLength()), 0, framed, 0, Integer.BYTES);
        bulk = BulkBuffers.direct(lane.isBulk());
    }

    @Override
    public void send(final long first, final long last) {
        queue.claim(framed.length);
        Payload.stamp(framed, Integer.BYTES, first, last);
        queue.put(framed);
        queue.publish();
    }

    @Override
    public void sendBulk(final int number) {
        queue.claim(Integer.BYTES + Payload.BULK_LENGTH);
        queue.put(bulkHead);
        queue.put(bulk[number]);
        queue.publish();
    }

    @Override
    public void flush() {
        // the other thread takes whatever is there
    }

    private static byte[] lengthOf(final int length) {
        return new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), (byte) (length >> 24)};
    }
}
