package io.hawser.examples;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.GoAhead;
import io.hawser.allocator.PushResult;
import io.hawser.allocator.Worker;
import io.hawser.transport.Notice;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What each worker does in one generation: it begins what it gets the go-ahead for, and does a bit of each query in turn, until it is told that it is enough.
 *
 * <p><em>Threading:</em> {@link #serve} is the worker's; the rest is for any thread.
 */
final class QueryServer {
    /** Kinds of notices: ours to choose. */
    static final int READY = 1;

    static final int LEAVE = 2;
    static final int HAS_DRAINED = 3;
    static final int NEXT_GENERATION = 4;
    static final int END = 5;

    private static final Duration HEALTH_INTERVAL = Duration.ofMillis(100);

    private final PackageGraph graph;
    private final CountDownLatch awaited;
    private final CompletableFuture<Void> leave = new CompletableFuture<>();
    private final CompletableFuture<Void> hasDrained = new CompletableFuture<>();

    /** The worker's. */
    private final Map<Long, QueryJob> jobs = new LinkedHashMap<>();

    private boolean isStopped;

    /** By the worker, read when it has ended. */
    private volatile boolean isEnd;

    /** By query, completed by the worker; with null if it has ended before it had opened it. */
    private final Map<Long, CompletableFuture<QueryJob>> opened = new ConcurrentHashMap<>();

    private volatile boolean hasEnded;

    /** Set before the worker runs. */
    private Consumer<GoAhead> onBegin = goAhead -> {};

    /**
     * Prepares to serve.
     *
     * @param graph     what the queries are about
     * @param processes that will say that they are ready
     */
    QueryServer(final PackageGraph graph, final int processes) {
        this.graph = graph;
        awaited = new CountDownLatch(processes);
    }

    /** Who is to be told of each go-ahead, by the worker. */
    QueryServer onBegin(final Consumer<GoAhead> listener) {
        onBegin = listener;
        return this;
    }

    Void serve(final Worker worker) {
        try {
            run(worker);
        } finally {
            hasEnded = true;
            opened.values().forEach(job -> job.complete(null));
        }
        return null;
    }

    private void run(final Worker worker) {
        worker.onNotice(notice -> {
            switch (notice.kind()) {
                case READY -> awaited.countDown();
                case LEAVE -> leave.complete(null);
                case HAS_DRAINED -> hasDrained.complete(null);
                case NEXT_GENERATION, END -> {
                    isEnd = notice.kind() == END;
                    isStopped = true;
                }
                default -> throw new IllegalStateException("unknown notice: kind=" + notice.kind());
            }
        });
        worker.onGo(goAhead -> begin(worker, goAhead));
        while (!isStopped || !jobs.isEmpty()) {
            boolean isBusy = false;
            for (final QueryJob job : jobs.values()) {
                isBusy |= job.step();
            }
            jobs.values().removeIf(QueryJob::isOver);
            if (isBusy) {
                worker.park(Duration.ZERO); // shows what has come
            } else if (!isStopped || !jobs.isEmpty()) {
                worker.park();
            }
        }
    }

    private void begin(final Worker worker, final GoAhead goAhead) {
        onBegin.accept(goAhead);
        jobs.computeIfAbsent(goAhead.request().dataflowId(), id -> {
                    final QueryJob job = new QueryJob(worker, graph, goAhead);
                    opening(id).complete(job);
                    return job;
                })
                .begin(goAhead);
    }

    /** A query that this worker takes part in, once it has opened it; null if it ends before. For whoever calls {@link #forget} afterwards. */
    CompletableFuture<QueryJob> opened(final long id) {
        final CompletableFuture<QueryJob> job = opening(id);
        if (hasEnded) {
            job.complete(null);
        }
        return job;
    }

    void forget(final long id) {
        opened.remove(id);
    }

    private CompletableFuture<QueryJob> opening(final long id) {
        return opened.computeIfAbsent(id, key -> new CompletableFuture<>());
    }

    /** Waits until all processes take work. */
    void awaitReady(final Cluster<?> cluster) throws InterruptedException {
        while (!awaited.await(HEALTH_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
            cluster.health().check();
        }
    }

    /** Completed when this process is asked to leave, by the worker. */
    CompletionStage<Void> leave() {
        return leave;
    }

    boolean isLeaving() {
        return leave.isDone();
    }

    /** Whether another process has said that it has drained. */
    boolean hasDrained() {
        return hasDrained.isDone();
    }

    /** Whether no generation follows; known when the worker has ended. */
    boolean isEnd() {
        return isEnd;
    }

    static void tell(final Cluster<?> cluster, final int worker, final int kind) {
        if (cluster.notify(worker, Notice.NO_CHANNEL, kind, new UnsafeBuffer(0, 0), 0, 0) == PushResult.REFUSED) {
            throw new IllegalStateException("no room for a notice: kind=" + kind + " target=" + worker);
        }
    }

    /** Tells all workers; worker 0 last: it may be this process's own, which hangs up when it has been told that it is enough. */
    static void tellAll(final Cluster<?> cluster, final int kind) {
        for (int worker = cluster.processCount() - 1; worker >= 0; worker--) {
            tell(cluster, worker, kind);
        }
    }
}
