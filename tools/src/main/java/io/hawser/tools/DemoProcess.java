package io.hawser.tools;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Interlude;
import io.hawser.allocator.SupervisedOutcomes;
import io.hawser.allocator.SupervisionPolicy;
import io.hawser.allocator.Worker;
import io.hawser.transport.ClusterConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * One process of the demonstration. It loads its portion of the graph once; then it forms a cluster with the others and
 * ranks. If the cluster is lost, control comes back here, the portion is still there, and it forms the next generation.
 *
 * <p><em>Threading:</em> the main thread; workers call {@link #rank}.
 */
final class DemoProcess {
    /** As long as a new JVM may take to load its portion on a machine that is busy. */
    static final Duration FORMATION_TIMEOUT = Duration.ofSeconds(60);

    /** More than anybody can ask for. */
    private static final int RESTARTS_MAX = 1_000;

    private final DemoOptions options;
    private final ClusterConfig config;
    private final DemoEvents events;
    private final Orders orders;
    private final FaultPoint faultPoint;

    /** When a worker returned last. */
    private final LongAccumulator returnMicros = new LongAccumulator(Math::max, 0);

    /** Of each worker of this process; written before there are workers. */
    private Portion[] portions;

    private long startNs;
    private long formedNs;
    private Cluster<?> latest;

    /**
     * Prepares to run.
     *
     * @param options what is asked for.
     * @param config  of this process, with the first generation to form.
     * @param events  where to tell what happens.
     * @param orders  what to do when.
     */
    DemoProcess(final DemoOptions options, final ClusterConfig config, final DemoEvents events, final Orders orders) {
        this.options = options;
        this.events = events;
        this.orders = orders;
        this.faultPoint = new FaultPoint(orders, events);
        this.config = config.toBuilder().formationListener(faultPoint::onStep).build();
        returnMicros.accumulate(Micros.now()); // no class is to be loaded when it counts
    }

    /**
     * Runs until the ranks are there.
     *
     * @return how that ended.
     * @throws IOException          if the classes cannot be read.
     * @throws InterruptedException if the thread is interrupted.
     */
    SupervisedOutcomes<PageRankWorker.Result> run() throws IOException, InterruptedException {
        portions = load();
        final SupervisionPolicy policy = SupervisionPolicy.builder()
                .restarts(RESTARTS_MAX, Duration.ofDays(1))
                .backoff(Duration.ofMillis(5), Duration.ofMillis(100))
                .formWithin(FORMATION_TIMEOUT)
                .onFormed(this::onFormed)
                .between(this::between)
                .build();
        orders.awaitForm();
        startNs = System.nanoTime();
        final SupervisedOutcomes<PageRankWorker.Result> outcomes = Cluster.supervise(config, policy, this::rank);
        if (outcomes.isCompleted()) {
            events.done(latest, outcomes.values(), System.nanoTime() - formedNs);
        }
        return outcomes;
    }

    private Portion[] load() throws IOException {
        final long beginNs = System.nanoTime();
        final ClassGraph graph = ClassGraph.ofRunningJdk();
        final Portion[] loaded = new Portion[config.workersPerProcess()];
        for (int local = 0; local < loaded.length; local++) {
            loaded[local] = graph.load(config.firstWorker(config.processIndex()) + local, config.workerCount());
        }
        events.loaded(loaded, System.nanoTime() - beginNs);
        return loaded;
    }

    private void onFormed(final Cluster<?> cluster) {
        latest = cluster;
        formedNs = System.nanoTime();
        events.formed(cluster.generation(), formedNs - startNs);
    }

    /** The cluster was lost, and nothing is left of it but what this process holds. */
    private ClusterConfig between(final Interlude interlude) throws InterruptedException {
        events.lost(interlude.lost(), returnMicros.getThenReset(), faultPoint.takePanicMicros());
        orders.awaitForm();
        startNs = System.nanoTime();
        return interlude.nextConfig();
    }

    private PageRankWorker.Result rank(final Worker worker) throws InterruptedException {
        try {
            final Portion portion = portions[worker.localIndex()];
            return new PageRankWorker(worker, portion).run(options.iterations(), faultPoint);
        } finally {
            returnMicros.accumulate(Micros.now());
        }
    }
}
