package io.hawser.transport;

/**
 * No link came of a dial. Nothing of the attempt is left.
 *
 * <p><em>Threading:</em> as any exception; what it tells is immutable.
 */
public final class LinkException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean isFinal;

    LinkException(String message, boolean isFinal, Throwable cause) {
        super(message, cause);
        this.isFinal = isFinal;
    }

    /** {@return true if dialling again is of no use (another cluster, other settings, a mesh in place of links); false if it may be (nobody there yet, no answer in time, the peer has as many links as it may)} */
    public boolean isFinal() {
        return isFinal;
    }
}
