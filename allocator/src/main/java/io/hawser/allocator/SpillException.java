package io.hawser.allocator;

/**
 * A channel could not spill: its limit or the disk is full, or the disk fails. The message that was pushed is not sent, not even in part; what was spilled
 * before is kept and will be sent.
 */
public final class SpillException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which channel, where, how much, and what to do
     * @param cause   what the file system said, null if it was our own limit
     */
    public SpillException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
