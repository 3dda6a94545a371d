package io.hawser.fate;

/**
 * The user's code that wants to know. It may block, throw, close things or exit: neither other listeners nor the loss wait
 * for it.
 *
 * <p><em>Threading:</em> called once, in a daemon thread that serves this registration only.
 */
@FunctionalInterface
public interface HealthListener {
    /**
     * Health was lost. What this throws is logged and has no other effect.
     *
     * @param cause the root cause as it is known now; {@link Health#rootCause()} may still change until it is settled.
     */
    void onHealthLost(Cause cause);
}
