package io.hawser.allocator;

import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Bytes that can be told from a number, so that a receiver knows what a message has to be. For one thread. */
final class Pattern {
    private static final int PERIOD = 251 * 257;

    private static final byte[] BYTES = new byte[2 * PERIOD];

    static {
        for (int i = 0; i < BYTES.length; i++) {
            BYTES[i] = (byte) (i % PERIOD % 251 ^ i % PERIOD / 251);
        }
    }

    private final CRC32C received = new CRC32C();
    private final CRC32C expected = new CRC32C();

    /** Writes bytes of the pattern. */
    static void fill(
            final long seed,
            final long position,
            final MutableDirectBuffer buffer,
            final int offset,
            final int length) {
        int done = 0;
        while (done < length) {
            final int start = start(seed, position + done);
            final int count = Math.min(length - done, PERIOD);
            buffer.putBytes(offset + done, BYTES, start, count);
            done += count;
        }
    }

    static byte[] message(final long seed, final int length) {
        final byte[] message = new byte[length];
        fill(seed, 0, new UnsafeBuffer(message), 0, length);
        return message;
    }

    /** Whether these are bytes of the pattern. */
    boolean matches(
            final long seed, final long position, final DirectBuffer buffer, final int offset, final int length) {
        received.reset();
        expected.reset();
        final byte[] copy = new byte[Math.min(length, PERIOD)];
        int done = 0;
        while (done < length) {
            final int count = Math.min(length - done, PERIOD);
            buffer.getBytes(offset + done, copy, 0, count);
            received.update(copy, 0, count);
            expected.update(BYTES, start(seed, position + done), count);
            done += count;
        }
        return received.getValue() == expected.getValue();
    }

    private static int start(final long seed, final long position) {
        return (int) ((Math.floorMod(seed, (long) PERIOD) * 7_919 + position) % PERIOD);
    }
}
