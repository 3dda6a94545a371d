package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.ClusterFailedException;
import io.hawser.allocator.Outcomes;
import io.hawser.tools.Numbers;
import io.hawser.transport.ClusterConfig;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.agrona.collections.LongArrayList;

/**
 * What a process takes while its workers work, looked at from outside of them: heap, direct memory, and the round trip of heartbeats to the other processes.
 *
 * <p><em>Threading:</em> one thread, no worker.
 */
final class Samples {
    /** What a process takes of direct memory beside what the settings tell: the JDK's own buffers, for reads and writes of arrays. */
    static final long REST = 1024 * 1024;

    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final long LINE_INTERVAL_NS = 1_000_000_000;
    private static final double NS_PER_MS = 1e6;

    /** Memory that varies by no more than a slab does not grow. */
    private static final long FLAT_TOLERANCE = 256 * 1024;

    private static final BufferPoolMXBean DIRECT = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();

    private final Cluster<?> cluster;
    private final LongArrayList direct = new LongArrayList();
    private final Histogram roundTripsNs = new Histogram(3);
    private final long[] latestRoundTripsNs;
    private long heapMax;

    private Samples(final Cluster<?> cluster) {
        this.cluster = cluster;
        latestRoundTripsNs = new long[cluster.processCount()];
    }

    /** All direct memory that a process with these settings may take, in bytes: {@code -XX:MaxDirectMemorySize}. */
    static long directLimit(final ClusterConfig config) {
        final long sendRings = (config.processCount() - 1L) * config.workersPerProcess() * config.sendRingLength();
        return config.receiveMemoryLimit() + sendRings + REST;
    }

    /**
     * Takes samples until the cluster has ended.
     *
     * @param cluster of this process
     * @param line    says where things are, once a second
     * @return all samples
     * @throws ClusterFailedException if the cluster was lost
     */
    static Samples untilEndOf(final Cluster<?> cluster, final Function<Samples, String> line)
            throws InterruptedException {
        final Samples samples = new Samples(cluster);
        long nextLineNs = System.nanoTime() + LINE_INTERVAL_NS;
        Optional<? extends Outcomes<?>> outcomes = Optional.empty();
        while (outcomes.isEmpty()) {
            samples.take();
            if (System.nanoTime() - nextLineNs >= 0) {
                nextLineNs += LINE_INTERVAL_NS;
                Told.line(line.apply(samples));
            }
            outcomes = cluster.join(INTERVAL);
        }
        outcomes.get().values();
        return samples;
    }

    static String mib(final long bytes) {
        return Numbers.fixed(bytes / 1024.0 / 1024.0, 1) + " MiB";
    }

    /** Heap and direct memory as they are, for people. */
    String memory() {
        return "heap " + mib(heapNow()) + ", direct " + mib(direct.getLong(direct.size() - 1));
    }

    /** The latest round trip to a process, for people. */
    String roundTrip(final int process) {
        return "round trip " + Numbers.fixed(latestRoundTripsNs[process] / NS_PER_MS, 1) + " ms";
    }

    long heapMax() {
        return heapMax;
    }

    long directMax() {
        return direct.longStream().max().orElse(0);
    }

    /** Whether the last third of the time has needed no more than the first. */
    boolean isDirectFlat() {
        final int third = direct.size() / 3;
        final long before = direct.longStream().limit(third).max().orElse(0);
        final long after = direct.longStream().skip(2L * third).max().orElse(0);
        return after <= before + FLAT_TOLERANCE;
    }

    double roundTripMs(final double percentile) {
        return roundTripsNs.getValueAtPercentile(percentile) / NS_PER_MS;
    }

    private void take() {
        direct.addLong(DIRECT.getMemoryUsed());
        heapMax = Math.max(heapMax, heapNow());
        for (int process = 0; process < latestRoundTripsNs.length; process++) {
            if (process != cluster.processIndex()) {
                final long ns = cluster.stats(process).roundTripNs();
                if (ns != 0 && ns != latestRoundTripsNs[process]) {
                    latestRoundTripsNs[process] = ns;
                    roundTripsNs.recordValue(ns);
                }
            }
        }
    }

    private static long heapNow() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
