package io.hawser.allocator;

import io.hawser.framing.RejectPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The answer to a {@link StartRequest}. Neither answer has a side effect: who accepts keeps a place free, no more (law L9).
 *
 * <p><em>Threading:</em> immutable.
 */
public sealed interface Admission {
    /** Yes: the place is kept until the go-ahead, a release, or the end of the time that reservations hold. */
    record Accepted() implements Admission {
        private static final Accepted ACCEPTED = new Accepted();
    }

    /**
     * No.
     *
     * @param reason       in words, cut to 512 bytes of UTF-8
     * @param policy       what the coordinator may do next
     * @param retryAfterMs not before so many milliseconds here again, 0 or more; 0 unless the policy is {@link RejectPolicy#LATER_HERE}
     */
    record Rejected(String reason, RejectPolicy policy, int retryAfterMs) implements Admission {
        /**
         * Checks what it is made of, and cuts the reason.
         *
         * @param reason       in words
         * @param policy       what the coordinator may do next
         * @param retryAfterMs not before so many milliseconds here again
         * @throws IllegalArgumentException if the time is negative, or is told with another policy than {@link RejectPolicy#LATER_HERE}
         */
        public Rejected {
            reason = ReasonText.cut(Objects.requireNonNull(reason, "reason"));
            Objects.requireNonNull(policy, "policy");
            if (retryAfterMs < 0 || retryAfterMs > 0 && policy != RejectPolicy.LATER_HERE) {
                throw new IllegalArgumentException(
                        "only later here tells a time, 0 or more: policy=" + policy + " retryAfterMs=" + retryAfterMs);
            }
        }
    }

    /**
     * Yes.
     *
     * @return always the same
     */
    static Admission accept() {
        return Accepted.ACCEPTED;
    }

    /**
     * No, and nowhere else either: the work itself is at fault. The whole placement fails.
     *
     * @param reason in words
     * @return the answer
     */
    static Admission rejectForever(final String reason) {
        return new Rejected(reason, RejectPolicy.NEVER, 0);
    }

    /**
     * Not now: the coordinator may ask here again after a while, if nobody else takes the work before.
     *
     * @param reason     in words
     * @param retryAfter not before, rounded up to milliseconds; cut to 24 days
     * @return the answer
     * @throws IllegalArgumentException if the time is negative
     */
    static Admission rejectForNow(final String reason, final Duration retryAfter) {
        if (retryAfter.isNegative()) {
            throw new IllegalArgumentException("no time to wait can be negative: retryAfter=" + retryAfter);
        }
        final long ns = Timeouts.nanos(retryAfter);
        final long wholeMs = TimeUnit.NANOSECONDS.toMillis(ns);
        final long ms = TimeUnit.MILLISECONDS.toNanos(wholeMs) == ns ? wholeMs : wholeMs + 1;
        return new Rejected(reason, RejectPolicy.LATER_HERE, (int) Math.min(ms, Integer.MAX_VALUE));
    }

    /**
     * Not here: the coordinator asks the other candidates first.
     *
     * @param reason in words
     * @return the answer
     */
    static Admission rejectElsewhere(final String reason) {
        return new Rejected(reason, RejectPolicy.ELSEWHERE, 0);
    }
}
