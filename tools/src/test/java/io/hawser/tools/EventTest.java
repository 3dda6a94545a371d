package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest {
    @Test
    void shouldWriteOneLine() {
        assertThat(new Event("lost").with("generation", 1).with("cause", "a=b").toLine())
                .isEqualTo("@hawser\tlost\tgeneration=1\tcause=a=b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "two\nlines\r\n", "tab\tand \\t", "\\", "=", "\u00e4\u20ac", "@hawser\tx"})
    void shouldReadWhatItWrote(final String value) {
        final String line =
                new Event("failed").with("what", value).with("next", 2).toLine();
        assertThat(line).doesNotContain("\n", "\r");
        final Event event = Event.parse(line).orElseThrow();
        assertThat(event.type()).isEqualTo("failed");
        assertThat(event.text("what")).isEqualTo(value);
        assertThat(event.number("next")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[warning] something", "@hawser", " @hawser\tlost", "@hawser\tlost\tcut"})
    void shouldTakeOtherLinesForOutput(final String line) {
        assertThat(Event.parse(line)).isEmpty();
    }

    @Test
    void shouldNameAMissingValue() {
        final Event event = new Event("done");
        assertThatThrownBy(() -> event.number("micros"))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageEndingWith("type=done name=micros");
    }

    @Test
    void shouldCarryNumbersWithoutLosingABit() {
        final double[] values = {0.1, -0.0, Double.MIN_VALUE, Double.MAX_VALUE, 1 / 3.0};
        assertThat(Doubles.fromText(Doubles.toText(values))).isEqualTo(values);
        assertThat(Doubles.fromText(Doubles.toText(new double[0]))).isEmpty();
    }
}
