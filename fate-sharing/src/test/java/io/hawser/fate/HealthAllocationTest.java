package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Law L3 with a full heap: losing health allocates nothing. */
class HealthAllocationTest {
    private static final int TREE_COUNT = 2_000;
    private static final int PARTS = 10;

    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private final Cause cause = CauseFixture.number(10);
    private final Cause later = CauseFixture.number(20);
    private final Cause earlier = CauseFixture.number(5);
    private long wakeCount;

    @BeforeEach
    void needsTheCounter() {
        assumeTrue(threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled());
    }

    @Test
    void shouldAllocateNothingWhenHealthIsLostWithWakeupsAndChildren() {
        assertThat(allocatedBytes(root -> root.lose(cause))).isZero();
        assertThat(wakeCount).isEqualTo(2L * TREE_COUNT * 6);
    }

    @Test
    void shouldAllocateNothingWhenAPreparedCauseEscalatesFromAChild() {
        Health[] children = new Health[2 * TREE_COUNT];
        PreparedCause[] prepared = new PreparedCause[children.length];
        for (int i = 0; i < children.length; i++) {
            children[i] = tree().child("escalating", Escalation.TO_PARENT);
            prepared[i] = CauseFixture.lost().prepare();
        }
        Throwable thrown = new OutOfMemoryError();

        assertThat(allocatedBytes(children, i -> children[i].lose(prepared[i].complete(i, thrown))))
                .isZero();
    }

    @Test
    void shouldAllocateNothingWhenMoreCausesAreLostConsideredAndSettled() {
        assertThat(allocatedBytes(root -> {
                    root.lose(cause);
                    root.lose(later);
                    root.consider(earlier);
                    root.settle();
                    root.consider(later);
                }))
                .isZero();
    }

    @Test
    void shouldAllocateNothingWhenAskedInALoop() {
        assertThat(allocatedBytes(root -> {
                    root.check();
                    root.isLost();
                    root.state();
                }))
                .isZero();
    }

    private long allocatedBytes(Consumer<Health> action) {
        Health[] roots =
                IntStream.range(0, 2 * TREE_COUNT).mapToObj(i -> tree()).toArray(Health[]::new);
        return allocatedBytes(roots, i -> action.accept(roots[i]));
    }

    /**
     * The first half warms up, the second half is measured in parts, of which the best counts: when the JVM drops compiled code it puts objects
     * on the heap, once, that the code had never made; what the code does allocate shows in every part.
     */
    private long allocatedBytes(Health[] scopes, IntConsumer action) {
        int half = scopes.length / 2;
        int part = half / PARTS;
        run(action, 0, half);
        long least = Long.MAX_VALUE;
        threads.getCurrentThreadAllocatedBytes();
        for (int from = half; from < scopes.length; from += part) {
            long before = threads.getCurrentThreadAllocatedBytes();
            run(action, from, from + part);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static void run(IntConsumer action, int from, int to) {
        for (int i = from; i < to; i++) {
            action.accept(i);
        }
    }

    private Health tree() {
        Health root = Health.root("root");
        Health child = root.child("child");
        Health grandchild = child.child("grandchild");
        for (Health scope : new Health[] {root, child, grandchild}) {
            scope.addWakeup(() -> wakeCount++);
            scope.addWakeup(() -> wakeCount++);
            scope.addThread(Thread.currentThread());
        }
        return root;
    }
}
