package io.hawser.jmh.bench;

/**
 * A run came to nothing: messages were lost or wrong, a process ended or hung.
 *
 * <p><em>Threading:</em> as exceptions are.
 */
final class RunFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    RunFailedException(final String message) {
        super(message);
    }
}
