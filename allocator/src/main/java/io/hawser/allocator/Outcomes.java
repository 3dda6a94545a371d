package io.hawser.allocator;

import io.hawser.fate.Cause;
import io.hawser.fate.Outcome;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Former;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How one process came out of a cluster: what each of its workers ended with, and why the cluster was lost, if it was.
 *
 * <p>A cluster can be lost although all workers of a process have completed: the others may have needed longer. Then the values are in
 * {@link #perWorker()}, but there is no knowing whether the others have used what they were sent.
 *
 * <p><em>Threading:</em> immutable, as far as the values are.
 *
 * @param <R> the type of what a worker ends with
 */
public final class Outcomes<R> {
    private final Former place;
    private final List<Outcome<R>> perWorker;
    private final Cause cause;
    private final List<Cause> secondaryCauses;
    private final boolean isWorkDone;

    Outcomes(
            final Former place,
            final List<Outcome<R>> perWorker,
            final Cause cause,
            final List<Cause> secondaryCauses,
            final boolean isWorkDone) {
        this.place = place;
        this.perWorker = List.copyOf(perWorker);
        this.cause = cause;
        this.secondaryCauses = List.copyOf(secondaryCauses);
        this.isWorkDone = isWorkDone;
    }

    /**
     * The generation that ended. The next one has to be higher, see {@link io.hawser.transport.ClusterConfig#withGeneration(long)}.
     *
     * @return the generation that the processes had agreed on
     */
    public long generation() {
        return place.generation();
    }

    /**
     * What each worker of this process ended with.
     *
     * @return one outcome for each, in the order of their indexes, unmodifiable
     */
    public List<Outcome<R>> perWorker() {
        return perWorker;
    }

    /**
     * Why the cluster was lost: settled, and the same on all processes that survived (law L2).
     *
     * @return the root cause; null after a clean end
     */
    public Cause cause() {
        return cause;
    }

    /**
     * What else happened while the cluster fell.
     *
     * @return the other causes in the order in which they became known, unmodifiable; empty after a clean end
     */
    public List<Cause> secondaryCauses() {
        return secondaryCauses;
    }

    /**
     * Whether all workers of all processes completed, and everything that was sent has arrived.
     *
     * @return true after a clean end
     */
    public boolean isClean() {
        return cause == null;
    }

    /**
     * Whether all workers of all processes have done their work: after a clean end, and also if a process was lost after all had said so, and all that they had sent had arrived here, but before everybody had confirmed it. Whether the
     * others know the same cannot be known then.
     *
     * @return true if there is nothing left to be done
     */
    public boolean isWorkDone() {
        return isClean() || isWorkDone;
    }

    /**
     * The settings that the next generation is formed with, for whoever runs the loop himself; {@link Cluster#supervise} is that loop. They propose a higher generation, and tell all others that this process still holds what it has kept of
     * this one.
     *
     * @param config the settings of this process
     * @return the same with {@link ClusterConfig#generation()} and {@link ClusterConfig#former()} set
     */
    public ClusterConfig next(final ClusterConfig config) {
        return config.toBuilder()
                .generation(Math.max(config.generation(), generation() + 1))
                .former(place)
                .build();
    }

    /**
     * The values, for callers to whom everything but a clean end is an exception.
     *
     * @return what each worker of this process returned, in the order of their indexes, unmodifiable; some may be null
     * @throws ClusterFailedException if the cluster was lost
     */
    public List<R> values() {
        if (cause != null) {
            throw new ClusterFailedException(cause, secondaryCauses);
        }
        return completedValues();
    }

    /** What each worker has returned; they have. */
    List<R> completedValues() {
        final List<R> values = new ArrayList<>();
        for (final Outcome<R> outcome : perWorker) {
            values.add(outcome.valueOrThrow());
        }
        return Collections.unmodifiableList(values);
    }

    /**
     * Generation, outcomes and cause.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return "generation " + generation() + ": " + perWorker + (cause == null ? ", clean" : "; " + cause.describe());
    }
}
