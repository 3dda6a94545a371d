package io.hawser.tests.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JSON value that a program has printed, and the way down into it.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param value a map of names to values, a list of values, text, a number, a boolean, or null
 */
public record Json(Object value) {
    /** The tokens of the language, each behind what blanks precede it. */
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:([\\[\\]{}:,])|(\"(?:[^\"\\\\]|\\\\.)*\")|(true|false|null)|(-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?))\\s*");

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

    /** Reads one value, which has to be all of the text. */
    public static Json parse(final String text) {
        final Reader reader = new Reader(text);
        final Json json = new Json(reader.value(reader.next()));
        if (reader.at != text.length()) {
            throw new AssertionError("more than a JSON value: at=" + reader.at + " text=" + text);
        }
        return json;
    }

    /** What an object holds by this name. */
    public Json get(final String name) {
        if (value instanceof Map<?, ?> fields && fields.containsKey(name)) {
            return new Json(fields.get(name));
        }
        throw new AssertionError("not an object with that name: name=" + name + " value=" + value);
    }

    /** What an array holds. */
    public List<Json> all() {
        if (value instanceof List<?> items) {
            return items.stream().map(Json::new).toList();
        }
        throw new AssertionError("not an array: value=" + value);
    }

    /** The number that this is. */
    public double number() {
        return (Double) value;
    }

    /** The text that this is. */
    public String text() {
        return (String) value;
    }

    /** Whether this is true. */
    public boolean isTrue() {
        return Boolean.TRUE.equals(value);
    }

    /** Goes through a text from token to token. */
    private static final class Reader {
        private final String text;
        private final Matcher tokens;
        private int at;

        Reader(final String text) {
            this.text = text;
            tokens = TOKEN.matcher(text);
        }

        String next() {
            if (!tokens.region(at, text.length()).lookingAt()) {
                throw new AssertionError("not JSON: at=" + at + " text=" + text);
            }
            at = tokens.end();
            return tokens.group().strip();
        }

        Object value(final String token) {
            return switch (token.charAt(0)) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> unquoted(token);
                case 't', 'f' -> Boolean.valueOf(token);
                case 'n' -> null;
                default -> Double.valueOf(token);
            };
        }

        private Map<String, Object> object() {
            final Map<String, Object> fields = new LinkedHashMap<>();
            for (String token = next(); !token.equals("}"); token = next()) {
                final String name = unquoted(token.equals(",") ? next() : token);
                next(); // the colon
                fields.put(name, value(next()));
            }
            return fields;
        }

        private List<Object> array() {
            final List<Object> items = new ArrayList<>();
            for (String token = next(); !token.equals("]"); token = next()) {
                items.add(value(token.equals(",") ? next() : token));
            }
            return items;
        }
    }

    private static String unquoted(final String token) {
        return ESCAPE.matcher(token.substring(1, token.length() - 1))
                .replaceAll(escape -> Matcher.quoteReplacement(
                        escape.group(1) == null
                                ? unescaped(escape.group(2))
                                : String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
    }

    private static String unescaped(final String letter) {
        final int index = "bfnrt".indexOf(letter);
        return index < 0 ? letter : "\b\f\n\r\t".substring(index, index + 1);
    }
}
