package io.hawser.fate;

/**
 * Makes foreign text fit for one log line and for the wire: no control characters, no line breaks, valid Unicode, bounded
 * in UTF-8 bytes. Text in a cause may come from a peer or from an exception of user code, so nothing is taken on trust.
 */
final class OneLineText {
    /** How much of what a value or an error says of itself an outcome tells. */
    static final int OUTCOME_MAX_BYTES = 1_024;

    private static final char REPLACEMENT = '?';

    private OneLineText() {}

    /** The text with everything unfit replaced, cut at a code point so that its UTF-8 form has at most maxBytes. */
    static String of(String text, int maxBytes) {
        if (text == null) {
            return "";
        }
        StringBuilder line = new StringBuilder(Math.min(text.length(), maxBytes));
        int byteCount = 0;
        for (int i = 0; i < text.length(); ) {
            int source = text.codePointAt(i);
            int clean = clean(source);
            byteCount += utf8Length(clean);
            if (byteCount > maxBytes) {
                break;
            }
            line.appendCodePoint(clean);
            i += Character.charCount(source);
        }
        return line.toString().strip();
    }

    /** What a throwable, or another object of user code, says about itself; its own toString may throw, which must not mask it. */
    static String of(Object object, int maxBytes) {
        String text;
        try {
            text = String.valueOf(object);
        } catch (Throwable secondary) {
            text = object.getClass().getName();
        }
        return of(text, maxBytes);
    }

    private static int clean(int codePoint) {
        if (Character.isWhitespace(codePoint)) {
            return ' ';
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> REPLACEMENT;
            default -> codePoint;
        };
    }

    private static int utf8Length(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x10000 ? 3 : 4;
    }
}
