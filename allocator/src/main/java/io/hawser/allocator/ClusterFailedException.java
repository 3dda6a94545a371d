package io.hawser.allocator;

import io.hawser.fate.Cause;
import java.util.List;

/**
 * Thrown by {@link Outcomes#values()} when there are no values to have: the cluster was lost. Its message is
 * {@link Cause#describe()}; its {@link #getCause()} is what was thrown, if that happened in this process; what was thrown later in this
 * process is suppressed.
 *
 * <p><em>Threading:</em> as any exception.
 */
public final class ClusterFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Cause rootCause;

    /**
     * Tells of a lost cluster.
     *
     * @param rootCause       why it was lost
     * @param secondaryCauses what else happened
     */
    ClusterFailedException(final Cause rootCause, final List<Cause> secondaryCauses) {
        super(rootCause.describe(), rootCause.throwable());
        this.rootCause = rootCause;
        for (final Cause secondary : secondaryCauses) {
            final Throwable thrown = secondary.throwable();
            if (thrown != null && thrown != rootCause.throwable()) {
                addSuppressed(thrown);
            }
        }
    }

    /**
     * Why the cluster was lost: the same on all processes that survived.
     *
     * @return the cause; null only in a copy that was serialised, which keeps the message
     */
    public Cause rootCause() {
        return rootCause;
    }
}
