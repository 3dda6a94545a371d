package io.hawser.fate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What {@link StandstillDetector} found: waits that lead to one root, a circle of waits or workers that do not wait
 * themselves.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param waits all known waits that lead there: those of the circle in its order, or those next to the root; then the
 *     others from near to far.
 * @param cycle the workers of the circle in order, each waiting for the next and the last for the first, which is the
 *     smallest; empty if there is no circle.
 * @param consumers the workers at the root, which do not wait; empty if there is a circle. Where a broadcast waits, one of
 *     them at least is slow, not all.
 */
public record Standstill(List<Wait> waits, List<Integer> cycle, List<Consumer> consumers) {
    /**
     * Makes the report.
     *
     * @param waits all known waits that lead to the root.
     * @param cycle the workers of the circle; empty if there is none.
     * @param consumers the workers at the root, which do not wait; empty if there is a circle.
     */
    public Standstill {
        waits = List.copyOf(waits);
        cycle = List.copyOf(cycle);
        consumers = List.copyOf(consumers);
    }

    /**
     * A push that waits.
     *
     * @param worker global index of the worker that waits.
     * @param scopeId in which dataflow; 0 is the cluster itself.
     * @param channelId on which channel it pushes.
     * @param firstTarget global index of the first worker for whose credit it waits.
     * @param targetCount how many workers those are.
     * @param waitNumber which of the worker's waits it is.
     * @param waitedNs how long it has waited.
     * @param bytesWanted how much credit it needs.
     * @param nextWaiter which of the targets waits itself and so leads on to the root; -1 if none of them waits.
     */
    public record Wait(
            int worker,
            long scopeId,
            int channelId,
            int firstTarget,
            int targetCount,
            long waitNumber,
            long waitedNs,
            long bytesWanted,
            int nextWaiter) {}

    /**
     * A worker that others wait for, and that does not wait itself.
     *
     * @param worker its global index.
     * @param progress whether it has moved since the longest of the waits next to it began.
     * @param movedAgoNs how long ago it was last seen to move if it has, otherwise -1.
     */
    public record Consumer(int worker, Progress progress, long movedAgoNs) {}

    /** Whether a worker has moved. */
    public enum Progress {
        /** Its progress stamp has changed. */
        MOVED,
        /** Its progress stamp has not changed. */
        NOT_MOVED,
        /** No progress stamp of it has come. */
        UNKNOWN
    }

    /**
     * Whether the waits form a circle.
     *
     * @return true if they do: without help from outside it does not end.
     */
    public boolean isCycle() {
        return !cycle.isEmpty();
    }

    /**
     * The workers by which a wait leads to its root: the next waiter, the one that this waits for, and so on, to a worker of
     * the circle or to the last one that waits.
     *
     * @param wait one of {@link #waits()}.
     * @return workers that wait; empty if none of the wait's targets does.
     */
    public List<Integer> chain(Wait wait) {
        Map<Integer, Wait> byWorker = waits.stream().collect(Collectors.toMap(Wait::worker, Function.identity()));
        List<Integer> chain = new ArrayList<>();
        Wait at = wait;
        while (at != null && at.nextWaiter() >= 0 && chain.size() < waits.size()) {
            chain.add(at.nextWaiter());
            at = cycle.contains(at.nextWaiter()) ? null : byWorker.get(at.nextWaiter());
        }
        return List.copyOf(chain);
    }

    /**
     * What is wrong, in plain words, and what to do.
     *
     * @return one line of bounded length.
     */
    public String describe() {
        return StandstillLine.of(this);
    }

    /**
     * The same as {@link #describe()}.
     *
     * @return one line.
     */
    @Override
    public String toString() {
        return describe();
    }
}
