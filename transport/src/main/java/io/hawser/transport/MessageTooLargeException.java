package io.hawser.transport;

/**
 * A message is longer than a frame has room for. It was refused before anything was written; nothing else is affected.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class MessageTooLargeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int messageLength;
    private final int messageLimit;

    /**
     * Names both numbers.
     *
     * @param messageLength of the message, bytes
     * @param messageLimit  the longest that is allowed, bytes
     */
    public MessageTooLargeException(final int messageLength, final int messageLimit) {
        super("message too large; cut it into several, or raise frameLimit on all processes: messageLength="
                + messageLength + " messageLimit=" + messageLimit);
        this.messageLength = messageLength;
        this.messageLimit = messageLimit;
    }

    /**
     * How long the message was to be.
     *
     * @return bytes
     */
    public int messageLength() {
        return messageLength;
    }

    /**
     * How long a message may be.
     *
     * @return bytes; follows from the frame limit that both sides agreed on
     */
    public int messageLimit() {
        return messageLimit;
    }
}
