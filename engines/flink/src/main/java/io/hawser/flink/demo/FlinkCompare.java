package io.hawser.flink.demo;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;

/**
 * The same job on Flink's own transport and on Hawser, in turn, in one process that is warm: how long it takes, and how much of the processors. All counts are verified in every run.
 *
 * <p><em>Threading:</em> a program.
 */
final class FlinkCompare {
    private static final int PARALLELISM = 4;
    private static final int TASK_MANAGERS = 2;

    /** Times of one run. */
    private record Times(long wallMs, long cpuMs) {}

    private final int pairs;
    private final int warmUps;
    private final int rounds;
    private final PrintStream out;

    /**
     * A comparison.
     *
     * @param pairs   of runs that count
     * @param warmUps pairs of runs before those
     * @param rounds  how often the job counts each reference
     */
    FlinkCompare(final int pairs, final int warmUps, final int rounds, final PrintStream out) {
        this.pairs = pairs;
        this.warmUps = warmUps;
        this.rounds = rounds;
        this.out = out;
    }

    void run() throws Exception {
        final Map<Transport, SmallCluster> clusters = new EnumMap<>(Transport.class);
        try {
            for (final Transport transport : Transport.values()) {
                clusters.put(transport, transport.start(TASK_MANAGERS, PARALLELISM, new Configuration()));
            }
            for (final RuntimeExecutionMode mode :
                    List.of(RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH)) {
                compare(clusters, mode);
            }
        } finally {
            clusters.values().forEach(SmallCluster::close);
        }
    }

    private void compare(final Map<Transport, SmallCluster> clusters, final RuntimeExecutionMode mode)
            throws Exception {
        final Map<Transport, List<Times>> times = new EnumMap<>(Transport.class);
        for (int pair = 0; pair < warmUps + pairs; pair++) {
            for (int turn = 0; turn < Transport.values().length; turn++) {
                // who goes first changes, so that neither always finds what the other has left
                final Transport transport = Transport.values()[(pair + turn) % Transport.values().length];
                final Times run = run(clusters.get(transport), mode);
                if (pair >= warmUps) {
                    times.computeIfAbsent(transport, key -> new ArrayList<>()).add(run);
                }
            }
        }
        final long nettyMs =
                median(times.get(Transport.NETTY).stream().map(Times::wallMs).toList());
        for (final Transport transport : Transport.values()) {
            final List<Long> wallMs =
                    times.get(transport).stream().map(Times::wallMs).sorted().toList();
            final long cpuMs =
                    median(times.get(transport).stream().map(Times::cpuMs).toList());
            out.printf(
                    Locale.ROOT,
                    "%-9s %-6s median %5d ms (%d–%d, n=%d), %.2f of Netty's, CPU %5d ms%n",
                    mode,
                    transport,
                    median(wallMs),
                    wallMs.get(0),
                    wallMs.get(pairs - 1),
                    pairs,
                    median(wallMs) / (double) nettyMs,
                    cpuMs);
        }
    }

    private Times run(final SmallCluster cluster, final RuntimeExecutionMode mode) throws Exception {
        final DegreeJob job = new DegreeJob(rounds);
        final long cpuNs = cpuNs();
        final JobExecutionResult result = cluster.run(job.graph(mode, PARALLELISM, new Configuration()));
        final long spentNs = cpuNs() - cpuNs;
        job.verify(result);
        return new Times(result.getNetRuntime(TimeUnit.MILLISECONDS), TimeUnit.NANOSECONDS.toMillis(spentNs));
    }

    private static long cpuNs() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static long median(final List<Long> values) {
        final List<Long> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
