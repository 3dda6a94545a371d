package io.hawser.allocator;

/**
 * A message was longer than the configuration allows. Nothing of it was sent; the channel remains usable.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class MessageTooLargeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The length of the message in bytes. */
    private final int messageLength;

    /** The longest length allowed in bytes. */
    private final int messageLimit;

    /**
     * Names both numbers.
     *
     * @param messageLength of the message in bytes
     * @param messageLimit  the longest length allowed in bytes
     */
    public MessageTooLargeException(final int messageLength, final int messageLimit) {
        super("message too large; cut it into several, or raise frameLimit on all processes: messageLength="
                + messageLength
                + " messageLimit="
                + messageLimit);
        this.messageLength = messageLength;
        this.messageLimit = messageLimit;
    }

    /**
     * The length of the message.
     *
     * @return bytes
     */
    public int messageLength() {
        return messageLength;
    }

    /**
     * The longest length allowed, see {@link io.hawser.transport.ClusterConfig#messageLimit()}.
     *
     * @return bytes
     */
    public int messageLimit() {
        return messageLimit;
    }
}
