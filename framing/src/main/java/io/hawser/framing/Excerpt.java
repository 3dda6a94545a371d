package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The first bytes of something, made safe for a log line.
 *
 * <p><em>Threading:</em> static, stateless.
 */
public final class Excerpt {

    /** The most bytes that an excerpt shows. */
    public static final int BYTE_LIMIT = 16;

    private static final String HEX = "0123456789abcdef";

    private Excerpt() {}

    /**
     * Shows the first bytes of a region as text, control characters and everything beyond ASCII escaped, and in hex.
     *
     * @param buffer that holds the region.
     * @param offset of its first byte.
     * @param length of the region; at most {@link #BYTE_LIMIT} bytes of it are shown.
     * @return such as {@code "GET / HTTP/1.1\r\n" (47 45 54 20 ...)}.
     */
    public static String of(final DirectBuffer buffer, final int offset, final int length) {
        final StringBuilder text = new StringBuilder("\"");
        final StringBuilder hex = new StringBuilder();
        for (int i = 0; i < Math.min(length, BYTE_LIMIT); i++) {
            final int value = buffer.getByte(offset + i) & 0xFF;
            append(text, (char) value);
            hex.append(i == 0 ? "" : " ");
            appendHex(hex, value);
        }
        return text.append("\" (").append(hex).append(')').toString();
    }

    /**
     * Makes a text that came from outside safe for a log line.
     *
     * @param text that anybody may have written.
     * @return the text with everything but printable ASCII escaped.
     */
    public static String printable(final CharSequence text) {
        final StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            append(safe, text.charAt(i));
        }
        return safe.toString();
    }

    private static void append(final StringBuilder text, final char c) {
        switch (c) {
            case '\r' -> text.append("\\r");
            case '\n' -> text.append("\\n");
            case '\t' -> text.append("\\t");
            case '"', '\\' -> text.append('\\').append(c);
            default -> appendOther(text, c);
        }
    }

    private static void appendOther(final StringBuilder text, final char c) {
        if (c >= ' ' && c < 0x7F) {
            text.append(c);
        } else if (c <= 0xFF) {
            appendHex(text.append("\\x"), c);
        } else {
            appendHex(text.append("\\u"), c >>> 8);
            appendHex(text, c & 0xFF);
        }
    }

    private static void appendHex(final StringBuilder text, final int value) {
        text.append(HEX.charAt(value >>> 4)).append(HEX.charAt(value & 0xF));
    }
}
