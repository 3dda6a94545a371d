package io.hawser.spill;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hawser.allocator.SpillStore;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Within a segment, nothing is allocated for a piece. */
class SpillAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 200_000;
    private static final int PIECES = 1_000_000;

    /** The JVM allocates some when it recompiles; 16 bytes for each piece would be four thousand times this. */
    private static final long NOISE_BYTES = 4_096;

    @TempDir
    Path directory;

    private long sum;

    @Test
    void shouldAllocateNothingWhenPiecesComeAndGo() {
        try (SpillStore store = new MappedSpillProvider().open(directory, "test", 10_000_000)) {
            final SpillStore.Queue queue = store.openQueue("queue");
            final UnsafeBuffer source = new UnsafeBuffer(new byte[200]);
            comeAndGo(queue, source, WARM_UP);
            final long before = allocatedBytes();
            comeAndGo(queue, source, PIECES);
            assertThat(allocatedBytes() - before).as("sum=%s", sum).isLessThan(NOISE_BYTES);
        }
    }

    private void comeAndGo(final SpillStore.Queue queue, final UnsafeBuffer source, final int count) {
        for (int i = 0; i < count; i += 1_000) {
            for (int j = 0; j < 1_000; j++) {
                queue.append(j, source, 0, source.capacity());
            }
            while (!queue.isEmpty()) {
                sum += queue.headTag() + queue.headBuffer().getByte(queue.headOffset() + queue.headLength() - 1);
                queue.removeHead();
            }
        }
    }

    /** By this thread; asked twice, since the first time it allocates something itself. */
    private static long allocatedBytes() {
        THREADS.getCurrentThreadAllocatedBytes();
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
