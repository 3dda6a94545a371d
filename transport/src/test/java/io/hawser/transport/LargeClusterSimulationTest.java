package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * L2, L3, L4, L5 at the size that Hawser is made for: a full mesh of many processes forms, one of them is killed, all others name it, and
 * with its successor they form again. {@code -Dhawser.large.processes} sets the size, which costs memory and time by its square.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class LargeClusterSimulationTest {
    private static final int PROCESSES =
            Integer.getInteger("hawser.large.processes", Boolean.getBoolean("hawser.soak") ? 400 : 100);
    private static final long SEED = Long.getLong("hawser.seed", 1);

    @Test
    void shouldNameTheOneThatWasKilledAndFormAgain() {
        long beginNs = System.nanoTime();
        ClusterSimulation simulation = ClusterSimulation.large(
                SEED,
                PROCESSES,
                List.of(
                        new GenerationChecker(),
                        new DeliveryChecker(),
                        new CleanEndChecker(),
                        new BoundedTimeChecker(),
                        new FormingChecker()));
        simulation.run();

        List<MeshLife> lives = simulation.lives();
        Fault kill = simulation.faults().get(0);
        List<MeshLife> witnesses = lives.stream().filter(MeshLife::isWitness).toList();
        assertThat(witnesses).hasSize(PROCESSES - 1);
        assertThat(witnesses).allMatch(life -> kill.explains(life.root()));
        assertThat(witnesses)
                .allMatch(life -> life.root().sameEvent(witnesses.get(0).root()));
        assertThat(lives.stream().filter(MeshLife::isClean)).hasSize(PROCESSES);
        System.out.println("LargeClusterSimulationTest: " + PROCESSES + " processes, "
                + (long) PROCESSES * (PROCESSES - 1) / 2 + " links, hawser.seed=" + SEED + ": all lost within "
                + afterMs(
                        kill,
                        witnesses.stream().mapToLong(life -> life.lostNs).max().orElseThrow())
                + " ms, over within "
                + afterMs(
                        kill,
                        witnesses.stream().mapToLong(life -> life.overNs).max().orElseThrow())
                + " ms of virtual time; " + simulation.eventCount() + " events in "
                + (System.nanoTime() - beginNs) / 1_000_000 + " ms");
    }

    private static long afterMs(Fault kill, long ns) {
        return (ns - kill.atNs()) / 1_000_000;
    }
}
