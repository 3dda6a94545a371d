package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * L9: starting a plan of any depth costs two round trips. Precisely, with a one-way delay of d on every link and nothing else taking time: the coordinator sends all START at 0; they arrive at d; the last
 * ACCEPT is back at 2 d, the first round trip; all GO leave in that very instant, and every task of the plan begins at 3 d; what the tasks say first is at the coordinator at 4 d, the second round trip.
 */
class StartLatencyTest {
    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16, 64})
    void shouldStartAPlanInTwoRoundTripsWhateverItsDepth(final int depth) {
        final AdmissionWorld world = new AdmissionWorld(AdmissionSettings.calm(DELAY_NS), 1, "depth=" + depth);
        final PlacementBuilder builder = Placement.of(1).candidates(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        for (int task = 0; task < depth; task++) {
            builder.task(PlacementTask.of(new byte[100]).withWeight(0));
        }
        final long beginNs = world.time.nowNs();
        world.begin(builder.build());
        world.time.run();
        world.check();
        assertThat(world.stepCounts).containsEntry(PlacementStep.Kind.WENT, depth);
        assertThat(world.stepCounts).containsEntry(PlacementStep.Kind.OFFERED, depth);
        assertThat(world.record(1).firstRunNs - beginNs).isEqualTo(3 * DELAY_NS);
        assertThat(world.record(1).lastRunNs - beginNs).isEqualTo(3 * DELAY_NS);
        assertThat(world.lastDoneNs - beginNs).isEqualTo(4 * DELAY_NS);
    }
}
