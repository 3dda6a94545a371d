package io.hawser.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void shouldTakeTheMiddleOfAnOddCount() {
        assertThat(Spread.of(DoubleStream.of(3, 1, 2))).isEqualTo(new Spread(2, 1, 3));
    }

    @Test
    void shouldTakeTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(DoubleStream.of(4, 1, 3, 2))).isEqualTo(new Spread(2.5, 1, 4));
    }

    @Test
    void shouldLeaveOutWhatWasNotMeasured() {
        assertThat(Spread.of(DoubleStream.of(Double.NaN, 5))).isEqualTo(new Spread(5, 5, 5));
        assertThat(Spread.of(DoubleStream.empty())).isEqualTo(Spread.NONE);
    }
}
