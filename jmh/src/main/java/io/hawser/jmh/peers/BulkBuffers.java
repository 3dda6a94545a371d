package io.hawser.jmh.peers;

import java.nio.ByteBuffer;

/**
 * The large messages, in direct memory.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class BulkBuffers {
    private BulkBuffers() {}

    /**
     * Makes them.
     *
     * @param isBulk whether there are any
     * @return by number, each to be sent whole
     */
    static ByteBuffer[] direct(final boolean isBulk) {
        final ByteBuffer[] buffers = new ByteBuffer[isBulk ? Payload.BULK_COUNT : 0];
        for (int number = 0; number < buffers.length; number++) {
            buffers[number] = ByteBuffer.allocateDirect(Payload.BULK_LENGTH)
                    .put(Payload.bulk(number))
                    .flip();
        }
        return buffers;
    }
}
