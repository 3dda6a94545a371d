package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.WorkerFunction;
import io.hawser.testkit.Deadline;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import io.hawser.transport.FormationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One process of a cluster, played within the test's JVM by a thread that forms it. For what needs no kill.
 *
 * <p><em>Threading:</em> the test's thread.
 */
final class Member implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final String CLUSTER_ID = "member";

    private final CompletableFuture<Cluster<Long>> formed = new CompletableFuture<>();
    private final Thread forming;

    private Member(final ClusterConfig config, final WorkerFunction<Long> work) {
        forming = new Thread(
                () -> {
                    try {
                        formed.complete(Cluster.execute(config, work));
                    } catch (final Throwable failed) {
                        formed.completeExceptionally(failed);
                    }
                },
                "forms-p" + config.processIndex());
        forming.start();
    }

    /** Settings that suit tests, to be completed by an index. */
    static ClusterConfigBuilder config(final int index, final List<Integer> ports) {
        final List<Endpoint> addresses = new ArrayList<>();
        ports.forEach(port -> addresses.add(new Endpoint("127.0.0.1", port)));
        return ClusterConfig.builder()
                .clusterId(CLUSTER_ID)
                .processIndex(index)
                .addresses(addresses)
                .formationTimeout(Duration.ofSeconds(15))
                .helloTimeout(Duration.ofSeconds(2))
                .heartbeatInterval(Duration.ofMillis(100))
                .silenceTimeout(Duration.ofSeconds(10));
    }

    /** Begins to form, with a worker that waits until the cluster ends. */
    static Member start(final ClusterConfigBuilder config) {
        return start(config.build(), worker -> {
            worker.allocateRaw(0);
            while (true) {
                worker.park();
            }
        });
    }

    /** Begins to form. */
    static Member start(final ClusterConfig config, final WorkerFunction<Long> work) {
        return new Member(config, work);
    }

    /** The formed cluster. */
    Cluster<Long> formed() throws Exception {
        try {
            return formed.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final ExecutionException failed) {
            throw new AssertionError("not formed", failed.getCause());
        }
    }

    /** Why it could not be formed. */
    FormationException failed() throws InterruptedException, TimeoutException {
        try {
            final Cluster<Long> unexpected = formed.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            throw new AssertionError("formed generation " + unexpected.generation());
        } catch (final ExecutionException failed) {
            assertThat(failed.getCause()).isInstanceOf(FormationException.class);
            return (FormationException) failed.getCause();
        }
    }

    /** How it ended. */
    Outcomes<Long> joined() throws Exception {
        return formed().join(PATIENCE)
                .orElseThrow(() -> new AssertionError("join did not return within " + PATIENCE.toMillis() + " ms"));
    }

    /** Whether forming has ended, either way. */
    boolean isDone() {
        return formed.isDone();
    }

    boolean isFormed() {
        return formed.isDone() && !formed.isCompletedExceptionally();
    }

    /** Interrupts the thread that forms. */
    void interrupt() {
        forming.interrupt();
    }

    /** What the forming thread threw. */
    Throwable thrown() throws InterruptedException, TimeoutException {
        try {
            formed.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            throw new AssertionError("formed");
        } catch (final ExecutionException failed) {
            return failed.getCause();
        }
    }

    /** Ends it, whatever state it is in. */
    @Override
    public void close() {
        forming.interrupt();
        Deadline.await(PATIENCE, "end of " + forming.getName(), () -> !forming.isAlive());
        if (isFormed()) {
            formed.join().close();
        }
    }

    /** L4: no thread of any cluster is left in this JVM. */
    static void assertNoThreads() {
        Deadline.await(
                Duration.ofSeconds(5),
                () -> "threads left: " + threads(),
                () -> threads().isEmpty());
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("hawser-"))
                .sorted()
                .toList();
    }
}
