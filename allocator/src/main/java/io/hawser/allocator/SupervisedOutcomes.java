package io.hawser.allocator;

import io.hawser.fate.Cause;
import io.hawser.transport.FormationException;
import java.util.List;
import java.util.Optional;

/**
 * How a supervised cluster ended in this process, and what became of each of its generations.
 *
 * <p><em>Threading:</em> immutable, as far as the values are.
 *
 * @param <R> the type of what a worker ends with
 */
public final class SupervisedOutcomes<R> {
    /**
     * Why there was no further generation.
     *
     * <p><em>Threading:</em> immutable.
     */
    public enum Ending {
        /** All workers of all processes have done their work. */
        COMPLETED,
        /** The loss is none to go on after: a user ended the cluster, this process was exiting, or the policy says so. */
        NOT_RETRIED,
        /** There were too many losses in too short a time. */
        GAVE_UP,
        /** Not all processes came together in time, or this one was refused for good. */
        NOT_FORMED,
        /** The directory does not list this process any more. */
        NOT_LISTED,
        /** A worker of this process has not returned after the loss: no next generation may run beside it. End this process, and start it anew. */
        STUCK
    }

    /**
     * What became of one generation, or of one attempt to form it.
     *
     * <p><em>Threading:</em> immutable.
     *
     * @param generation its number, or that of the attempt
     * @param isFormed   whether it has started
     * @param tookNs     how long it lived, or how long forming was tried, ns
     * @param what       the line that says how it ended
     */
    public record Past(long generation, boolean isFormed, long tookNs, String what) {}

    private final Ending ending;
    private final Outcomes<R> last;
    private final Cause cause;
    private final FormationException unformed;
    private final List<Past> history;
    private final long restarts;
    private final Handover handover;

    SupervisedOutcomes(
            final Ending ending,
            final Outcomes<R> last,
            final Cause cause,
            final FormationException unformed,
            final List<Past> history,
            final long restarts,
            final Handover handover) {
        this.ending = ending;
        this.last = last;
        this.cause = cause;
        this.unformed = unformed;
        this.history = List.copyOf(history);
        this.restarts = restarts;
        this.handover = handover;
    }

    /**
     * Why it ended.
     *
     * @return which of the ways
     */
    public Ending ending() {
        return ending;
    }

    /**
     * Whether the work is done.
     *
     * @return true if it ended by {@link Ending#COMPLETED}
     */
    public boolean isCompleted() {
        return ending == Ending.COMPLETED;
    }

    /**
     * How the last generation ended that started. After {@link Ending#COMPLETED} it may still have a cause: a process was lost after all had done their work.
     *
     * @return its outcomes; empty if none ever started, and after {@link Ending#STUCK}
     */
    public Optional<Outcomes<R>> last() {
        return Optional.ofNullable(last);
    }

    /**
     * Why the last generation that started was lost.
     *
     * @return the root cause; empty if it was not lost, or if none ever started
     */
    public Optional<Cause> cause() {
        return Optional.ofNullable(cause);
    }

    /**
     * Why the last attempt to form failed.
     *
     * @return empty unless that is how it ended
     */
    public Optional<FormationException> formationFailure() {
        return Optional.ofNullable(unformed);
    }

    /**
     * What became of each generation and attempt: the first 8, then the latest 24.
     *
     * @return oldest first, unmodifiable
     */
    public List<Past> history() {
        return history;
    }

    /**
     * How often this process was to form again, whether it came to that or not.
     *
     * @return 0 or more
     */
    public long restarts() {
        return restarts;
    }

    /**
     * What the workers of this process have kept.
     *
     * @return the latest that all of them have kept; after {@link Ending#STUCK} what the generation before had, since a worker may still change the other
     */
    public Handover handover() {
        return handover;
    }

    /**
     * The values of the last generation, for callers to whom everything else is an exception.
     *
     * @return what each worker of this process returned, unmodifiable
     * @throws IllegalStateException if the work was not done; the text tells how it ended
     */
    public List<R> values() {
        if (!isCompleted()) {
            throw new IllegalStateException(toString(), unformed);
        }
        return last.completedValues();
    }

    /**
     * How it ended, and after what.
     *
     * @return one line for the ending, one for each generation
     */
    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder(128)
                .append(ending)
                .append(" after ")
                .append(restarts)
                .append(restarts == 1 ? " restart" : " restarts");
        for (final Past past : history) {
            text.append("\n  generation ")
                    .append(past.generation())
                    .append(past.isFormed() ? " lived " : " not formed within ")
                    .append(past.tookNs() / 1_000_000)
                    .append(" ms: ")
                    .append(past.what());
        }
        return text.toString();
    }
}
