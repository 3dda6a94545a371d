package io.hawser.allocator;

/**
 * A worker would have waited for ever: it asked to be parked until something arrives, but every other process has hung up, every
 * other worker of its process has ended, and nothing is left to pull. Usually it expects a message that nobody sends, and the
 * algorithm of the program is wrong about when it is done.
 *
 * <p>Let through, it is a panic like any other. Caught, it is the end of the worker's input.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class EndOfStreamException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what was waited for.
     *
     * @param message the text, ending in {@code name=value}
     */
    public EndOfStreamException(final String message) {
        super(message);
    }
}
