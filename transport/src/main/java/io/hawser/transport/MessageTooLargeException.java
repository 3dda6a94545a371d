package io.hawser.transport;

/**
 * A message is longer than is allowed where it was to go. It was refused before anything was sent; nothing else is affected.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class MessageTooLargeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final long messageLength;
    private final long messageLimit;

    /**
     * Names both numbers.
     *
     * @param messageLength of the message, bytes
     * @param messageLimit  the longest that is allowed, bytes
     */
    public MessageTooLargeException(final long messageLength, final long messageLimit) {
        this(
                "message too large; cut it into several, or raise messageLimit on all processes",
                messageLength,
                "messageLimit",
                messageLimit);
    }

    /**
     * Names both numbers, says what they are about, and which setting it is that does not allow more.
     *
     * @param what          is too large, and what to do
     * @param messageLength of the message, bytes
     * @param limitName     the setting, or what it follows from
     * @param messageLimit  the longest that is allowed, bytes
     */
    public MessageTooLargeException(
            final String what, final long messageLength, final String limitName, final long messageLimit) {
        super(what + ": messageLength=" + messageLength + " " + limitName + "=" + messageLimit);
        this.messageLength = messageLength;
        this.messageLimit = messageLimit;
    }

    /**
     * How long the message was to be.
     *
     * @return bytes
     */
    public long messageLength() {
        return messageLength;
    }

    /**
     * How long a message may be.
     *
     * @return bytes; what both sides agreed on, or a narrower limit of the call
     */
    public long messageLimit() {
        return messageLimit;
    }
}
