package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IdSetTest {
    private final IdSet ids = new IdSet();

    @Property(tries = 300)
    void shouldContainWhatWasAdded(@ForAll final List<@IntRange(max = 60) Integer> added) {
        final IdSet set = new IdSet();
        final Set<Integer> expected = new TreeSet<>();
        for (final int id : added) {
            set.add(id);
            expected.add(id);
            assertThat(set.rangeCount()).isEqualTo(rangesOf(expected));
        }
        for (int id = -1; id <= 62; id++) {
            assertThat(set.contains(id)).as("id=%s", id).isEqualTo(expected.contains(id));
        }
        assertThat(set.isEmpty()).isEqualTo(expected.isEmpty());
    }

    @Test
    void shouldKeepNeighboursAsOneRange() {
        for (int id = 0; id < 100_000; id++) {
            ids.add(id);
        }
        for (int id = 300_000; id > 200_000; id--) {
            ids.add(id);
        }
        assertThat(ids.rangeCount()).isEqualTo(2);
        for (int id = 100_000; id <= 200_000; id++) {
            ids.add(id);
        }
        assertThat(ids.rangeCount()).isOne();
    }

    @Test
    void shouldBearTheEndsOfTheNumbers() {
        for (final int id : new int[] {Integer.MAX_VALUE, 0, Integer.MAX_VALUE - 1, Integer.MAX_VALUE}) {
            ids.add(id);
            assertThat(ids.contains(id)).isTrue();
        }
        assertThat(ids.contains(1)).isFalse();
        assertThat(ids.contains(Integer.MAX_VALUE - 2)).isFalse();
        assertThat(ids.rangeCount()).isEqualTo(2);
    }

    /** It is asked for each delivery. */
    @Test
    void shouldAllocateNothingWhenAsked() {
        for (int id = 1_000; id < 3_000; id += 2) {
            ids.add(id);
        }
        final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        final long thread = Thread.currentThread().getId();
        long allocated = Long.MAX_VALUE;
        int found = 0;
        for (int round = 0; round < 5; round++) {
            final long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 100_000; i++) {
                found += ids.contains(1_000 + i % 2_000) ? 1 : 0;
            }
            allocated = Math.min(allocated, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(found).isEqualTo(5 * 50_000);
        assertThat(allocated).isLessThan(1_000);
    }

    private static int rangesOf(final Set<Integer> ids) {
        return (int) ids.stream().filter(id -> !ids.contains(id - 1)).count();
    }
}
