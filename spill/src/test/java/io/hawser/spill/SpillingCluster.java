package io.hawser.spill;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.WorkerFunction;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Several processes of one cluster inside this one, with windows of a few frames, so that channels spill all the time.
 *
 * @param <R> the type of what a worker ends with
 */
final class SpillingCluster<R> implements AutoCloseable {
    static final int WINDOW = 8 * 1024;
    static final long LIMIT = 64L * 1024 * 1024;

    private static final long DEADLINE_S = 15;
    private static final long POLL_INTERVAL_NS = 200_000;

    private final List<Cluster<R>> clusters;

    private SpillingCluster(final List<Cluster<R>> clusters) {
        this.clusters = clusters;
    }

    static <R> SpillingCluster<R> start(
            final int processes,
            final int workers,
            final Path directory,
            final long spillLimit,
            final WorkerFunction<R> function)
            throws Exception {
        final List<Endpoint> addresses = freeAddresses(processes);
        final List<Future<Cluster<R>>> forming = new ArrayList<>();
        final ExecutorService callers = Executors.newFixedThreadPool(processes);
        try {
            for (int process = 0; process < processes; process++) {
                final ClusterConfig config = ClusterConfig.builder()
                        .clusterId("spilling")
                        .addresses(addresses)
                        .processIndex(process)
                        .workersPerProcess(workers)
                        .formationTimeout(Duration.ofSeconds(DEADLINE_S))
                        .frameLimit(2 * 1024)
                        .sendRingLength(8 * 1024)
                        .slabLength(64 * 1024)
                        .channelWindow(WINDOW)
                        .channelWindowMax(WINDOW)
                        .floatingWindow(0)
                        .channelLimit(8)
                        .spillDirectory(directory)
                        .spillLimit(spillLimit)
                        .build();
                forming.add(callers.submit(() -> Cluster.execute(config, function)));
            }
            final List<Cluster<R>> clusters = new ArrayList<>();
            for (final Future<Cluster<R>> future : forming) {
                clusters.add(future.get(DEADLINE_S, TimeUnit.SECONDS));
            }
            return new SpillingCluster<>(clusters);
        } finally {
            callers.shutdownNow();
        }
    }

    static <R> List<R> run(
            final int processes, final int workers, final Path directory, final WorkerFunction<R> function)
            throws Exception {
        try (SpillingCluster<R> cluster = start(processes, workers, directory, LIMIT, function)) {
            return cluster.values();
        }
    }

    Cluster<R> process(final int index) {
        return clusters.get(index);
    }

    List<Outcomes<R>> join() throws InterruptedException {
        final List<Outcomes<R>> outcomes = new ArrayList<>();
        for (final Cluster<R> cluster : clusters) {
            outcomes.add(cluster.join(Duration.ofSeconds(DEADLINE_S))
                    .orElseThrow(() -> new AssertionError("join timed out: processIndex=" + cluster.processIndex() + " "
                            + cluster.health() + stacks())));
        }
        return outcomes;
    }

    /** All values of a clean end, in the order of the workers' global indexes. */
    List<R> values() throws InterruptedException {
        final List<R> values = new ArrayList<>();
        for (final Outcomes<R> outcomes : join()) {
            values.addAll(outcomes.values());
        }
        return values;
    }

    @Override
    public void close() {
        clusters.forEach(Cluster::close);
    }

    /** Returns once the condition holds. */
    static void await(final String what, final BooleanSupplier condition) {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(DEADLINE_S)) {
                throw new AssertionError("did not happen in " + DEADLINE_S + " s: " + what + stacks());
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
    }

    static void awaitParked(final Thread thread) {
        await(thread.getName() + " parks", () -> switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            default -> false;
        });
    }

    private static String stacks() {
        final StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().contains("-worker-")) {
                text.append('\n').append(thread.getName()).append(' ').append(List.of(stack));
            }
        });
        return text.toString();
    }

    private static List<Endpoint> freeAddresses(final int count) throws IOException {
        final List<ServerSocket> held = new ArrayList<>();
        final List<Endpoint> addresses = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                final ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                held.add(socket);
                addresses.add(new Endpoint("127.0.0.1", socket.getLocalPort()));
            }
        } finally {
            for (final ServerSocket socket : held) {
                socket.close();
            }
        }
        return addresses;
    }
}
