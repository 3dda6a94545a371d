package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * L10, L12, case 95: cancels, ends and failures of dataflows within 5 ms of a kill, of a cut or of a partition, in both orders. Every survivor has an outcome of each dataflow that it has opened, and
 * all have the same. A failure tells the whole story; {@code -Dhawser.seed} repeats it.
 */
@Timeout(value = 4, unit = TimeUnit.HOURS)
class ScopeSimulationTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("hawser.soak");
    private static final Long ONE_SEED = Long.getLong("hawser.seed");
    private static final int SOAK_FACTOR = 50;

    @ParameterizedTest
    @EnumSource(ScopeSimulation.Strike.class)
    void shouldComeToOneOutcomeEverywhere(final ScopeSimulation.Strike strike) {
        final int races = (strike == ScopeSimulation.Strike.KILL ? 10_000 : 1_000) * (IS_SOAK ? SOAK_FACTOR : 1);
        final int[] outcomes = new int[3];
        final long beginNs = System.nanoTime();
        int done = 0;
        int excused = 0;
        long seed = ONE_SEED == null ? 1 : ONE_SEED;
        final long first = seed;
        while (done == 0 || ONE_SEED == null && done < races) {
            final ScopeSimulation simulation = run(seed++, strike);
            done += simulation.flowCount();
            excused += simulation.excused;
            for (int i = 0; i < outcomes.length; i++) {
                outcomes[i] += simulation.outcomes[i];
            }
        }
        System.out.println("ScopeSimulationTest: " + strike + ": " + done + " dataflows, seeds " + first + " to "
                + (seed - 1) + ": completed " + outcomes[0] + ", cancelled " + outcomes[1] + ", failed " + outcomes[2]
                + ", excused " + excused + " pairs, " + (System.nanoTime() - beginNs) / 1_000_000 + " ms");
        assertThat(done).isPositive();
    }

    private static ScopeSimulation run(final long seed, final ScopeSimulation.Strike strike) {
        try {
            final ScopeSimulation simulation = new ScopeSimulation(seed, strike, Mutant.NONE, false);
            simulation.run();
            return simulation;
        } catch (final AssertionError failed) {
            new ScopeSimulation(seed, strike, Mutant.NONE, true).run();
            throw failed;
        }
    }

    /** What the checks are worth. */
    @Test
    void shouldNoticeThatNobodyTellsWhatTheDeadHaveSaid() {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= 500; seed++) {
                        new ScopeSimulation(seed, ScopeSimulation.Strike.KILL, Mutant.WORDS_UNTOLD, false).run();
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("L10 broken");
    }
}
