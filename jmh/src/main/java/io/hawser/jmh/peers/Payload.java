package io.hawser.jmh.peers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What a message looks like: a long, filler, another long, little-endian. The first is the message's number among those of its stream, the last its
 * complement; so neither a lost nor a cut message passes unnoticed. A stream ends with a small message whose first long is {@link #END} and whose last is the
 * number of messages before it.
 *
 * <pre>
 *   +-----------------+------------ ... ------------+-----------------+
 *   |  first (8)      |  filler                     |  last (8)       |
 *   +-----------------+------------ ... ------------+-----------------+
 * </pre>
 *
 * <p>Large messages are not made anew each time: there are {@link #BULK_COUNT} of them, used in turn, and their number is the one among those.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class Payload {
    /** Length of a large message. */
    static final int BULK_LENGTH = 64 * 1024;

    /** How many different large messages there are, 4 MiB together: more than a cache keeps. */
    static final int BULK_COUNT = 64;

    /** Length of a message that is not large, where the workload does not say another. */
    static final int SMALL_LENGTH = 64;

    /** First long of the message that ends a stream. */
    static final long END = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Payload() {}

    /** The filler of a message, to be stamped. */
    static byte[] blank(final int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i ^ i >> 8);
        }
        return bytes;
    }

    /** One of the large messages, stamped. */
    static byte[] bulk(final int number) {
        final byte[] bytes = blank(BULK_LENGTH);
        stamp(bytes, number, ~(long) number);
        return bytes;
    }

    /** Which large message is the next after so many. */
    static int bulkNumber(final long count) {
        return (int) (count & BULK_COUNT - 1);
    }

    static void stamp(final byte[] message, final long first, final long last) {
        stamp(message, 0, first, last);
    }

    /** Stamps the message that begins at an offset and ends with the array. */
    static void stamp(final byte[] message, final int offset, final long first, final long last) {
        LONGS.set(message, offset, first);
        LONGS.set(message, message.length - Long.BYTES, last);
    }

    static long first(final byte[] message) {
        return first(message, 0);
    }

    /** First long of the message that begins at an offset. */
    static long first(final byte[] message, final int offset) {
        return (long) LONGS.get(message, offset);
    }

    static long last(final byte[] message) {
        return (long) LONGS.get(message, message.length - Long.BYTES);
    }
}
