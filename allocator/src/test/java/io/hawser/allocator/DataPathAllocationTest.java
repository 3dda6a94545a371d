package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * In steady state nothing is allocated on the way of a message: neither by the workers that push and pull it nor by the threads that send and
 * receive it. The threads of two processes, run inside this one, are asked what they have allocated.
 */
@Timeout(50)
class DataPathAllocationTest {
    private static final int BATCH = 4_000;
    private static final int WARM_BATCHES = 500;
    private static final int BATCHES = 2_500;

    /** One more, so that nobody has ended when the count is taken. */
    private static final int ALL_BATCHES = WARM_BATCHES + BATCHES + 1;

    private static final int MESSAGE_LENGTH = 64;

    /** All threads together, over ten million messages: what heartbeats, timers and the JVM itself may need. */
    private static final long ALLOWED_BYTES = 64 * 1_024;

    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private final AtomicReference<Map<String, Long>> before = new AtomicReference<>();
    private final AtomicReference<Map<String, Long>> after = new AtomicReference<>();

    @Test
    void shouldAllocateNothingOverTenMillionMessages() throws Exception {
        try (Loopback<Long> cluster = Loopback.start(2, 1, this::work)) {
            assertThat(cluster.values()).containsExactly((long) BATCH * ALL_BATCHES, 0L);
        }
        final Map<String, Long> allocated = new TreeMap<>();
        after.get()
                .forEach((thread, bytes) ->
                        allocated.put(thread, bytes - before.get().getOrDefault(thread, 0L)));
        assertThat(allocated).hasSizeGreaterThanOrEqualTo(6); // two workers, two threads to send, two to receive
        assertThat(allocated.values().stream().mapToLong(Long::longValue).sum())
                .as("bytes by thread: %s", allocated)
                .isLessThanOrEqualTo(ALLOWED_BYTES);
    }

    /** Worker 0 pushes batches, each of which worker 1 acknowledges. */
    private Long work(final Worker worker) {
        final RawChannel channel = worker.allocateRaw(0);
        final long[] expected = {0};
        final MessageHandler handler = (buffer, offset, length, source) -> {
            if (buffer.getLong(offset) != expected[0]) {
                throw new AssertionError("number=" + buffer.getLong(offset) + " expected=" + expected[0]);
            }
            expected[0]++;
        };
        final RawPusher pusher = channel.pusher(1 - worker.index());
        long pushed = 0;
        for (int batch = 0; batch < ALL_BATCHES; batch++) {
            if (worker.index() == 0) {
                if (batch == WARM_BATCHES) {
                    before.set(allocatedBytes());
                } else if (batch == WARM_BATCHES + BATCHES) {
                    after.set(allocatedBytes());
                }
                for (int i = 0; i < BATCH; i++) {
                    push(pusher, pushed++);
                }
                awaitCount(worker, channel, handler, expected, batch + 1L);
            } else {
                awaitCount(worker, channel, handler, expected, (batch + 1L) * BATCH);
                push(pusher, batch);
            }
        }
        return pushed;
    }

    private static void push(final RawPusher pusher, final long number) {
        final int offset = pusher.claim(MESSAGE_LENGTH);
        pusher.buffer().putLong(offset, number);
        pusher.commit();
    }

    private static void awaitCount(
            final Worker worker,
            final RawChannel channel,
            final MessageHandler handler,
            final long[] count,
            final long wanted) {
        worker.flush();
        while (count[0] < wanted) {
            if (channel.puller().poll(handler, Integer.MAX_VALUE) == 0) {
                worker.park();
            }
        }
    }

    private Map<String, Long> allocatedBytes() {
        final Map<String, Long> bytes = new TreeMap<>();
        for (final Thread thread : Thread.getAllStackTraces().keySet()) {
            final String name = thread.getName();
            if (name.contains("-worker-") || name.contains("-send-to-") || name.contains("-recv-from-")) {
                bytes.put(name, threads.getThreadAllocatedBytes(thread.getId()));
            }
        }
        return bytes;
    }
}
