package io.hawser.framing;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * UTF-8 straight into and out of buffers.
 *
 * <p>Encoding allocates nothing, because an ABORT has to be encodable when the heap is full. Truncation happens at a
 * code-point boundary. Half a surrogate pair becomes a question mark, so that whatever is encoded here also passes
 * {@link #isValid}, which is strict: no overlong forms, no surrogates, nothing above U+10FFFF.
 *
 * <p><em>Threading:</em> static, stateless.
 */
final class Utf8 {

    private static final int REPLACEMENT = '?';

    private Utf8() {}

    /** Encodes as much of a text as fits the limit, null as nothing, and returns the bytes written. */
    static int encode(final CharSequence text, final MutableDirectBuffer buffer, final int offset, final int limit) {
        int written = 0;
        int i = 0;
        while (text != null && i < text.length()) {
            final int codePoint = codePointAt(text, i);
            final int length = encodedLength(codePoint);
            if (written + length > limit) {
                break;
            }
            put(buffer, offset + written, codePoint, length);
            written += length;
            i += length == 4 ? 2 : 1;
        }
        return written;
    }

    /** Whether a region is well-formed UTF-8. */
    static boolean isValid(final DirectBuffer buffer, final int offset, final int length) {
        final int end = offset + length;
        int index = offset;
        while (index < end) {
            final int step = sequenceLength(buffer, index, end);
            if (step == 0) {
                return false;
            }
            index += step;
        }
        return true;
    }

    private static int codePointAt(final CharSequence text, final int i) {
        final char c = text.charAt(i);
        if (!Character.isSurrogate(c)) {
            return c;
        }
        final boolean isPair =
                Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
        return isPair ? Character.toCodePoint(c, text.charAt(i + 1)) : REPLACEMENT;
    }

    private static int encodedLength(final int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x1_0000 ? 3 : 4;
    }

    private static void put(final MutableDirectBuffer buffer, final int offset, final int codePoint, final int length) {
        if (length == 1) {
            buffer.putByte(offset, (byte) codePoint);
            return;
        }
        int rest = codePoint;
        for (int i = length - 1; i > 0; i--) {
            buffer.putByte(offset + i, (byte) (0x80 | (rest & 0x3F)));
            rest >>>= 6;
        }
        final int marker = 0xF00 >>> length;
        buffer.putByte(offset, (byte) (marker | rest));
    }

    /** The length of the well-formed sequence at an index, or 0 if there is none. */
    private static int sequenceLength(final DirectBuffer buffer, final int index, final int end) {
        final int first = buffer.getByte(index) & 0xFF;
        if (first < 0x80) {
            return 1;
        }
        final int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || length > end - index) {
            return 0;
        }
        int codePoint = first & (0x7F >> length);
        for (int i = 1; i < length; i++) {
            final int next = buffer.getByte(index + i) & 0xFF;
            if ((next & 0xC0) != 0x80) {
                return 0;
            }
            codePoint = codePoint << 6 | (next & 0x3F);
        }
        return isScalar(codePoint) && encodedLength(codePoint) == length ? length : 0;
    }

    private static boolean isScalar(final int codePoint) {
        return codePoint <= Character.MAX_CODE_POINT
                && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
    }
}
