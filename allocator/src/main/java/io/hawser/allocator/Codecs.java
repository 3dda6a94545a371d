package io.hawser.allocator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Codecs of common types. Numbers are little-endian, as everything in Hawser.
 *
 * <p><em>Threading:</em> each codec is stateless and may be shared by all workers.
 */
public final class Codecs {
    private static final Codec<Long> INT64 = new Int64();
    private static final Codec<Double> FLOAT64 = new Float64();
    private static final Codec<String> UTF8 = new Utf8Codec();
    private static final Codec<byte[]> BYTES = new Bytes();

    private Codecs() {}

    /**
     * Numbers of 64 bits, in 8 bytes.
     *
     * @return the codec
     */
    public static Codec<Long> int64() {
        return INT64;
    }

    /**
     * Floating-point numbers of 64 bits, in 8 bytes.
     *
     * @return the codec
     */
    public static Codec<Double> float64() {
        return FLOAT64;
    }

    /**
     * Text in UTF-8. Half a surrogate pair becomes a question mark.
     *
     * @return the codec
     */
    public static Codec<String> utf8() {
        return UTF8;
    }

    /**
     * Bytes as they are.
     *
     * @return the codec
     */
    public static Codec<byte[]> bytes() {
        return BYTES;
    }

    private static void checkLength(final int expected, final int length) {
        if (length != expected) {
            throw new IllegalArgumentException(
                    "a message of another type: expectedLength=" + expected + " length=" + length);
        }
    }

    private static final class Int64 implements Codec<Long> {
        @Override
        public int encodedLength(final Long message) {
            return Long.BYTES;
        }

        @Override
        public void encode(final Long message, final MutableDirectBuffer buffer, final int offset, final int length) {
            buffer.putLong(offset, message, LITTLE_ENDIAN);
        }

        @Override
        public Long decode(final DirectBuffer buffer, final int offset, final int length) {
            checkLength(Long.BYTES, length);
            return buffer.getLong(offset, LITTLE_ENDIAN);
        }
    }

    private static final class Float64 implements Codec<Double> {
        @Override
        public int encodedLength(final Double message) {
            return Double.BYTES;
        }

        @Override
        public void encode(final Double message, final MutableDirectBuffer buffer, final int offset, final int length) {
            buffer.putDouble(offset, message, LITTLE_ENDIAN);
        }

        @Override
        public Double decode(final DirectBuffer buffer, final int offset, final int length) {
            checkLength(Double.BYTES, length);
            return buffer.getDouble(offset, LITTLE_ENDIAN);
        }
    }

    private static final class Bytes implements Codec<byte[]> {
        @Override
        public int encodedLength(final byte[] message) {
            return message.length;
        }

        @Override
        public void encode(final byte[] message, final MutableDirectBuffer buffer, final int offset, final int length) {
            buffer.putBytes(offset, message);
        }

        @Override
        public byte[] decode(final DirectBuffer buffer, final int offset, final int length) {
            final byte[] message = new byte[length];
            buffer.getBytes(offset, message);
            return message;
        }
    }
}
