package io.hawser.allocator;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Health;
import io.hawser.transport.Mesh;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the ends of a process's workers. The last one to end has the process hang up, so that a clean end needs nobody to wait for it. Where
 * there is no mesh to say so in the log, the first one to come out of a lost cluster does, once.
 *
 * <p><em>Threading:</em> any thread.
 */
final class WorkerEnds {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    private final Mesh mesh;
    private final Health health;
    private final LiveSources sources;
    private final SpillStores spillStores;
    private final AtomicInteger runningCount;
    private final CountDownLatch allEnded = new CountDownLatch(1);
    private final AtomicBoolean isReported;

    /**
     * Prepares for as many ends as there are workers.
     *
     * @param isAlone whether there is no other process
     */
    WorkerEnds(
            final Mesh mesh,
            final LiveSources sources,
            final SpillStores spillStores,
            final int workerCount,
            final boolean isAlone) {
        this.spillStores = spillStores;
        this.isReported = new AtomicBoolean(!isAlone);
        this.mesh = mesh;
        this.health = mesh.health();
        this.sources = sources;
        this.runningCount = new AtomicInteger(workerCount);
    }

    /**
     * A worker has ended: it sends nothing more, and has given back its memory. Called once for each.
     *
     * @param onFailure told if the process could not hang up, before the end is counted
     */
    void onEnd(final Consumer<Throwable> onFailure) {
        sources.end();
        final boolean isLast = runningCount.decrementAndGet() == 0;
        if (isLast) {
            closeSpillStores(onFailure);
        }
        if (isLast && !health.isLost()) {
            hangUp(onFailure);
        }
        report();
        if (isLast) {
            allEnded.countDown();
        }
    }

    /** Whether all have ended. */
    boolean isOver() {
        return allEnded.getCount() == 0;
    }

    /** Waits until all have ended; false if the time ran out. */
    boolean await(final long timeoutNs) throws InterruptedException {
        return allEnded.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /** If health is lost, says why in the log, unless that was said. */
    void report() {
        if (!health.isLost() || !isReported.compareAndSet(false, true)) {
            return;
        }
        try {
            log(health.rootCause());
        } catch (final Throwable hostile) {
            // the throwable refuses to be printed, or the heap is full; a log line is not worth the way down
        }
    }

    private void closeSpillStores(final Consumer<Throwable> onFailure) {
        try {
            spillStores.close();
        } catch (final Throwable t) {
            onFailure.accept(t);
        }
    }

    private void hangUp(final Consumer<Throwable> onFailure) {
        try {
            mesh.hangUp();
        } catch (final Throwable t) {
            onFailure.accept(t);
        }
    }

    private static void log(final Cause cause) {
        if (cause.kind() == CauseKind.CLOSED_BY_USER) {
            LOG.info("{}", cause);
        } else {
            LOG.warn("{}", cause, cause.throwable());
        }
    }
}
