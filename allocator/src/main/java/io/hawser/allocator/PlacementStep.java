package io.hawser.allocator;

/**
 * One step on the way of a placement, as its coordinator has seen it.
 *
 * @param dataflowId the dataflow
 * @param task       index of the task
 * @param worker     global index of the worker that the attempt went to
 * @param attemptId  the attempt
 * @param kind       what happened
 * @param canHaveRun whether the task can have had a side effect through this attempt, as far as is known at this step (law L9)
 * @param reason     in words, as the other side has told it if it has; empty if there is nothing to say
 *     <p><em>Threading:</em> immutable.
 */
public record PlacementStep(
        long dataflowId, int task, int worker, long attemptId, Kind kind, boolean canHaveRun, String reason) {
    /** What can happen to an attempt. */
    public enum Kind {
        /** The worker has been asked. */
        OFFERED,
        /** It has accepted, and keeps a place free. */
        ACCEPTED,
        /** It has refused, before anything has happened. */
        REJECTED,
        /** It has not answered in time; released. */
        TIMED_OUT,
        /** It has accepted, but will not keep the place until the other tasks are accepted; released. */
        LAPSED,
        /** It has accepted what was given up before; released once more. */
        ACCEPTED_LATE,
        /** Its process is lost. */
        LOST,
        /** The placement has come to nothing; released. */
        RELEASED,
        /** The go-ahead has left. */
        WENT,
        /** It has refused the go-ahead, and has run nothing. */
        REFUSED
    }
}
