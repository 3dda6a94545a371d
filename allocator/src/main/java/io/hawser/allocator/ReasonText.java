package io.hawser.allocator;

import io.hawser.framing.RejectFlyweight;

/** Reasons in words, as long as a frame has room for. */
final class ReasonText {
    private ReasonText() {}

    /** Cut at a code point, so that its UTF-8 form fits. */
    static String cut(final String text) {
        int length = 0;
        int index = 0;
        while (index < text.length()) {
            final int codePoint = text.codePointAt(index);
            length += utf8Length(codePoint);
            if (length > RejectFlyweight.TEXT_LIMIT) {
                return text.substring(0, index);
            }
            index += Character.charCount(codePoint);
        }
        return text;
    }

    private static int utf8Length(final int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x1_0000 ? 3 : 4;
    }
}
