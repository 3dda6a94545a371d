package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageRankTest {
    private static final int MANY = 200;

    @Test
    void shouldRankEquallyInARing() {
        assertThat(PageRank.rank(Graphs.of(new int[][] {{1}, {2}, {0}}), MANY))
                .containsOnly(new double[] {1 / 3.0}, within(1e-15));
    }

    @Test
    void shouldRankTheCentreOfAStarHighest() {
        final double[] ranks = PageRank.rank(Graphs.of(new int[][] {{1, 2, 3, 4}, {0}, {0}, {0}, {0}}), MANY);
        // centre c, leaf l: c = 0.03 + 0.85 * 4 l and l = 0.03 + 0.85 * c / 4
        final double centre = (0.03 + 0.85 * 4 * 0.03) / (1 - 0.85 * 0.85);
        assertThat(ranks[0]).isCloseTo(centre, within(1e-12));
        assertThat(ranks[1]).isCloseTo((1 - centre) / 4, within(1e-12));
    }

    @Test
    void shouldSpreadWhatDanglingNodesHold() {
        final double[] ranks = PageRank.rank(Graphs.of(new int[][] {{1}, {}}), MANY);
        // a = 0.075 + 0.85 * b / 2 and a + b = 1
        final double first = (0.075 + 0.425) / 1.425;
        assertThat(ranks).containsExactly(new double[] {first, 1 - first}, within(1e-12));
    }

    @Test
    void shouldStayEvenWhereNobodyRefersToAnybody() {
        assertThat(PageRank.rank(Graphs.of(new int[][] {{}, {}, {}, {}}), 3))
                .containsOnly(new double[] {0.25}, within(1e-15));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldSumToOne(final long seed) {
        final Portion graph = Graphs.of(Graphs.random(new Random(seed), 300));
        for (final int iterations : new int[] {0, 1, 20}) {
            assertThat(Arrays.stream(PageRank.rank(graph, iterations)).sum())
                    .as("seed=%d iterations=%d", seed, iterations)
                    .isCloseTo(1, within(1e-12));
        }
    }

    @Test
    void shouldRefusePartOfAGraph() {
        final Portion half = Graphs.portion(new int[][] {{1}, {0}}, 0, 2);
        assertThatThrownBy(() -> PageRank.rank(half, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("peers=2");
    }
}
