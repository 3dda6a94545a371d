package io.hawser.allocator;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Encodes numbers above zero well, and fails for others: −1 at the first byte, −2 in the middle, −3 at the end. */
final class FaultyCodec implements Codec<Long> {
    /** Is decoded with a fault. */
    static final Long UNDECODABLE = 1_000L;

    /** Is encoded longer than it told. */
    static final Long TOO_LONG = 2_000L;

    @Override
    public int encodedLength(final Long message) {
        return Long.BYTES;
    }

    @Override
    public void encode(final Long message, final MutableDirectBuffer buffer, final int offset, final int length) {
        for (int i = 0; i < length; i++) {
            if (message < 0 && i == (-message - 1) * (length - 1) / 2) {
                throw new Fault();
            }
            buffer.putByte(offset + i, (byte) 0xAA);
        }
        buffer.putLong(offset, message);
        if (message.equals(TOO_LONG)) {
            buffer.putLong(offset + length, 0);
        }
    }

    @Override
    public Long decode(final DirectBuffer buffer, final int offset, final int length) {
        final long message = buffer.getLong(offset);
        if (message == UNDECODABLE) {
            throw new Fault();
        }
        return message;
    }

    static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Fault() {
            super("fault", null, false, false);
        }
    }
}
