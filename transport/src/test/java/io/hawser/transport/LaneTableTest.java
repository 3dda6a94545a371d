package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LaneTableTest {
    private record Key(long scopeId, long key) {}

    private final LaneTable<String> table = new LaneTable<>();

    @Test
    void shouldKeepTheFirstLaneOfAKey() {
        assertThat(table.putIfAbsent(1, 5, "a")).isNull();
        assertThat(table.putIfAbsent(1, 5, "b")).isEqualTo("a");
        assertThat(table.putIfAbsent(2, 5, "c")).isNull();
        assertThat(table.get(1, 5)).isEqualTo("a");
        assertThat(table.get(2, 5)).isEqualTo("c");
        assertThat(table.get(1, 6)).isNull();
        assertThat(table.get(3, 5)).isNull();
        assertThat(table.size()).isEqualTo(2);
    }

    /** A lane that was let go of late must not take its successor with it. */
    @Test
    void shouldRemoveALaneOnlyOnceAndNotAnother() {
        table.putIfAbsent(1, 5, "a");
        assertThat(table.remove(1, 5, "b")).isFalse();
        assertThat(table.remove(2, 5, "a")).isFalse();
        assertThat(table.remove(1, 6, "a")).isFalse();
        assertThat(table.remove(1, 5, "a")).isTrue();
        assertThat(table.remove(1, 5, "a")).isFalse();
        assertThat(table.size()).isZero();
    }

    @Test
    void shouldRemoveAllLanesOfAScopeTogether() {
        table.putIfAbsent(1, 5, "a");
        table.putIfAbsent(1, 6, "b");
        table.putIfAbsent(2, 5, "c");
        assertThat(table.removeScope(1)).containsExactlyInAnyOrder("a", "b");
        assertThat(table.removeScope(1)).isEmpty();
        assertThat(table.remove(1, 5, "a")).isFalse();
        assertThat(table.size()).isOne();
        assertThat(table.all()).containsExactly("c");
        table.clear();
        assertThat(table.all()).isEmpty();
        assertThat(table.size()).isZero();
    }

    @Test
    void shouldHoldWhatAMapHolds() {
        final Random random = new Random(7);
        final Map<Key, String> model = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            final Key at = new Key(random.nextInt(5), random.nextInt(8));
            switch (random.nextInt(12)) {
                case 0 -> {
                    final List<String> gone = table.removeScope(at.scopeId);
                    assertThat(gone)
                            .containsExactlyInAnyOrderElementsOf(model.entrySet().stream()
                                    .filter(lane -> lane.getKey().scopeId == at.scopeId)
                                    .map(Map.Entry::getValue)
                                    .toList());
                    model.keySet().removeIf(key -> key.scopeId == at.scopeId);
                }
                case 1, 2, 3, 4 -> {
                    final String lane = model.get(at);
                    if (lane != null) {
                        assertThat(table.remove(at.scopeId, at.key, lane)).isTrue();
                        model.remove(at);
                    }
                }
                default -> {
                    final String lane = "lane " + i;
                    assertThat(table.putIfAbsent(at.scopeId, at.key, lane)).isEqualTo(model.putIfAbsent(at, lane));
                }
            }
            assertThat(table.size()).isEqualTo(model.size());
            assertThat(table.get(at.scopeId, at.key)).isEqualTo(model.get(at));
        }
        assertThat(table.all()).containsExactlyInAnyOrderElementsOf(model.values());
    }
}
