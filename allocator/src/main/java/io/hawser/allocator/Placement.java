package io.hawser.allocator;

import java.util.List;

/**
 * The wish to place the tasks of one dataflow on workers that may refuse, all of them or none.
 *
 * <p>All tasks are asked for at once, each at the first of its candidates. As soon as all are accepted, all go-aheads leave at once, each with the whole placement and the plan of its task, without
 * waiting for anything. So a plan of any depth and width starts after three one-way delays, question, acceptance and go-ahead, and its first answer is back after two round trips.
 *
 * <p>Until the first go-ahead nothing can have happened (law L9), and a task is tried again, each time as a new attempt:
 * <ul>
 *   <li>rejected as <em>never</em>: not at all. The work itself is at fault, and the placement fails.
 *   <li>rejected as <em>later here</em>: at the candidate that was asked least often and may be asked now; the one that rejected may be asked again when the time it told has passed.
 *   <li>rejected as <em>elsewhere</em>, or not answered within {@link #attemptTimeoutNs()}: at the other candidates, for which it rather waits. When all have been struck off like that, all are
 *       candidates again, {@link #retryPauseNs()} later.
 *   <li>process lost: at the other candidates. When there is none any more, the placement fails.
 *   <li>accepted, but the reservation runs out before the other tasks are accepted: as if later here had been said, with no time to wait.
 * </ul>
 * What is given up is released at once, and again if its acceptance comes late. After {@link #attemptLimit()} attempts for one task, and after {@link #deadlineNs()}, the placement fails. Then, as if it is
 * cancelled, all that was accepted is released, and nothing has run.
 *
 * <p>After the first go-ahead nothing is tried again: whatever goes wrong then is a failure of the dataflow.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class Placement {
    private final long dataflowId;
    private final List<PlacementTask> tasks;
    private final int[] candidates;
    private final int attemptLimit;
    private final long attemptTimeoutNs;
    private final long retryPauseNs;
    private final long deadlineNs;

    Placement(final PlacementBuilder builder) {
        dataflowId = builder.dataflowId;
        tasks = List.copyOf(builder.tasks);
        candidates = builder.candidates;
        attemptLimit = builder.attemptLimit;
        attemptTimeoutNs = builder.attemptTimeoutNs;
        retryPauseNs = builder.retryPauseNs;
        deadlineNs = builder.deadlineNs;
    }

    /**
     * Begins to describe a placement.
     *
     * @param dataflowId of the dataflow that the tasks belong to, 1 or more
     * @return a builder
     * @throws IllegalArgumentException if there can be no such dataflow
     */
    public static PlacementBuilder of(final long dataflowId) {
        return new PlacementBuilder(dataflowId);
    }

    /**
     * The dataflow that the tasks belong to.
     *
     * @return the id
     */
    public long dataflowId() {
        return dataflowId;
    }

    /**
     * What is to be placed.
     *
     * @return the tasks by their index, unmodifiable
     */
    public List<PlacementTask> tasks() {
        return tasks;
    }

    /**
     * How often one task is asked for at most.
     *
     * @return the count, at least 1
     */
    public int attemptLimit() {
        return attemptLimit;
    }

    /**
     * How long an answer may take.
     *
     * @return ns
     */
    public long attemptTimeoutNs() {
        return attemptTimeoutNs;
    }

    /**
     * How long it waits when all candidates of a task have been struck off.
     *
     * @return ns
     */
    public long retryPauseNs() {
        return retryPauseNs;
    }

    /**
     * How long it may take until the go-aheads leave.
     *
     * @return ns
     */
    public long deadlineNs() {
        return deadlineNs;
    }

    /** Where a task may go, in the order of preference. Tasks without candidates of their own begin with a different common one each, so that they spread. */
    int[] candidatesOf(final int task) {
        final int[] own = tasks.get(task).candidates();
        if (own.length > 0) {
            return own;
        }
        final int[] rotated = new int[candidates.length];
        for (int i = 0; i < rotated.length; i++) {
            rotated[i] = candidates[(int) (((long) i + task) % rotated.length)];
        }
        return rotated;
    }

    @Override
    public String toString() {
        return "placement dataflowId=" + dataflowId + " tasks=" + tasks.size() + " attemptLimit=" + attemptLimit
                + " attemptTimeoutNs=" + attemptTimeoutNs + " retryPauseNs=" + retryPauseNs + " deadlineNs="
                + deadlineNs;
    }
}
