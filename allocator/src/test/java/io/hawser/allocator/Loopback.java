package io.hawser.allocator;

import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Several processes of one cluster inside this one, joined over loopback.
 *
 * @param <R> the type of what a worker ends with
 */
final class Loopback<R> implements AutoCloseable {
    private static final long DEADLINE_S = 20;

    private final List<Cluster<R>> clusters;

    private Loopback(final List<Cluster<R>> clusters) {
        this.clusters = clusters;
    }

    /** Forms a cluster of so many processes and workers per process, the same code on all. */
    static <R> Loopback<R> start(final int processes, final int workers, final WorkerFunction<R> function)
            throws Exception {
        return start(processes, workers, builder -> builder, function);
    }

    static <R> Loopback<R> start(
            final int processes,
            final int workers,
            final UnaryOperator<ClusterConfigBuilder> settings,
            final WorkerFunction<R> function)
            throws Exception {
        final List<Endpoint> addresses = freeAddresses(processes);
        final List<Future<Cluster<R>>> forming = new ArrayList<>();
        final ExecutorService callers = Executors.newFixedThreadPool(processes);
        try {
            for (int process = 0; process < processes; process++) {
                final ClusterConfig config = settings.apply(ClusterConfig.builder()
                                .clusterId("loopback")
                                .addresses(addresses)
                                .processIndex(process)
                                .workersPerProcess(workers)
                                .formationTimeout(Duration.ofSeconds(DEADLINE_S)))
                        .build();
                forming.add(callers.submit(() -> Cluster.execute(config, function)));
            }
            final List<Cluster<R>> clusters = new ArrayList<>();
            for (final Future<Cluster<R>> future : forming) {
                clusters.add(future.get(DEADLINE_S, TimeUnit.SECONDS));
            }
            return new Loopback<>(clusters);
        } finally {
            callers.shutdownNow();
        }
    }

    Cluster<R> process(final int index) {
        return clusters.get(index);
    }

    int processCount() {
        return clusters.size();
    }

    /** What each process came out with, and nothing of it left. */
    List<Outcomes<R>> join() throws InterruptedException {
        final List<Outcomes<R>> outcomes = ended();
        for (final Cluster<R> cluster : clusters) {
            if (cluster.liveBytes() != 0) {
                throw new AssertionError(
                        "memory is left: processIndex=" + cluster.processIndex() + " liveBytes=" + cluster.liveBytes());
            }
        }
        return outcomes;
    }

    /** What each process came out with; something of it may be left in others' hands. */
    List<Outcomes<R>> ended() throws InterruptedException {
        final List<Outcomes<R>> outcomes = new ArrayList<>();
        for (final Cluster<R> cluster : clusters) {
            outcomes.add(cluster.join(Duration.ofSeconds(DEADLINE_S))
                    .orElseThrow(() -> new AssertionError("join timed out: processIndex=" + cluster.processIndex() + " "
                            + cluster.health() + " threads=" + Jvm.threads("hawser-") + Jvm.stacks("-worker-"))));
        }
        return outcomes;
    }

    /** What all processes hold. */
    long liveBytes() {
        return clusters.stream().mapToLong(Cluster::liveBytes).sum();
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

    static List<Endpoint> freeAddresses(final int count) throws IOException {
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
