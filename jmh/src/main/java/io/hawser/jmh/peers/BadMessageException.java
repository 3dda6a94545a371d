package io.hawser.jmh.peers;

/**
 * A transport has lost, changed or reordered messages: the run counts for nothing.
 *
 * <p><em>Threading:</em> as exceptions are.
 */
final class BadMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadMessageException(final String message) {
        super(message);
    }

    /** Not the message that was due. */
    static BadMessageException at(final long number, final long first, final long last, final int length) {
        return new BadMessageException("not the message that was due: due=" + number + " first=" + first + " last="
                + last + " length=" + length);
    }
}
