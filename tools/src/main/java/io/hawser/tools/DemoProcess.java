package io.hawser.tools;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.Worker;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.FormationException;
import java.io.IOException;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * One process of the demonstration. It loads its portion of the graph once; then it forms a cluster with the others and
 * ranks. If the cluster is lost, control comes back here, the portion is still there, and it forms the next generation.
 *
 * <p><em>Threading:</em> the main thread; workers call {@link #rank}.
 */
final class DemoProcess {
    private final DemoOptions options;
    private final ClusterConfig config;
    private final DemoEvents events;
    private final FaultPoint faultPoint;

    /** When a worker returned last. */
    private final LongAccumulator returnMicros = new LongAccumulator(Math::max, 0);

    /** Of each worker of this process; written before there are workers. */
    private Portion[] portions;

    /**
     * Prepares to run.
     *
     * @param options what is asked for.
     * @param config  of this process, with the first generation to form.
     * @param events  where to tell what happens.
     */
    DemoProcess(final DemoOptions options, final ClusterConfig config, final DemoEvents events) {
        this.options = options;
        this.config = config;
        this.events = events;
        faultPoint = new FaultPoint(options, events);
        returnMicros.accumulate(Micros.now()); // no class is to be loaded when it counts
    }

    /**
     * Runs until the ranks are there.
     *
     * @throws IOException          if the classes cannot be read.
     * @throws FormationException   if the processes do not come together.
     * @throws InterruptedException if the thread is interrupted.
     */
    void run() throws IOException, FormationException, InterruptedException {
        portions = load();
        long generation = config.generation();
        while (!runGeneration(config.withGeneration(generation))) {
            if (options.faultIn(generation) == null) {
                throw new IllegalStateException("lost without a fault to expect: generation=" + generation);
            }
            generation++;
        }
    }

    private Portion[] load() throws IOException {
        final long startNs = System.nanoTime();
        final ClassGraph graph = ClassGraph.ofRunningJdk();
        final Portion[] loaded = new Portion[config.workersPerProcess()];
        for (int local = 0; local < loaded.length; local++) {
            loaded[local] = graph.load(config.firstWorker(config.processIndex()) + local, config.workerCount());
        }
        events.loaded(loaded, System.nanoTime() - startNs);
        return loaded;
    }

    /** Returns whether the job is done. If not, the cluster was lost, and nothing is left of it. */
    private boolean runGeneration(final ClusterConfig next) throws FormationException, InterruptedException {
        final long startNs = System.nanoTime();
        try (Cluster<PageRankWorker.Result> cluster = Cluster.execute(next, this::rank)) {
            final long formedNs = System.nanoTime();
            events.formed(cluster.generation(), formedNs - startNs);
            final Outcomes<PageRankWorker.Result> outcomes = cluster.join();
            if (outcomes.isClean()) {
                events.done(cluster, outcomes.values(), System.nanoTime() - formedNs);
            } else {
                events.lost(outcomes, returnMicros.getThenReset(), faultPoint.takePanicMicros());
            }
            return outcomes.isClean();
        }
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
