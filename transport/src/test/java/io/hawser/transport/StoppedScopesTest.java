package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoppedScopesTest {
    private final StoppedScopes stopped = new StoppedScopes();

    @Test
    void shouldHoldNothingAtFirst() {
        assertThat(stopped.contains(0)).isFalse();
        assertThat(stopped.contains(9)).isFalse();
    }

    @Test
    void shouldKeepTheOthersWhenOneIsRemoved() {
        stopped.add(9);
        stopped.add(9);
        stopped.add(Long.MAX_VALUE);
        assertThat(stopped.contains(9)).isTrue();
        assertThat(stopped.contains(Long.MAX_VALUE)).isTrue();
        assertThat(stopped.contains(8)).isFalse();
        stopped.remove(9);
        assertThat(stopped.contains(9)).isFalse();
        assertThat(stopped.contains(Long.MAX_VALUE)).isTrue();
        stopped.remove(Long.MAX_VALUE);
        assertThat(stopped.contains(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void shouldTakeNothingAmissWhenWhatIsNotThereIsRemoved() {
        stopped.remove(1);
        stopped.add(2);
        stopped.remove(1);
        assertThat(stopped.contains(2)).isTrue();
    }

    @Test
    void shouldHoldWhatASetHolds() {
        final Random random = new Random(5);
        final Set<Long> model = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            final long id = 1 + random.nextInt(60);
            if (random.nextBoolean()) {
                stopped.add(id);
                model.add(id);
            } else {
                stopped.remove(id);
                model.remove(id);
            }
            final long asked = 1 + random.nextInt(60);
            assertThat(stopped.contains(asked)).isEqualTo(model.contains(asked));
        }
    }
}
