package io.hawser.tools;

/**
 * Writes JSON text (RFC 8259), on one line or with two spaces of indentation for each level. It trusts its caller to open and close what
 * belongs together.
 *
 * <p><em>Threading:</em> one thread.
 */
public final class JsonWriter {
    private static final String INDENT = "  ";
    private static final char FIRST_PRINTABLE = ' ';

    private final StringBuilder out = new StringBuilder();
    private final boolean isOneLine;
    private int depth;
    private boolean isFirst = true;
    private boolean isAfterName;

    /** Begins a text of many lines. */
    public JsonWriter() {
        this(false);
    }

    private JsonWriter(final boolean isOneLine) {
        this.isOneLine = isOneLine;
    }

    /** Begins a text without any line break. */
    public static JsonWriter onOneLine() {
        return new JsonWriter(true);
    }

    public JsonWriter beginObject() {
        return open('{');
    }

    public JsonWriter endObject() {
        return close('}');
    }

    public JsonWriter beginArray() {
        return open('[');
    }

    public JsonWriter endArray() {
        return close(']');
    }

    public JsonWriter name(final String name) {
        beforeElement();
        quote(name);
        out.append(": ");
        isAfterName = true;
        return this;
    }

    public JsonWriter value(final String value) {
        beforeElement();
        quote(value);
        return this;
    }

    public JsonWriter value(final long value) {
        beforeElement();
        out.append(value);
        return this;
    }

    public JsonWriter value(final boolean value) {
        beforeElement();
        out.append(value);
        return this;
    }

    /** Writes a number; JSON has none for infinity and for what is not a number, which become null. */
    public JsonWriter value(final double value) {
        beforeElement();
        if (Double.isFinite(value)) {
            out.append(value);
        } else {
            out.append("null");
        }
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    private JsonWriter open(final char bracket) {
        beforeElement();
        out.append(bracket);
        depth++;
        isFirst = true;
        return this;
    }

    private JsonWriter close(final char bracket) {
        depth--;
        if (!isFirst) {
            newLine();
        }
        out.append(bracket);
        isFirst = false;
        return this;
    }

    private void beforeElement() {
        if (isAfterName) {
            isAfterName = false;
            return;
        }
        if (!isFirst) {
            out.append(isOneLine ? ", " : ",");
        }
        if (depth > 0) {
            newLine();
        }
        isFirst = false;
    }

    private void newLine() {
        if (!isOneLine) {
            out.append('\n').append(INDENT.repeat(depth));
        }
    }

    private void quote(final String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            escape(text.charAt(i));
        }
        out.append('"');
    }

    private void escape(final char c) {
        if (c == '"' || c == '\\') {
            out.append('\\').append(c);
        } else if (c == '\n') {
            out.append("\\n");
        } else if (c == '\t') {
            out.append("\\t");
        } else if (c < FIRST_PRINTABLE || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
            out.append("\\u");
            for (int shift = 12; shift >= 0; shift -= 4) {
                out.append(Character.forDigit(c >> shift & 0xF, 16));
            }
        } else {
            out.append(c);
        }
    }
}
