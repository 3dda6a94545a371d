package io.hawser.tests.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line between a test and the process that it has forked, in either direction: a name and fields.
 *
 * <pre>
 *   &#64; joined run=3 clean=false kind=PEER_LOST describe=process+1+was+lost
 * </pre>
 *
 * <p>Values are URL-encoded, so that a value can hold anything and a line stays a line.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param name   what happened, or what to do
 * @param fields name and value, in order
 */
public record Event(String name, Map<String, String> fields) {
    /** Marks a line as an event; everything else that a process prints is log. */
    public static final String MARK = "@ ";

    /** An event of name, key, value, key, value… */
    public static Event of(final String name, final Object... keysAndValues) {
        final Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put(String.valueOf(keysAndValues[i]), String.valueOf(keysAndValues[i + 1]));
        }
        return new Event(name, fields);
    }

    /** The value of a field that must be there. */
    public String text(final String field) {
        final String value = fields.get(field);
        if (value == null) {
            throw new AssertionError("no such field in " + this + ": field=" + field);
        }
        return value;
    }

    /** The value of a field, or something else if it is not there. */
    public String text(final String field, final String otherwise) {
        return fields.getOrDefault(field, otherwise);
    }

    /** The value of a field as a number. */
    public long number(final String field) {
        return Long.parseLong(text(field));
    }

    /** The value of a field as a number, or something else if it is not there. */
    public long number(final String field, final long otherwise) {
        return fields.containsKey(field) ? number(field) : otherwise;
    }

    /** The value of a field as a truth. */
    public boolean isTrue(final String field) {
        return Boolean.parseBoolean(text(field));
    }

    /** Whether a field has this very value. */
    public boolean has(final String field, final Object value) {
        return String.valueOf(value).equals(fields.get(field));
    }

    /** The line without its end. */
    public String toLine() {
        final StringBuilder line = new StringBuilder(MARK).append(name);
        fields.forEach(
                (key, value) -> line.append(' ').append(key).append('=').append(URLEncoder.encode(value, UTF_8)));
        return line.toString();
    }

    /** Reads a line that {@link #isEvent} accepts. */
    public static Event parse(final String line) {
        final String[] words = line.substring(MARK.length()).split(" ");
        final Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            final int equals = words[i].indexOf('=');
            fields.put(words[i].substring(0, equals), URLDecoder.decode(words[i].substring(equals + 1), UTF_8));
        }
        return new Event(words[0], fields);
    }

    /** Whether a line is one of ours. */
    public static boolean isEvent(final String line) {
        return line.startsWith(MARK);
    }

    @Override
    public String toString() {
        return name + fields;
    }
}
