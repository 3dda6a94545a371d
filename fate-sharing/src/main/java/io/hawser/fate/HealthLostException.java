package io.hawser.fate;

import java.util.List;

/**
 * Thrown out of every call of the library once health is lost. Its message is {@link Cause#describe()}; its cause is what
 * was thrown, if that happened in this process; what was thrown later in this process is suppressed.
 *
 * <p><em>Threading:</em> as any exception, but nothing in it changes after it was made, apart from what Java itself adds.
 */
public final class HealthLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Cause rootCause;

    /**
     * Tells of a cause without a scope.
     *
     * @param rootCause why.
     */
    public HealthLostException(Cause rootCause) {
        this(rootCause, List.of(), rootCause.describe());
    }

    HealthLostException(Cause rootCause, List<Cause> secondaryCauses, String message) {
        super(message, rootCause.throwable());
        this.rootCause = rootCause;
        for (Cause secondary : secondaryCauses) {
            suppress(secondary.throwable());
        }
    }

    /**
     * Why health was lost, as it was known when this was thrown.
     *
     * @return the cause; null only in a copy that was serialised, which keeps the message.
     */
    public Cause rootCause() {
        return rootCause;
    }

    private void suppress(Throwable thrown) {
        if (thrown != null && thrown != rootCause.throwable()) {
            addSuppressed(thrown);
        }
    }
}
