package io.hawser.examples;

/** A process of an example could not do its work. The message is for the reader; its first line says what it was, the others are the process's last output. */
final class ProcessFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProcessFailedException(final String message) {
        super(message);
    }

    String firstLine() {
        return getMessage().lines().findFirst().orElse("");
    }
}
