package io.hawser.allocator;

import io.hawser.fate.Cause;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * How {@link Cluster#supervise} goes on after a loss: whether, how often, how soon, and with what.
 *
 * <p>Each process decides for itself, from the cause, which is the same on all survivors; so give all of them the same policy, and let it look at nothing that only one of them knows, such as the {@link Cause#throwable}. Processes that decide
 * differently wait for each other in vain, for {@link Builder#formWithin}.
 *
 * <p><em>Threading:</em> immutable; what it calls is called by the supervising thread.
 */
public final class SupervisionPolicy {
    private final int restartLimit;
    private final long restartWindowNs;
    private final long backoffMinNs;
    private final long backoffMaxNs;
    private final long stableAfterNs;
    private final long formWithinNs;
    private final long returnLimitNs;
    private final Predicate<Cause> retryIf;
    private final BetweenGenerations between;
    private final Consumer<Cluster<?>> onFormed;

    private SupervisionPolicy(final Builder builder) {
        restartLimit = builder.restartLimit;
        restartWindowNs = builder.restartWindow.toNanos();
        backoffMinNs = builder.backoffMin.toNanos();
        backoffMaxNs = builder.backoffMax.toNanos();
        stableAfterNs = builder.stableAfter.toNanos();
        formWithinNs = builder.formWithin.toNanos();
        returnLimitNs = builder.returnLimit.toNanos();
        retryIf = builder.retryIf;
        between = builder.between;
        onFormed = builder.onFormed;
    }

    /**
     * What suits a long-running service: forms again after any loss but a user's own {@link Cluster#abort} and this process's own exit, at most 10 times in 10 minutes, and waits 5 minutes for all to come back.
     *
     * @return the policy
     */
    public static SupervisionPolicy standard() {
        return builder().build();
    }

    /**
     * Starts from {@link #standard()}.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    int restartLimit() {
        return restartLimit;
    }

    long restartWindowNs() {
        return restartWindowNs;
    }

    long backoffMinNs() {
        return backoffMinNs;
    }

    long backoffMaxNs() {
        return backoffMaxNs;
    }

    long stableAfterNs() {
        return stableAfterNs;
    }

    long formWithinNs() {
        return formWithinNs;
    }

    long returnLimitNs() {
        return returnLimitNs;
    }

    Predicate<Cause> retryIf() {
        return retryIf;
    }

    BetweenGenerations between() {
        return between;
    }

    Consumer<Cluster<?>> onFormed() {
        return onFormed;
    }

    /**
     * Takes the parts of a policy down; {@link #build()} checks them.
     *
     * <p><em>Threading:</em> for one thread.
     */
    public static final class Builder {
        private static final Duration LONGEST = Duration.ofDays(7);

        private int restartLimit = 10;
        private Duration restartWindow = Duration.ofMinutes(10);
        private Duration backoffMin = Duration.ofMillis(20);
        private Duration backoffMax = Duration.ofSeconds(5);
        private Duration stableAfter = Duration.ofSeconds(30);
        private Duration formWithin = Duration.ofMinutes(5);
        private Duration returnLimit = Duration.ofSeconds(30);
        private Predicate<Cause> retryIf = cause -> true;
        private BetweenGenerations between = Interlude::nextConfig;
        private Consumer<Cluster<?>> onFormed = cluster -> {};

        private Builder() {}

        /**
         * How many restarts are allowed within how long a time; one more, and the cluster is given up ({@link SupervisedOutcomes.Ending#GAVE_UP}). Default: 10 in 10 minutes.
         *
         * @param limit  0 or more
         * @param window 1 ns…7 days
         * @return this
         */
        public Builder restarts(final int limit, final Duration window) {
            restartLimit = limit;
            restartWindow = Objects.requireNonNull(window, "window");
            return this;
        }

        /**
         * The pause before forming again: at random between 0 and a bound that starts at {@code min} and doubles with each restart up to {@code max}, until a generation has lived for {@link #stableAfter}. Default: 20 ms, 5 s.
         *
         * @param min the first bound, 1 ns…7 days
         * @param max the last bound, not below the first, nor above a quarter of {@link #formWithin}
         * @return this
         */
        public Builder backoff(final Duration min, final Duration max) {
            backoffMin = Objects.requireNonNull(min, "min");
            backoffMax = Objects.requireNonNull(max, "max");
            return this;
        }

        /**
         * How long a generation has to have lived for the pause to start small again. Default: 30 s.
         *
         * @param time how long, 1 ns…7 days
         * @return this
         */
        public Builder stableAfter(final Duration time) {
            stableAfter = Objects.requireNonNull(time, "stableAfter");
            return this;
        }

        /**
         * How long after a loss all processes have to be there again, what is done between two generations included; then it is {@link SupervisedOutcomes.Ending#NOT_FORMED}. It takes the place of {@link io.hawser.transport.ClusterConfig#formationTimeoutNs()}, which holds for the first generation.
         * Default: 5 minutes: somebody, or something, has to start the dead process anew.
         *
         * @param time how long, 1 ns…7 days
         * @return this
         */
        public Builder formWithin(final Duration time) {
            formWithin = Objects.requireNonNull(time, "formWithin");
            return this;
        }

        /**
         * How long after a loss the workers of this process may take to return; a process in which one of them still runs is not formed again, since it may still write what the next generation reads: {@link SupervisedOutcomes.Ending#STUCK}. Default: 30 s.
         *
         * @param time how long, 1 ns…7 days
         * @return this
         */
        public Builder returnLimit(final Duration time) {
            returnLimit = Objects.requireNonNull(time, "returnLimit");
            return this;
        }

        /**
         * Which losses are worth another generation. Asked for all but those that never are: a user has aborted or closed the cluster, or this process itself is exiting. Default: all.
         *
         * @param condition asked with the root cause; the same on all processes
         * @return this
         */
        public Builder retryIf(final Predicate<Cause> condition) {
            retryIf = Objects.requireNonNull(condition, "retryIf");
            return this;
        }

        /**
         * What is done after the workers have returned and before the next generation is formed: the place to load what a dead process held, or to give the cluster another shape.
         *
         * @param hook called in the supervising thread, once for each restart; the others wait for it, no longer than {@link #formWithin}
         * @return this
         */
        public Builder between(final BetweenGenerations hook) {
            between = Objects.requireNonNull(hook, "between");
            return this;
        }

        /**
         * What is done with each generation that has formed, before its workers run: the place for {@link Cluster#onStart} and for keeping a reference through which it can be watched or aborted.
         *
         * @param hook called in the supervising thread; what it throws ends the generation, and is thrown by {@link Cluster#supervise}
         * @return this
         */
        public Builder onFormed(final Consumer<Cluster<?>> hook) {
            onFormed = Objects.requireNonNull(hook, "onFormed");
            return this;
        }

        /**
         * Checks all parts.
         *
         * @return the policy
         * @throws IllegalArgumentException if a part is out of range; the text names it and its value
         */
        public SupervisionPolicy build() {
            require(restartLimit >= 0, "restarts must be 0 or more", "restarts", restartLimit);
            checkTime("restartWindow", restartWindow);
            checkTime("backoffMin", backoffMin);
            checkTime("backoffMax", backoffMax);
            checkTime("stableAfter", stableAfter);
            checkTime("formWithin", formWithin);
            checkTime("returnLimit", returnLimit);
            require(
                    backoffMax.compareTo(backoffMin) >= 0,
                    "backoffMax must not be below backoffMin=" + backoffMin,
                    "backoffMax",
                    backoffMax);
            require(
                    backoffMax.compareTo(formWithin.dividedBy(4)) <= 0,
                    "who pauses for longer than a quarter of formWithin=" + formWithin
                            + " may never be there together with the others",
                    "backoffMax",
                    backoffMax);
            return new SupervisionPolicy(this);
        }

        private static void checkTime(final String name, final Duration time) {
            require(!time.isNegative() && !time.isZero() && time.compareTo(LONGEST) <= 0, "1 ns…7 days", name, time);
        }

        private static void require(final boolean isMet, final String rule, final String name, final Object value) {
            if (!isMet) {
                throw new IllegalArgumentException(rule + ": " + name + "=" + value);
            }
        }
    }
}
