package io.hawser.allocator;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Text as {@link String#getBytes(java.nio.charset.Charset)} encodes it. ASCII is written without a copy in between. */
final class Utf8Codec implements Codec<String> {
    @Override
    public int encodedLength(final String message) {
        int length = 0;
        for (int i = 0; i < message.length(); i++) {
            final char c = message.charAt(i);
            if (c < 0x80) {
                length++;
            } else if (c < 0x800) {
                length += 2;
            } else if (!Character.isSurrogate(c)) {
                length += 3;
            } else if (isPairAt(message, i)) {
                length += 4;
                i++;
            } else {
                length++;
            }
        }
        return length;
    }

    @Override
    public void encode(final String message, final MutableDirectBuffer buffer, final int offset, final int length) {
        if (length == message.length()) {
            // one byte a character: ASCII, and question marks for halves of pairs, which Agrona writes as such too
            buffer.putStringWithoutLengthAscii(offset, message);
        } else {
            buffer.putBytes(offset, message.getBytes(UTF_8));
        }
    }

    @Override
    public String decode(final DirectBuffer buffer, final int offset, final int length) {
        return buffer.getStringWithoutLengthUtf8(offset, length);
    }

    private static boolean isPairAt(final String text, final int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }
}
