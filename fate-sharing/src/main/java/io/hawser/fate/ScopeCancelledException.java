package io.hawser.fate;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.concurrent.CancellationException;

/**
 * Thrown out of calls on what belongs to a cancelled scope. It is no failure: nobody's health is lost.
 *
 * <p><em>Threading:</em> as any exception.
 */
public final class ScopeCancelledException extends CancellationException {

    private static final long serialVersionUID = 1L;

    private final transient ScopeOutcome.Cancelled outcome;
    private final String scopeName;

    /** Null until somebody asks, or writes it away. */
    private String message;

    /**
     * Tells of a cancel.
     *
     * @param scopeName what was cancelled.
     * @param outcome   by whom and why.
     */
    public ScopeCancelledException(String scopeName, ScopeOutcome.Cancelled outcome) {
        this.scopeName = scopeName;
        this.outcome = outcome;
    }

    /**
     * By whom and why, as this process heard of it first. If several have cancelled, the outcome of the scope may name another one.
     *
     * @return the outcome; null only in a copy that was serialised, which keeps the message.
     */
    public ScopeOutcome.Cancelled outcome() {
        return outcome;
    }

    /**
     * What was cancelled, by whom and why.
     *
     * @return one line.
     */
    @Override
    public String getMessage() {
        return message == null ? scopeName + " was " + outcome.describe() : message;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        message = getMessage();
        out.defaultWriteObject();
    }
}
