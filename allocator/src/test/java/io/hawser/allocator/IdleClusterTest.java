package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.transport.ClusterConfigBuilder;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster that has nothing to do needs nearly nothing. */
@Timeout(120)
class IdleClusterTest {
    private static final int PROCESSES = 8;
    private static final double CPU_MAX = 0.01;
    private static final Duration STRETCH = Duration.ofSeconds(3);

    /** What else goes on in the machine only adds to a stretch, so the cheapest of them counts. */
    private static final int STRETCHES = 3;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** Case 110: all threads of all eight processes together, with default settings, each worker parked. */
    @Test
    void shouldNeedLessThanOnePercentOfOneCpuCase110() throws Exception {
        compile();
        double least = Double.MAX_VALUE;
        Map<String, Long> leastByRole = Map.of();
        final Loopback<Void> cluster = idle(builder -> builder);
        pass(STRETCH);
        for (int i = 0; i < STRETCHES; i++) {
            final Map<Long, Long> before = cpuNs();
            final long startNs = System.nanoTime();
            pass(STRETCH);
            final Map<String, Long> byRole = byRole(before);
            final long sumNs =
                    byRole.values().stream().mapToLong(Long::longValue).sum();
            final double part = sumNs / (double) (System.nanoTime() - startNs);
            if (part < least) {
                least = part;
                leastByRole = byRole;
            }
        }
        cluster.close();
        assertThat(least)
                .as("part of one CPU; of it by role, ns: %s", leastByRole)
                .isPositive()
                .isLessThan(CPU_MAX);
    }

    /** Heartbeats by the thousand, so that what is measured afterwards is not the interpreter. */
    private static void compile() throws Exception {
        final Loopback<Void> cluster = idle(builder -> builder.heartbeatInterval(Duration.ofMillis(5)));
        pass(STRETCH);
        cluster.close();
    }

    private static Loopback<Void> idle(final UnaryOperator<ClusterConfigBuilder> settings) throws Exception {
        return Loopback.start(PROCESSES, 1, settings, worker -> {
            while (true) {
                worker.park(); // until the cluster is closed
            }
        });
    }

    private static void pass(final Duration time) {
        final long startNs = System.nanoTime();
        long restNs = time.toNanos();
        while (restNs > 0) {
            LockSupport.parkNanos(restNs);
            restNs = time.toNanos() - (System.nanoTime() - startNs);
        }
    }

    private static Map<Long, Long> cpuNs() {
        final Map<Long, Long> times = new HashMap<>();
        for (final long id : THREADS.getAllThreadIds()) {
            times.put(id, THREADS.getThreadCpuTime(id));
        }
        return times;
    }

    /** What the threads of the cluster have taken since then. */
    private static Map<String, Long> byRole(final Map<Long, Long> before) {
        final Map<String, Long> byRole = new HashMap<>();
        cpuNs().forEach((id, ns) -> {
            final ThreadInfo thread = THREADS.getThreadInfo(id);
            if (thread != null && thread.getThreadName().startsWith("hawser-")) {
                final String role = thread.getThreadName().replaceAll("^hawser-loopback-p\\d+-g\\d+-|-\\d+$", "");
                byRole.merge(role, ns - before.getOrDefault(id, 0L), Long::sum);
            }
        });
        return byRole;
    }
}
