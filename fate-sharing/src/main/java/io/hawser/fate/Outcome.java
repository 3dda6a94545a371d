package io.hawser.fate;

import java.util.Objects;
import java.util.concurrent.CompletionException;

/**
 * How a worker ended: each worker has exactly one outcome (law L4).
 *
 * <p><em>Threading:</em> immutable, as far as the value is.
 *
 * @param <R> what the worker computes.
 */
public sealed interface Outcome<R> {
    /**
     * It returned.
     *
     * @param value what it returned; may be null.
     * @param <R> what the worker computes.
     */
    record Completed<R>(R value) implements Outcome<R> {
        /**
         * What it returned, as far as it tells.
         *
         * @return one line, whatever the value says of itself.
         */
        @Override
        public String toString() {
            return "Completed[value=" + OneLineText.of(value, OneLineText.OUTCOME_MAX_BYTES) + "]";
        }
    }

    /**
     * Its own code threw.
     *
     * @param error what it threw.
     * @param <R> what the worker would have computed.
     */
    record Panicked<R>(Throwable error) implements Outcome<R> {
        /**
         * Makes the outcome.
         *
         * @param error what it threw, not null.
         */
        public Panicked {
            Objects.requireNonNull(error, "error");
        }

        /**
         * What it threw, as far as it tells.
         *
         * @return one line, whatever the error says of itself.
         */
        @Override
        public String toString() {
            return "Panicked[error=" + OneLineText.of(error, OneLineText.OUTCOME_MAX_BYTES) + "]";
        }
    }

    /**
     * It was stopped because health was lost elsewhere.
     *
     * @param cause why.
     * @param <R> what the worker would have computed.
     */
    record Failed<R>(Cause cause) implements Outcome<R> {
        /**
         * Makes the outcome.
         *
         * @param cause why, not null.
         */
        public Failed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * Whether it returned.
     *
     * @return true for {@link Completed}.
     */
    default boolean isCompleted() {
        return this instanceof Completed;
    }

    /**
     * Whether its own code threw.
     *
     * @return true for {@link Panicked}.
     */
    default boolean isPanicked() {
        return this instanceof Panicked;
    }

    /**
     * Whether it was stopped because health was lost elsewhere.
     *
     * @return true for {@link Failed}.
     */
    default boolean isFailed() {
        return this instanceof Failed;
    }

    /**
     * The value, for callers to whom every other outcome is an exception.
     *
     * @return what the worker returned.
     * @throws CompletionException if it panicked, with what it threw as the cause.
     * @throws HealthLostException if it was stopped.
     */
    default R valueOrThrow() {
        if (this instanceof Completed<R> completed) {
            return completed.value();
        }
        if (this instanceof Panicked<R> panicked) {
            throw new CompletionException("the worker panicked", panicked.error());
        }
        throw new HealthLostException(((Failed<R>) this).cause());
    }
}
