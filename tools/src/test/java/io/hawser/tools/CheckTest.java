package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CheckTest {
    private static final double[] EXPECTED =
            IntStream.range(0, 20).mapToDouble(id -> (id + 1) / 210.0).toArray();

    @Test
    void shouldListTheHighestFirstAndEqualOnesById() {
        assertThat(Check.of(EXPECTED, EXPECTED).top()).containsExactly(19, 18, 17, 16, 15, 14, 13, 12, 11, 10);
        final double[] even = new double[12];
        assertThat(Check.of(even, even).top()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void shouldAcceptWhatDiffersInTheLastBits() {
        final double[] ranks = EXPECTED.clone();
        ranks[3] = Math.nextUp(ranks[3]);
        final Check check = Check.of(ranks, EXPECTED);
        assertThat(check.isRight()).isTrue();
        assertThat(check.maxDifference()).isPositive().isLessThan(1e-15);
    }

    @Test
    void shouldRefuseADifferentRank() {
        final double[] ranks = EXPECTED.clone();
        ranks[3] *= 1 + 1e-11;
        assertThat(Check.of(ranks, EXPECTED).isRight()).isFalse();
    }

    @Test
    void shouldRefuseADifferentOrder() {
        final double[] ranks = EXPECTED.clone();
        ranks[18] = EXPECTED[19];
        ranks[19] = EXPECTED[18];
        assertThat(Check.of(ranks, EXPECTED).isTopEqual()).isFalse();
    }

    @Test
    void shouldRefuseWhatIsNotANumber() {
        final double[] ranks = EXPECTED.clone();
        ranks[0] = Double.NaN;
        assertThat(Check.of(ranks, EXPECTED).isRight()).isFalse();
    }

    @Test
    void shouldRefuseMissingRanks() {
        assertThat(Check.of(new double[3], EXPECTED).isRight()).isFalse();
    }
}
