package io.hawser.allocator;

import io.hawser.transport.ScopeMembers;
import org.agrona.DirectBuffer;

/**
 * The go-ahead for work that was accepted: its plan, and where all tasks of the same placement run. It comes at most once for each {@link StartRequest}, and before it nothing of the work runs.
 *
 * <p><em>Threading:</em> immutable; the bytes are its own copy, on the heap.
 */
public final class GoAhead {
    private final StartRequest request;
    private final int task;
    private final int[] workers;
    private final DirectBuffer plan;

    GoAhead(final StartRequest request, final int task, final int[] workers, final DirectBuffer plan) {
        this.request = request;
        this.task = task;
        this.workers = workers;
        this.plan = plan;
    }

    /**
     * What was asked, and accepted.
     *
     * @return the very object that the handler accepted
     */
    public StartRequest request() {
        return request;
    }

    /**
     * Which task of its placement this is.
     *
     * @return the index, in the order in which the coordinator has named the tasks
     */
    public int task() {
        return task;
    }

    /**
     * How many tasks the placement has.
     *
     * @return the count, at least 1
     */
    public int taskCount() {
        return workers.length;
    }

    /**
     * Where a task of the placement runs.
     *
     * @param index of the task, 0…{@link #taskCount()} − 1
     * @return the global index of its worker
     * @throws IndexOutOfBoundsException if there is no such task
     */
    public int workerOf(final int index) {
        return workers[index];
    }

    /**
     * The workers of all tasks, as the members of their dataflow.
     *
     * @return the members
     * @throws IllegalArgumentException if one of them has an index beyond 4,095
     */
    public ScopeMembers members() {
        return ScopeMembers.of(workers);
    }

    /**
     * The plan of this task, from index 0 on; its capacity is its length.
     *
     * @return always the same buffer, to be read only
     */
    public DirectBuffer plan() {
        return plan;
    }

    @Override
    public String toString() {
        return "go-ahead for task " + task + " of " + workers.length + ", planLength=" + plan.capacity() + ", "
                + request;
    }
}
