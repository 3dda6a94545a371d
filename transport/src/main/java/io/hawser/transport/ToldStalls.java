package io.hawser.transport;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What other processes have told of workers of theirs that stand still. One place for each worker: whoever says much overwrites himself, and what comes late changes nothing.
 *
 * <p><em>Threading:</em> what comes from a process, by its receive thread; {@link #tick} by the watch thread; {@link #addTo} by any.
 */
final class ToldStalls {
    private final ClusterConfig config;

    /** By the worker's global index; each written by the receive thread of its process. */
    private final AtomicReferenceArray<Heard> heard;

    private volatile boolean hasNews;

    // by the watch thread
    private final Heard[] said;
    private final StallLog[] logs;

    private record Heard(WaitNews news, long heardNs) {
        boolean isOlderThan(WaitNews other) {
            return news.number() < other.number()
                    || news.number() == other.number() && news.isStalled() && other.isOver();
        }
    }

    ToldStalls(ClusterConfig config) {
        this.config = config;
        this.heard = new AtomicReferenceArray<>(config.workerCount());
        this.said = new Heard[config.workerCount()];
        this.logs = new StallLog[config.workerCount()];
    }

    /** A process has told something. */
    void onNews(WaitNews latest, long nowNs) {
        Heard before = heard.get(latest.waiter());
        if (before == null || before.isOlderThan(latest)) {
            heard.set(latest.waiter(), new Heard(latest, nowNs));
            hasNews = true;
        }
    }

    /** All workers of a process have ended. */
    void onHungUp(int process, long nowNs) {
        int first = config.firstWorker(process);
        for (int worker = first; worker < first + config.workersPerProcess(); worker++) {
            Heard last = heard.get(worker);
            if (last != null && last.news().isStalled()) {
                onNews(last.news().over(), nowNs);
            }
        }
    }

    /** Says in the log what is new. */
    void tick(long generation, long nowNs) {
        if (!hasNews) {
            return;
        }
        hasNews = false; // first: what comes from now on is looked for again
        for (int worker = 0; worker < said.length; worker++) {
            Heard latest = heard.get(worker);
            if (latest != null && !latest.equals(said[worker])) {
                say(worker, said[worker], latest, generation, nowNs);
                said[worker] = latest;
            }
        }
    }

    private void say(int worker, Heard before, Heard latest, long generation, long nowNs) {
        if (logs[worker] == null) {
            logs[worker] = new StallLog(config.stallTimeoutNs());
        }
        if (before != null && before.news().isStalled()) {
            logs[worker].onOver(stall(worker, before, generation, latest.heardNs()));
        }
        if (latest.news().isStalled()) {
            logs[worker].onBegun(stall(worker, latest, generation, nowNs), nowNs);
        }
    }

    /** Adds those that are not over. */
    void addTo(List<WorkerStall> stalls, long generation, long nowNs) {
        for (int worker = 0; worker < heard.length(); worker++) {
            Heard latest = heard.get(worker);
            if (latest != null && latest.news().isStalled()) {
                stalls.add(stall(worker, latest, generation, nowNs));
            }
        }
    }

    private WorkerStall stall(int worker, Heard latest, long generation, long nowNs) {
        long sinceNs = Math.max(0, nowNs - latest.heardNs());
        long lastedNs = Math.min(latest.news().waitedNs(), Long.MAX_VALUE - sinceNs) + sinceNs;
        return WorkerStall.of(
                config, generation, worker, lastedNs, latest.news().stack());
    }
}
