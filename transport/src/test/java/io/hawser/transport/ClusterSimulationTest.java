package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole clusters in virtual time, seed by seed: the laws L1, L2, L3, L5, L6 hold whatever is done to them (cases 21, 24, 26, 28, 29,
 * 43, 46, 48, 49, 57, 58, 59, 73, 76, 78, 79, 85, G4, G9). A failure tells the whole story; {@code -Dhawser.seed} repeats it.
 */
@Timeout(value = 4, unit = TimeUnit.HOURS)
class ClusterSimulationTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("hawser.soak");
    private static final Long ONE_SEED = Long.getLong("hawser.seed");
    private static final int SOAK_SEEDS = 50_000;
    private static final int MUTANT_SEEDS = 1_000;
    private static final long DEFAULT_NS = TimeUnit.SECONDS.toNanos(10);

    @Test
    void shouldKeepTheLawsWhateverIsDone() {
        RootCauseChecker rootCauses = new RootCauseChecker();
        long beginNs = System.nanoTime();
        long seed = ONE_SEED == null ? 1 : ONE_SEED;
        int count = 0;
        while (count == 0 || ONE_SEED == null && isTimeForMore(count, beginNs)) {
            run(seed++, Mutant.NONE, rootCauses);
            count++;
        }
        System.out.println(
                "ClusterSimulationTest: " + count + " seeds from " + (seed - count) + ", " + rootCauses.compared()
                        + " losses seen alike by all, " + rootCauses.excused() + " by those out of reach");
        assertThat(count).isPositive();
    }

    private static boolean isTimeForMore(int count, long beginNs) {
        return IS_SOAK ? count < SOAK_SEEDS : System.nanoTime() - beginNs < DEFAULT_NS;
    }

    private static void run(long seed, Mutant mutant, RootCauseChecker rootCauses) {
        List<SimulationChecker> checkers = List.of(
                new GenerationChecker(),
                new DeliveryChecker(),
                new CleanEndChecker(),
                new BoundedTimeChecker(),
                rootCauses);
        new ClusterSimulation(seed, mutant, checkers).run();
    }

    @Test
    void shouldTellTheSameStoryWhenASeedIsRepeated() {
        for (long seed = 1; seed <= 40; seed++) {
            assertThat(story(seed)).isEqualTo(story(seed)).isNotEmpty();
        }
    }

    private static List<String> story(long seed) {
        ClusterSimulation simulation = new ClusterSimulation(seed, Mutant.NONE, List.of());
        simulation.run();
        return simulation.trace();
    }

    /** What the checkers are worth. */
    @ParameterizedTest
    @EnumSource(
            value = Mutant.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "WORDS_UNTOLD"})
    void shouldNoticeWithinAThousandSeedsThatSomethingIsLeftOut(Mutant mutant) {
        for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
            try {
                run(seed, mutant, new RootCauseChecker());
            } catch (AssertionError noticed) {
                System.out.println("ClusterSimulationTest: " + mutant + " noticed with seed " + seed + ": "
                        + noticed.getCause().getMessage().lines().findFirst().orElse(""));
                return;
            }
        }
        throw new AssertionError("nobody noticed: " + mutant);
    }
}
