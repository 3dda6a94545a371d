package io.hawser.allocator;

import java.util.List;

/**
 * What has become of a placement. There is one verdict for each, and a second one only for a placement that was {@link Kind#PLACED} and then {@link Kind#FAILED}.
 *
 * @param dataflowId the dataflow
 * @param kind       how it went
 * @param tasks      the same for each task, in their order, unmodifiable
 * @param reason     in words; empty if all went well
 *     <p><em>Threading:</em> immutable.
 */
public record PlacementVerdict(long dataflowId, Kind kind, List<Task> tasks, String reason) {
    /** How a placement can go. */
    public enum Kind {
        /** All tasks were accepted, and all go-aheads have left. From now on it is the dataflow's matter how it goes. */
        PLACED,
        /** Some task could not be placed; or, as the second verdict, a go-ahead came to nothing: then the dataflow has failed. */
        FAILED,
        /** It was cancelled before the first go-ahead. */
        CANCELLED
    }

    /**
     * What has become of one task.
     *
     * @param worker     global index of the worker that it was placed on, or was asked last
     * @param attempts   how often it was asked for
     * @param canHaveRun whether it can have had a side effect (law L9)
     */
    public record Task(int worker, int attempts, boolean canHaveRun) {}

    /**
     * Makes a verdict.
     *
     * @param dataflowId the dataflow
     * @param kind       how it went
     * @param tasks      the same for each task, in their order; copied
     * @param reason     in words
     */
    public PlacementVerdict {
        tasks = List.copyOf(tasks);
    }

    /**
     * Whether anything can have had a side effect (law L9). If not, the same placement may be tried again, there or anywhere.
     *
     * @return true once a go-ahead has left, unless its worker has refused it
     */
    public boolean canHaveRun() {
        return tasks.stream().anyMatch(Task::canHaveRun);
    }
}
