package io.hawser.jmh.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultLineTest {
    @Test
    void shouldReadWhatItHasWritten() {
        final ResultLine line = new ResultLine()
                .with(ResultLine.MESSAGES_PER_S, 12_345_678.9)
                .with(ResultLine.COUNT, 42)
                .with(ResultLine.P99_US, Double.NaN);

        assertThat(line).hasToString("RESULT {\"msgs_per_s\":1.23456789E7,\"count\":42}");
        assertThat(ResultLine.parse(line.toString()).numbers()).isEqualTo(line.numbers());
    }

    @Test
    void shouldReadNumbersAndPassOverTheRest() {
        final ResultLine line = ResultLine.parse("RESULT { \"role\": \"sender\", \"p50_us\" : 1.5e1, \"lost\":0 } ");

        assertThat(line.get(ResultLine.P50_US)).hasValue(15);
        assertThat(line.get(ResultLine.LOST)).hasValue(0);
        assertThat(line.numbers()).hasSize(2);
    }

    @Test
    void shouldAddUpWhatProcessesTell() {
        final ResultLine line = new ResultLine().with(ResultLine.CPU_CORES, 0.5);
        line.add(ResultLine.CPU_CORES, 0.75);
        line.add(ResultLine.COUNT, 3);

        assertThat(line.get(ResultLine.CPU_CORES)).hasValue(1.25);
        assertThat(line.get(ResultLine.COUNT)).hasValue(3);
        assertThat(line.get(ResultLine.MAX_US)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "READY", "RESULT", "RESULT 5", "ERROR it hangs"})
    void shouldRefuseOtherLines(final String line) {
        assertThatThrownBy(() -> ResultLine.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a result: line=" + line);
    }
}
