package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseBuilder;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Health;
import io.hawser.fate.StackText;
import io.hawser.fate.StallDetector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Finds out which workers of this process do not call the library any more, tells that to everybody, and makes it a failure beyond the limit, if there is one. It needs no help of the worker, and waits for nothing: the
 * stack is taken by a thread of its own, which may hang.
 *
 * <p><em>Threading:</em> the watch thread, except {@link #open} and {@link #addTo}, which are for any.
 */
final class StallWatch {
    /** What is done with what is found. */
    interface Host {
        void announce(WaitNews stall);

        CauseBuilder causeHere(CauseKind kind);

        Health health();

        /** Fails a dataflow; false if it is stopped or over already. */
        boolean failScope(long scopeId, Cause cause);

        long generation();

        /** A stack has come. */
        void wakeWatch();
    }

    private final ClusterConfig config;
    private final Host host;
    private final long tickNs;
    private final long limitNs;

    /** By index in the process; null until the worker is there. */
    private final AtomicReferenceArray<WatchedWorker> workers;

    private boolean isStackWanted;

    /** Takes stacks, or has; null if none was needed yet. */
    private Thread taker;

    StallWatch(ClusterConfig config, Host host, long tickNs) {
        this.config = config;
        this.host = host;
        this.tickNs = tickNs;
        this.limitNs = config.stallLimitNs().orElse(StallDetector.NO_LIMIT);
        this.workers = new AtomicReferenceArray<>(config.workersPerProcess());
    }

    /** A worker that is to be watched. */
    void open(int worker, WorkerView view) {
        StallDetector detector = new StallDetector(tickNs, config.stallTimeoutNs(), limitNs);
        workers.set(
                worker - config.firstWorker(config.processIndex()),
                new WatchedWorker(worker, view, detector, new StallLog(config.stallTimeoutNs())));
    }

    /** Looks at all of them. */
    void tick(long nowNs) {
        for (int i = 0; i < workers.length(); i++) {
            WatchedWorker worker = workers.get(i);
            if (worker != null) {
                act(worker, worker.look(nowNs), nowNs);
            }
        }
        if (isStackWanted && (taker == null || !taker.isAlive())) {
            isStackWanted = false;
            takeStacks();
        }
    }

    private void act(WatchedWorker worker, StallDetector.Verdict verdict, long nowNs) {
        switch (verdict) {
            case NONE -> {
                // most of the time
            }
            case BEGUN -> isStackWanted = true;
            case TOLD -> tell(worker, nowNs);
            case FAILED -> fail(worker, false);
            case LOST -> fail(worker, true);
            case OVER -> tellOver(worker);
        }
    }

    private void tell(WatchedWorker worker, long nowNs) {
        WatchedWorker.Told told = worker.told();
        if (told == null) {
            return; // it has just moved: over with the next look, before anybody has heard of it
        }
        worker.log().onBegun(stall(worker, told.ageNs(), told), nowNs);
        host.announce(WaitNews.stalled(worker.index(), told.number(), told.ageNs(), told.stack()));
    }

    private void tellOver(WatchedWorker worker) {
        WatchedWorker.Told told = worker.endTold();
        worker.log().onOver(stall(worker, told.ageNs(), told));
        host.announce(WaitNews.stalled(worker.index(), told.number(), told.ageNs(), "")
                .over());
    }

    private WorkerStall stall(WatchedWorker worker, long lastedNs, WatchedWorker.Told told) {
        return WorkerStall.of(config, host.generation(), worker.index(), lastedNs, told.stack());
    }

    // ---- stacks

    /** One thread at a time: while it hangs, stalls are told without a stack. */
    private void takeStacks() {
        List<WatchedWorker.StackBox> boxes = new ArrayList<>();
        for (int i = 0; i < workers.length(); i++) {
            WatchedWorker worker = workers.get(i);
            WatchedWorker.StackBox box = worker == null ? null : worker.takeEmptyBox();
            if (box != null) {
                boxes.add(box);
            }
        }
        try {
            taker = Names.of(config, host.generation())
                    .thread(config.threadFactory(), () -> takeStacks(boxes), "stall");
            taker.start();
        } catch (Throwable noThread) { // then they are told without
            Logs.HEALTH.warn("no thread to take the stacks of workers in", noThread);
        }
    }

    private void takeStacks(List<WatchedWorker.StackBox> boxes) {
        boxes.forEach(WatchedWorker.StackBox::fill);
        host.wakeWatch();
    }

    // ---- the limit

    private void fail(WatchedWorker worker, boolean isForAll) {
        long scopeId = worker.scopeId();
        WatchedWorker.Told told = worker.told();
        if (scopeId < 0 || told == null) {
            return; // it has just moved
        }
        Cause cause = cause(worker.index(), told, isForAll);
        if (isForAll || scopeId == 0) {
            host.health().lose(cause);
        } else if (!host.failScope(scopeId, cause)) {
            Logs.HEALTH.warn(
                    "worker {} still stands in a step of dataflow {}, which is over or stopped: the cluster is lost after as long again as stallLimit",
                    worker.index(),
                    scopeId);
        }
    }

    private Cause cause(int worker, WatchedWorker.Told told, boolean isForAll) {
        return host.causeHere(CauseKind.WORKER_STALLED)
                .subjectWorker(worker)
                .elapsedNs(told.ageNs())
                .seen("it has not called the library for " + toMillis(told.ageNs()) + " ms, "
                        + (isForAll ? "twice as long as" : "longer than") + " stallLimit=" + toMillis(limitNs) + " ms; "
                        + WorkerStall.where(StackText.lines(told.stack(), StackText.MAX_BYTES)))
                .build();
    }

    private static long toMillis(long ns) {
        return ns / 1_000_000;
    }

    /** Adds what is told of workers of this process that have not moved since. */
    void addTo(List<WorkerStall> stalls, long nowNs) {
        for (int i = 0; i < workers.length(); i++) {
            WatchedWorker worker = workers.get(i);
            WatchedWorker.Told told = worker == null ? null : worker.told();
            if (told != null) {
                stalls.add(stall(worker, told.ageNs() + Math.max(0, nowNs - told.lookNs()), told));
            }
        }
    }
}
