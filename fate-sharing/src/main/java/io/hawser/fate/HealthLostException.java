package io.hawser.fate;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.List;

/**
 * Thrown out of every call of the library once health is lost. Its message is {@link Cause#describe()}; its cause is what
 * was thrown, if that happened in this process; what was thrown later in this process is suppressed.
 *
 * <p><em>Threading:</em> as any exception, but what it says does not change after it was made, apart from what Java itself adds.
 */
public final class HealthLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Cause rootCause;

    /** The scope that was lost, null if that is the whole cluster. */
    private final transient String scopeName;

    /** Null until somebody asks: the words would cost every worker milliseconds on its way back to the user's code. */
    private String message;

    /**
     * Tells of a cause without a scope.
     *
     * @param rootCause why.
     */
    public HealthLostException(Cause rootCause) {
        this(rootCause, List.of(), null);
    }

    HealthLostException(Cause rootCause, List<Cause> secondaryCauses, String scopeName) {
        super(null, rootCause.throwable());
        this.rootCause = rootCause;
        this.scopeName = scopeName;
        for (int i = 0; i < secondaryCauses.size(); i++) {
            suppress(secondaryCauses.get(i).throwable());
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

    /**
     * The line that {@link Cause#describe()} gives, with what the loss led to. It is put into words when first asked for.
     *
     * @return who failed, what was seen, by whom and when, what it led to, what to do.
     */
    @Override
    public String getMessage() {
        String text =
                message; // once: it may be written by another thread that asks at the same time, and both find the same
        // words
        if (text == null) {
            text = words();
            message = text;
        }
        return text;
    }

    private String words() {
        return scopeName == null ? rootCause.describe() : rootCause.describe(consequence(rootCause, scopeName));
    }

    /** What a loss that does not concern the whole cluster leads to. */
    static String consequence(Cause rootCause, String scopeName) {
        return "scope " + scopeName + " of generation " + rootCause.generation() + " stops";
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        message = getMessage();
        out.defaultWriteObject();
    }

    private void suppress(Throwable thrown) {
        if (thrown != null && thrown != rootCause.throwable()) {
            addSuppressed(thrown);
        }
    }
}
