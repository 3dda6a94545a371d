package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void shouldIndentWhatIsInside() {
        final JsonWriter json = new JsonWriter().beginObject();
        json.name("a").value(1);
        json.name("b").beginArray().value("x").value(true).endArray();
        json.name("c").beginObject().endObject();
        json.name("d").beginArray().endArray();
        assertThat(json.endObject()).hasToString("""
                {
                  "a": 1,
                  "b": [
                    "x",
                    true
                  ],
                  "c": {},
                  "d": []
                }""");
    }

    @Test
    void shouldStayOnOneLineWhenAskedTo() {
        final JsonWriter json = JsonWriter.onOneLine().beginObject();
        json.name("a").value(1);
        json.name("b").beginArray().value("x\ny").value(true).endArray();
        json.name("c").beginObject().endObject();
        assertThat(json.endObject()).hasToString("{\"a\": 1, \"b\": [\"x\\ny\", true], \"c\": {}}");
    }

    @Test
    void shouldEscapeWhatJsonDoesNotAllow() {
        assertThat(new JsonWriter().value("q\" b\\ n\n t\t r\r nul\0 esc\u001b sep\u2028\u2029"))
                .hasToString("\"q\\\" b\\\\ n\\n t\\t r\\u000d nul\\u0000 esc\\u001b sep\\u2028\\u2029\"");
    }

    @Test
    void shouldKeepOtherTextAndEscapeSurrogates() {
        assertThat(new JsonWriter().value("/ \u00e4 \u20ac \ud83d\ude00"))
                .hasToString("\"/ \u00e4 \u20ac \\ud83d\\ude00\"");
    }

    @Test
    void shouldWriteNumbers() {
        final JsonWriter json = new JsonWriter().beginArray();
        json.value(Long.MIN_VALUE).value(0.5).value(1e-300).value(Double.NaN).value(Double.POSITIVE_INFINITY);
        assertThat(json.endArray()).hasToString("""
                [
                  -9223372036854775808,
                  0.5,
                  1.0E-300,
                  null,
                  null
                ]""");
    }
}
