package io.hawser.testkit;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.ClusterFailedException;
import io.hawser.allocator.Outcomes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Supplier;

/**
 * One run of a {@link LoopbackCluster}: one generation of it, from forming to the end of all workers. Closed with the cluster.
 *
 * <p><em>Threading:</em> any thread but the workers'.
 *
 * @param <R> the type of what a worker ends with
 */
public final class LoopbackRun<R> {
    private final Supplier<String> state;
    private final List<Cluster<R>> processes;

    /**
     * A run whose processes have all formed the cluster.
     *
     * @param state     tells how things stand, for failures
     * @param processes in the order of their indexes
     */
    LoopbackRun(final Supplier<String> state, final List<Cluster<R>> processes) {
        this.state = state;
        this.processes = List.copyOf(processes);
    }

    /**
     * One process's part in the cluster, for all that its engine does with it.
     *
     * @param process index of the process
     * @return the process's own
     */
    public Cluster<R> process(final int process) {
        return processes.get(process);
    }

    /**
     * Which generation this is.
     *
     * @return the generation that all processes have agreed on
     */
    public long generation() {
        return processes.get(0).generation();
    }

    /**
     * One process gives up, as on its user's order: all others come out with CLOSED_BY_USER, and that process is its subject. Does not wait.
     *
     * @param process index of the process
     * @param reason  for all others
     */
    public void abort(final int process, final String reason) {
        process(process).abort(reason);
    }

    /**
     * Waits until all workers of all processes have ended, however.
     *
     * @param timeout how long at most, for all together
     * @return what each process came out with, in the order of their indexes
     * @throws AssertionError       if they do not end in time; the message has the state of the cluster
     * @throws InterruptedException if the calling thread was interrupted
     */
    public List<Outcomes<R>> join(final Duration timeout) throws InterruptedException {
        final Deadline deadline = Deadline.in(timeout);
        final List<Outcomes<R>> all = new ArrayList<>();
        for (final Cluster<R> process : processes) {
            final Duration left = Duration.ofMillis(Math.max(0, deadline.remainingMs()));
            all.add(process.join(left)
                    .orElseThrow(() -> new AssertionError("process " + process.processIndex() + " did not end within "
                            + timeout.toMillis() + " ms: " + state.get())));
        }
        return all;
    }

    /**
     * The values of a clean end.
     *
     * @param timeout how long to wait for it at most
     * @return what each worker returned, in the order of their global indexes
     * @throws ClusterFailedException if the cluster was lost
     * @throws AssertionError         if it does not end in time; the message has the state of the cluster
     * @throws InterruptedException   if the calling thread was interrupted
     */
    public List<R> values(final Duration timeout) throws InterruptedException {
        final List<R> values = new ArrayList<>();
        for (final Outcomes<R> outcomes : join(timeout)) {
            values.addAll(outcomes.values());
        }
        return values;
    }

    /**
     * Whether all processes have come out of it.
     *
     * @return true once {@link #join} would return at once
     */
    public boolean isOver() {
        return processes.stream().allMatch(process -> outcomes(process).isPresent());
    }

    /** Aborts what still runs, then waits for each process's end as {@link Cluster#close()} does. */
    void close() {
        for (final Cluster<R> process : processes) {
            if (outcomes(process).isEmpty()) {
                process.abort("the test is over");
            }
        }
        processes.forEach(Cluster::close);
    }

    void describe(final StringJoiner text) {
        for (final Cluster<R> process : processes) {
            text.add("process " + process.processIndex() + ", "
                    + outcomes(process).map(Outcomes::toString).orElseGet(() -> "running, " + process.health()));
            for (int other = 0; other < process.processCount(); other++) {
                if (other != process.processIndex()) {
                    text.add("    " + process.stats(other));
                }
            }
            process.standstills().forEach(standstill -> text.add("    " + standstill));
        }
    }

    private static <R> Optional<Outcomes<R>> outcomes(final Cluster<R> process) {
        try {
            return process.join(Duration.ZERO);
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
