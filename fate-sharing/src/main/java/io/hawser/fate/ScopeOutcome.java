package io.hawser.fate;

import java.util.Objects;

/**
 * How a scope below the cluster ended: the same on all its members (laws L10, L12). A failure outranks a cancel, a cancel outranks
 * completion.
 *
 * <p><em>Threading:</em> immutable.
 */
public sealed interface ScopeOutcome {

    /** All its members have finished. */
    record Completed() implements ScopeOutcome {}

    /**
     * Somebody has asked for its end. Nobody's health has suffered from that.
     *
     * @param byProcess index of the process that asked.
     * @param byWorker global index of its worker, −1 if it was no worker.
     * @param reason why, in the words of who asked; maybe empty.
     */
    record Cancelled(int byProcess, int byWorker, String reason) implements ScopeOutcome {
        /**
         * Makes the outcome.
         *
         * @param byProcess index of the process that asked.
         * @param byWorker global index of its worker, −1 if it was no worker.
         * @param reason why, not null.
         */
        public Cancelled {
            Objects.requireNonNull(reason, "reason");
        }

        /**
         * Who cancelled, and why.
         *
         * @return one line.
         */
        public String describe() {
            return "cancelled by " + (byWorker < 0 ? "" : "worker " + byWorker + " of ") + "process " + byProcess
                    + (reason.isEmpty() ? "" : ": " + OneLineText.of(reason, OneLineText.OUTCOME_MAX_BYTES));
        }
    }

    /**
     * Something in it has failed, or the cluster was lost before it ended.
     *
     * @param cause the root cause.
     */
    record Failed(Cause cause) implements ScopeOutcome {
        /**
         * Makes the outcome.
         *
         * @param cause the root cause, not null.
         */
        public Failed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * Whether all its members have finished.
     *
     * @return true for {@link Completed}.
     */
    default boolean isCompleted() {
        return this instanceof Completed;
    }

    /**
     * Whether somebody has asked for its end.
     *
     * @return true for {@link Cancelled}.
     */
    default boolean isCancelled() {
        return this instanceof Cancelled;
    }

    /**
     * Whether something in it has failed.
     *
     * @return true for {@link Failed}.
     */
    default boolean isFailed() {
        return this instanceof Failed;
    }
}
