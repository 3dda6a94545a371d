package io.hawser.allocator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Collects what a {@link Placement} is made of.
 *
 * <p><em>Threading:</em> not thread-safe.
 */
public final class PlacementBuilder {
    final long dataflowId;
    final List<PlacementTask> tasks = new ArrayList<>();
    int[] candidates = new int[0];

    /** A few rounds over a few candidates; beyond that the cluster is full, and more questions make it worse. */
    int attemptLimit = 16;

    /** Many times a round trip between data centres, so that what is slower is overloaded or gone. */
    long attemptTimeoutNs = TimeUnit.SECONDS.toNanos(1);

    /** Long for a machine, short for who waits for a query. */
    long retryPauseNs = TimeUnit.MILLISECONDS.toNanos(50);

    /** As long as somebody who asked something may be kept without a word. */
    long deadlineNs = TimeUnit.SECONDS.toNanos(30);

    PlacementBuilder(final long dataflowId) {
        if (dataflowId < 1) {
            throw new IllegalArgumentException("dataflows are numbered from 1 on: dataflowId=" + dataflowId);
        }
        this.dataflowId = dataflowId;
    }

    /**
     * Adds a task. The first is number 0.
     *
     * @param task to be placed
     * @return this
     */
    public PlacementBuilder task(final PlacementTask task) {
        tasks.add(Objects.requireNonNull(task, "task"));
        return this;
    }

    /**
     * Where the tasks may go that have no candidates of their own. The first task begins with the first, the second with the second, and so on, round and round.
     *
     * @param workers global indexes; copied
     * @return this
     */
    public PlacementBuilder candidates(final int... workers) {
        candidates = workers.clone();
        return this;
    }

    /**
     * How often one task is asked for at most.
     *
     * @param count at least 1; 16 if not set
     * @return this
     */
    public PlacementBuilder attemptLimit(final int count) {
        attemptLimit = count;
        return this;
    }

    /**
     * How long an answer may take, before the task is tried elsewhere.
     *
     * @param timeout more than 0; 1 s if not set
     * @return this
     */
    public PlacementBuilder attemptTimeout(final Duration timeout) {
        attemptTimeoutNs = Timeouts.nanos(timeout);
        return this;
    }

    /**
     * How long it waits when all candidates of a task have been struck off, before they are asked again.
     *
     * @param pause 0 or more; 50 ms if not set
     * @return this
     */
    public PlacementBuilder retryPause(final Duration pause) {
        retryPauseNs = Timeouts.nanos(pause);
        return this;
    }

    /**
     * How long it may take until the go-aheads leave.
     *
     * @param deadline at least the attempt time-out; 30 s if not set
     * @return this
     */
    public PlacementBuilder deadline(final Duration deadline) {
        deadlineNs = Timeouts.nanos(deadline);
        return this;
    }

    /**
     * Checks, and makes the placement.
     *
     * @return the placement
     * @throws IllegalArgumentException if there is no task, a task without a candidate, or a limit that is none or contradicts another
     */
    public Placement build() {
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("nothing to place: tasks=0");
        }
        for (int task = 0; task < tasks.size(); task++) {
            if (candidates.length == 0 && tasks.get(task).candidates().length == 0) {
                throw new IllegalArgumentException("a task has nowhere to go: task=" + task);
            }
        }
        if (attemptLimit < 1 || attemptTimeoutNs < 1 || retryPauseNs < 0) {
            throw new IllegalArgumentException("no such limits: attemptLimit=" + attemptLimit + " attemptTimeoutNs="
                    + attemptTimeoutNs + " retryPauseNs=" + retryPauseNs);
        }
        if (deadlineNs < attemptTimeoutNs) {
            throw new IllegalArgumentException("no attempt could time out before the deadline: attemptTimeoutNs="
                    + attemptTimeoutNs + " deadlineNs=" + deadlineNs);
        }
        return new Placement(this);
    }
}
