package io.hawser.fate;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Judges what waiting pushes mean: a circle of workers that wait for each other, or a slow consumer. Pure: what the
 * workers of a cluster tell of their waits and of their progress goes in, a report comes out. Time values are monotonic
 * nanoseconds of the judging process, which may be negative and may overflow; only differences are used.
 *
 * <p>A wait is reported once it is as old as the configured time, together with all known waits that lead to the same
 * root. It is reported again when ten times that time has passed, when it has become part of a circle or been
 * joined by another wait of that age, and, but not before the configured time has passed again, when it leads elsewhere. A
 * wait that ended and began anew is a new one. That a wait has ended is no news.
 *
 * <p>A wait for a range of workers counts as a wait for each of them, except for the waiter itself: that all of them but it
 * have consumed cannot be known here. So a circle that a range closes is likely, not certain.
 *
 * <p>One wait per worker is remembered, the latest.
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns it, or a lock of its owner guards it.
 */
public final class StandstillDetector {
    private static final int REPEAT_FACTOR = 10;

    /** So that no age overflows, whatever a peer says. */
    private static final long MAX_WAITED_NS = Long.MAX_VALUE / 2;

    private final long reportAfterNs;
    private final long repeatAfterNs;
    private final WaitSlot[] slots;

    /**
     * Starts with no wait known.
     *
     * @param workerCount workers of the whole cluster, more than 0.
     * @param reportAfterNs how old a wait has to be before it is reported, more than 0.
     */
    public StandstillDetector(int workerCount, long reportAfterNs) {
        if (workerCount <= 0) {
            throw new IllegalArgumentException("must be more than 0: workerCount=" + workerCount);
        }
        if (reportAfterNs <= 0) {
            throw new IllegalArgumentException("must be more than 0: reportAfterNs=" + reportAfterNs);
        }
        this.reportAfterNs = reportAfterNs;
        repeatAfterNs = Math.min(reportAfterNs, Long.MAX_VALUE / REPEAT_FACTOR) * REPEAT_FACTOR;
        slots = new WaitSlot[workerCount];
        Arrays.setAll(slots, worker -> new WaitSlot());
    }

    /**
     * A push waits, or still waits. Word of a wait older than the latest known one of that worker is ignored, as is word of
     * a wait that is known to be over.
     *
     * @param waiterWorker global index of the worker that waits.
     * @param scopeId in which dataflow; 0 is the cluster itself.
     * @param channelId on which channel it pushes.
     * @param firstTarget global index of the first worker for whose credit it waits.
     * @param targetCount how many workers those are, 1 or more, all of them of the cluster.
     * @param waitNumber rises with each wait of that worker, 0 or more.
     * @param waitedNs how long it has waited already, 0 or more.
     * @param bytesWanted how much credit it needs, 0 or more.
     * @param nowNs the present.
     * @throws IllegalArgumentException if a worker is not one of the cluster or a number is out of its range; whoever
     *     takes them from a peer has to judge them before.
     */
    public void onWaiting(
            int waiterWorker,
            long scopeId,
            int channelId,
            int firstTarget,
            int targetCount,
            long waitNumber,
            long waitedNs,
            long bytesWanted,
            long nowNs) {
        WaitSlot slot = slot(waiterWorker);
        if (firstTarget < 0 || targetCount < 1 || targetCount > slots.length - firstTarget) {
            throw new IllegalArgumentException("not workers of the cluster: workerCount=" + slots.length
                    + " firstTarget=" + firstTarget + " targetCount=" + targetCount);
        }
        if ((waitNumber | waitedNs | bytesWanted) < 0) {
            throw new IllegalArgumentException("must be at least 0: waitNumber=" + waitNumber + " waitedNs=" + waitedNs
                    + " bytesWanted=" + bytesWanted);
        }
        if (!slot.isPast(waitNumber)) {
            long beganNs = nowNs - Math.min(waitedNs, MAX_WAITED_NS);
            slot.onWaiting(scopeId, channelId, firstTarget, targetCount, waitNumber, beganNs, bytesWanted);
        }
    }

