package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long NOW_NS = Long.MAX_VALUE - 5;

    @Test
    void shouldBeDueAfterAWhileThenAtGrowingIntervals() {
        Pace pace = new Pace(10, NOW_NS);
        List<Integer> said = new ArrayList<>();
        assertThat(pace.hasBeenDue()).isFalse();
        for (int ns = 0; ns <= 200; ns++) {
            if (pace.isDue(NOW_NS + ns)) {
                said.add(ns);
            }
        }
        assertThat(said).containsExactly(10, 20, 40, 80, 160);
        assertThat(pace.hasBeenDue()).isTrue();
    }
}
