package io.hawser.examples;

import io.hawser.tools.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What an example ends with: its figures, as one line of JSON, and whether it came out right.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Figures {
    private static final double DECIMALS = 1_000;

    private final JsonWriter json = JsonWriter.onOneLine().beginObject();
    private final List<String> complaints = new ArrayList<>();

    Figures(final String example) {
        json.name("example").value(example);
    }

    Figures put(final String name, final long value) {
        json.name(name).value(value);
        return this;
    }

    /** Three decimals are enough. */
    Figures put(final String name, final double value) {
        json.name(name).value(Math.rint(value * DECIMALS) / DECIMALS);
        return this;
    }

    Figures put(final String name, final boolean value) {
        json.name(name).value(value);
        return this;
    }

    Figures put(final String name, final String value) {
        json.name(name).value(value);
        return this;
    }

    Figures put(final String name, final List<Integer> values) {
        json.name(name).beginArray();
        values.forEach(json::value);
        json.endArray();
        return this;
    }

    /** What has to be so. */
    void expect(final boolean isSo, final String otherwise) {
        if (!isSo) {
            complaints.add(otherwise);
        }
    }

    List<String> complaints() {
        return complaints;
    }

    boolean isRight() {
        return complaints.isEmpty();
    }

    /** All of it, as one line; nothing can be put in afterwards. */
    String toJson() {
        if (!isRight()) {
            json.name("complaints").beginArray();
            complaints.forEach(json::value);
            json.endArray();
        }
        return json.name("right").value(isRight()).endObject().toString();
    }
}
