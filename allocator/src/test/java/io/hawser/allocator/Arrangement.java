package io.hawser.allocator;

import io.hawser.transport.ClusterConfigBuilder;
import java.util.List;
import java.util.function.UnaryOperator;

/** Where the workers of a cluster are: the same code has to do the same in each. */
enum Arrangement {
    ONE_THREAD(1, 1),
    THREADS(1, 3),
    TWO_PROCESSES(2, 2),
    THREE_PROCESSES(3, 1);

    /** Of {@link #tight}: small, so that limits are met all the time. */
    static final int WINDOW = 8 * 1024;

    static final int FRAME_LIMIT = 2 * 1024;

    private final int processes;
    private final int workers;

    Arrangement(final int processes, final int workers) {
        this.processes = processes;
        this.workers = workers;
    }

    int workerCount() {
        return processes * workers;
    }

    <R> Loopback<R> start(final UnaryOperator<ClusterConfigBuilder> settings, final WorkerFunction<R> function)
            throws Exception {
        return Loopback.start(processes, workers, settings, function);
    }

    /** Runs to a clean end, of which nothing is left. */
    <R> List<R> run(final UnaryOperator<ClusterConfigBuilder> settings, final WorkerFunction<R> function)
            throws Exception {
        try (Loopback<R> cluster = start(settings, function)) {
            return cluster.values();
        }
    }

    /** Windows of a few frames that do not grow. */
    static ClusterConfigBuilder tight(final ClusterConfigBuilder builder) {
        return builder.frameLimit(FRAME_LIMIT)
                .sendRingLength(4 * FRAME_LIMIT)
                .slabLength(64 * 1024)
                .channelWindow(WINDOW)
                .channelWindowMax(WINDOW)
                .floatingWindow(0)
                .channelLimit(4);
    }
}
