package io.hawser.examples;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Bytes each of which depends on its position in the message, so that one that is lost, twice there or misplaced shows. */
final class Content {
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private Content() {}

    /** Fills a piece of a message. Its position is a multiple of 8, and the buffer has room for that of the length. */
    static void fill(final MutableDirectBuffer buffer, final int length, final long position) {
        for (int i = 0; i < length; i += Long.BYTES) {
            buffer.putLong(i, word(position + i), ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Checks a piece of a message, which may begin and end anywhere. */
    static boolean isRight(final DirectBuffer buffer, final int offset, final int length, final long position) {
        int i = 0;
        boolean isRight = true;
        while (i < length) {
            if ((position + i) % Long.BYTES == 0 && i + Long.BYTES <= length) {
                isRight &= buffer.getLong(offset + i, ByteOrder.LITTLE_ENDIAN) == word(position + i);
                i += Long.BYTES;
            } else {
                final int shift = (int) ((position + i) % Long.BYTES) * Byte.SIZE;
                isRight &= buffer.getByte(offset + i) == (byte) (word((position + i) & -Long.BYTES) >>> shift);
                i++;
            }
        }
        return isRight;
    }

    private static long word(final long position) {
        return position * FACTOR + (position >>> Integer.SIZE);
    }
}
