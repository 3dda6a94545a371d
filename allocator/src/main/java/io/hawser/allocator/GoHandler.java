package io.hawser.allocator;

/**
 * Begins work that this process has accepted.
 *
 * <p><em>Threading:</em> called by the worker's thread, from within {@link Worker#park()}.
 */
@FunctionalInterface
public interface GoHandler {
    /**
     * The go-ahead has come: from here on the work may have side effects. Usually it opens the dataflow, {@link Worker#dataflow(GoAhead)}, and returns: several tasks of one
     * placement may come to the same worker, one after the other. Then the task ends with the dataflow, as far as this worker takes
     * part in it. If it has not opened it when it returns, the task has ended.
     *
     * @param goAhead the plan, and where all tasks run
     * @throws RuntimeException a panic of the worker: what belongs to the dataflow alone is done in {@link Dataflow#run}
     */
    void onGo(GoAhead goAhead);
}