    /**
     * A wait is over, as are all earlier ones of that worker.
     *
     * @param waiterWorker global index of the worker that waited.
     * @param waitNumber of the wait.
     * @throws IllegalArgumentException if the worker is not one of the cluster.
     */
    public void onOver(int waiterWorker, long waitNumber) {
        slot(waiterWorker).onOver(waitNumber);
    }

    /**
     * A worker's progress stamp came, changed or not. A stamp comes a while after the step that it tells of, so a worker
     * may seem to have moved just after a wait began when it did so just before.
     *
     * @param worker global index of the worker.
     * @param stamp changes with each step of the worker.
     * @param nowNs the present.
     * @throws IllegalArgumentException if the worker is not one of the cluster.
     */
    public void onProgress(int worker, long stamp, long nowNs) {
        slot(worker).onProgress(stamp, nowNs);
    }

    /**
     * Looks for something to report. There may be several things at once: ask again until there is none.
     *
     * @param nowNs the present.
     * @return the next report, circles first; null if there is nothing new.
     */
    public Standstill tick(long nowNs) {
        if (!isAnyDue(nowNs)) {
            return null;
        }
        WaitGraph graph = new WaitGraph(slots);
        for (WaitSituation situation : graph.situations()) {
            if (isNews(situation, nowNs)) {
                return report(graph, situation, nowNs);
            }
        }
        return null;
    }

    private boolean isAnyDue(long nowNs) {
        for (WaitSlot slot : slots) {
            if (isDue(slot, nowNs)) {
                return true;
            }
        }
        return false;
    }

    private boolean isDue(WaitSlot slot, long nowNs) {
        return slot.isWaiting() && slot.waitedNs(nowNs) >= reportAfterNs;
    }

    private boolean isNews(WaitSituation situation, long nowNs) {
        return situation.waiters().stream()
                .map(waiter -> slots[waiter])
                .anyMatch(slot -> isDue(slot, nowNs) && isNews(slot, situation.root(), nowNs));
    }

    private boolean isNews(WaitSlot slot, WaitRoot root, long nowNs) {
        if (!slot.isReported()) {
            return true;
        }
        if (slot.reportedRoot().equals(root)) {
            return slot.sinceReportedNs(nowNs) >= repeatAfterNs;
        }
        // what leads elsewhere may do so back and forth; a circle stays
        return root.isCycle() || slot.sinceReportedNs(nowNs) >= reportAfterNs;
    }

    private Standstill report(WaitGraph graph, WaitSituation situation, long nowNs) {
        WaitRoot root = situation.root();
        situation.waiters().forEach(waiter -> slots[waiter].onReported(root, nowNs));
        return new Standstill(
                situation.waiters().stream()
                        .map(waiter -> slots[waiter].toWait(waiter, graph.nextWaiter(waiter), nowNs))
                        .toList(),
                root.cycle(),
                consumers(graph, situation, nowNs));
    }

    private List<Standstill.Consumer> consumers(WaitGraph graph, WaitSituation situation, long nowNs) {
        long longestWaitNs = situation.waiters().stream()
                .filter(waiter -> graph.nextWaiter(waiter) < 0)
                .mapToLong(waiter -> slots[waiter].waitedNs(nowNs))
                .max()
                .orElse(0);
        WaitRoot root = situation.root();
        return IntStream.range(root.firstTarget(), root.firstTarget() + root.targetCount())
                .filter(target -> !slots[target].isWaiting())
                .mapToObj(target -> slots[target].toConsumer(target, longestWaitNs, nowNs))
                .toList();
    }

    private WaitSlot slot(int worker) {
        if (worker < 0 || worker >= slots.length) {
            throw new IllegalArgumentException(
                    "not a worker of the cluster: workerCount=" + slots.length + " worker=" + worker);
        }
        return slots[worker];
    }
}
