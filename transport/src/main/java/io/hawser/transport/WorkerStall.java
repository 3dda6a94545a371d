package io.hawser.transport;

import io.hawser.fate.StackText;
import io.hawser.framing.WaitFlyweight;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * A worker that has not called the library for longer than the {@link ClusterConfig#stallTimeoutNs()} of its process, though it does not wait in it either: its code computes, sleeps, or waits for something that the
 * library knows nothing of.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param worker     global index of the worker
 * @param process    index of its process
 * @param threadName name of its thread, to be looked for in a thread dump of that process
 * @param lasted     for how long it has stood still so far; what its process itself did not live through, being stopped, say, does not count
 * @param stack      where its code stood when the stall was found, the innermost call first; empty if that could not be found out
 */
public record WorkerStall(int worker, int process, String threadName, Duration lasted, List<String> stack) {
    /**
     * Checks that all is there.
     *
     * @param worker     global index of the worker
     * @param process    index of its process
     * @param threadName name of its thread
     * @param lasted     how long so far
     * @param stack      where it stood; copied
     */
    public WorkerStall {
        Objects.requireNonNull(threadName, "threadName");
        Objects.requireNonNull(lasted, "lasted");
        stack = List.copyOf(stack);
    }

    static WorkerStall of(ClusterConfig config, long generation, int worker, long lastedNs, String stack) {
        int process = worker / config.workersPerProcess();
        return new WorkerStall(
                worker,
                process,
                Names.of(config.clusterId(), process, generation).worker(worker),
                Duration.ofNanos(lastedNs),
                StackText.lines(stack, WaitFlyweight.STACK_LIMIT));
    }

    /**
     * Who stands still, for how long, where, and what to do.
     *
     * @return one line
     */
    public String describe() {
        return "worker " + worker + " of process " + process + " has not called the library for " + lasted.toMillis()
                + " ms and does not wait in it; " + where(stack)
                + "; if that is a long computation, let it call worker.alive() in between or raise stallTimeout; if it waits for a lock or another program, see who holds it in a thread dump of that process, thread "
                + threadName;
    }

    /** Calls, the innermost first, as a clause. */
    static String where(List<String> calls) {
        return calls.isEmpty() ? "its stack could not be taken" : "it stands at " + String.join(" < ", calls);
    }

    /**
     * The same as {@link #describe()}.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return describe();
    }
}
