package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * L9, cases 32, 33, 34: 10,000 placements in virtual time, with rejects, swallowed and late questions, answers and releases, cancels, drains, and kills of workers and of the coordinator before and after
 * go-ahead. Exactly one worker runs each task of what is placed, none runs what is not, nothing is asked after a go-ahead, no reservation is left. {@code -Dhawser.seed} repeats a failure.
 */
class PlacementChaosTest {
    private static final int ROUNDS = 200;
    private static final int PLACEMENTS_PER_ROUND = 50;
    private static final long MS = 1_000_000;
    private static final long TICK_NS = 2 * MS;

    /** Placements begin in the first part of a round; then there is time for all to end. */
    private static final int BEGIN_MS = 200;

    private static final int ROUND_MS = 1_000;

    private final Map<PlacementStep.Kind, Integer> steps = new EnumMap<>(PlacementStep.Kind.class);
    private final Map<String, Integer> endings = new TreeMap<>();

    @Test
    void shouldRunEachTaskOnceAndLeaveNothingReservedWhateverHappensCase33Case34() {
        final long seed = Seed.print("PlacementChaosTest");
        final Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            run(random, "hawser.seed=" + seed + " round=" + round);
        }
        System.out.println("PlacementChaosTest: " + endings + " " + steps);
        assertThat(endings.values().stream().mapToInt(Integer::intValue).sum())
                .isLessThanOrEqualTo(ROUNDS * PLACEMENTS_PER_ROUND)
                .isGreaterThan(ROUNDS * PLACEMENTS_PER_ROUND * 9 / 10);
        assertThat(endings).containsKeys("PLACED", "FAILED", "CANCELLED", "FAILED after go-ahead");
        assertThat(steps).containsOnlyKeys(PlacementStep.Kind.values());
    }

    private void run(final Random random, final String name) {
        final AdmissionWorld world = new AdmissionWorld(AdmissionSettings.chaotic(), random.nextLong(), name);
        for (long dataflowId = 1; dataflowId <= PLACEMENTS_PER_ROUND; dataflowId++) {
            final Placement placement = placement(random, dataflowId, world.workerCount());
            final long beginNs = random.nextInt(BEGIN_MS) * MS;
            world.time.after(beginNs, () -> world.begin(placement));
            if (random.nextInt(10) == 0) {
                world.time.after(beginNs + random.nextInt(8_000) * 1_000L, () -> world.cancel(placement.dataflowId()));
            }
            if (random.nextInt(20) == 0) {
                final int process = random.nextInt(world.settings.processes());
                world.time.after(
                        beginNs + random.nextInt(8_000) * 1_000L,
                        () -> world.cancelAt(process, placement.dataflowId()));
            }
        }
        for (int kills = random.nextInt(3); kills > 0; kills--) {
            final int victim = 1 + random.nextInt(world.settings.processes() - 1);
            world.time.after(random.nextInt(BEGIN_MS) * MS, () -> world.kill(victim));
        }
        if (random.nextInt(10) == 0) {
            world.time.after(random.nextInt(BEGIN_MS) * MS, () -> world.kill(AdmissionWorld.COORDINATOR));
        }
        if (random.nextInt(5) == 0) {
            final int leaving = random.nextInt(world.settings.processes());
            world.time.after(random.nextInt(BEGIN_MS) * MS, () -> world.drain(leaving));
        }
        world.time.every(TICK_NS, ROUND_MS * MS, world::tick);
        world.time.run();
        world.check();
        world.stepCounts.forEach((kind, count) -> steps.merge(kind, count, Integer::sum));
        world.endings().forEach((ending, count) -> endings.merge(ending, count, Integer::sum));
    }

    private static Placement placement(final Random random, final long dataflowId, final int workerCount) {
        final PlacementBuilder builder = Placement.of(dataflowId)
                .candidates(candidates(random, workerCount))
                .attemptLimit(12)
                .attemptTimeout(Duration.ofMillis(10))
                .retryPause(Duration.ofMillis(5))
                .deadline(Duration.ofMillis(300));
        for (int tasks = 1 + random.nextInt(5); tasks > 0; tasks--) {
            final PlacementTask task =
                    PlacementTask.of(new byte[random.nextInt(20)]).withWeight(random.nextInt(4));
            builder.task(random.nextInt(4) == 0 ? task.withCandidates(candidates(random, workerCount)) : task);
        }
        return builder.build();
    }

    private static int[] candidates(final Random random, final int workerCount) {
        final int first = random.nextInt(workerCount);
        return IntStream.range(0, 3 + random.nextInt(workerCount - 2))
                .map(i -> (first + i) % workerCount)
                .toArray();
    }
}
