package io.hawser.tools;

/** The demonstration cannot go on. The message is for the reader, and may have several lines. */
final class DemoFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    DemoFailure(final int exitStatus, final String message) {
        super(message);
        this.exitStatus = exitStatus;
    }

    int exitStatus() {
        return exitStatus;
    }
}
