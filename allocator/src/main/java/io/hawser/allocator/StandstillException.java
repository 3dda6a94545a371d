package io.hawser.allocator;

/**
 * A push would wait for room that only the pushing worker itself could make, by pulling: it would wait for ever. Nothing of the message was sent, unless it is written piece by
 * piece, see {@link MessageWriter#write}.
 */
public final class StandstillException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message who waits for whom, on which channel, and what to do
     */
    public StandstillException(final String message) {
        super(message);
    }
}
