package io.hawser.tools;

import java.io.IOException;

/**
 * The standard input of a process that {@link ChildProcesses} has started. Nothing is ever said there; it ends when this process is to end, or when the one
 * that started it is gone.
 *
 * <p><em>Threading:</em> safe; a daemon thread waits for the end.
 */
public final class StandardInput {
    /** How long this JVM may take to shut down in an orderly way. */
    private static final long SHUTDOWN_TIMEOUT_MS = 1_000;

    private StandardInput() {}

    /** Ends this JVM when its standard input ends. */
    public static void endWithIt() {
        daemon("stdin", () -> {
            try {
                while (System.in.read() >= 0) {
                    // nothing is ever said
                }
            } catch (final IOException e) {
                // as good as the end
            }
            daemon("halt", StandardInput::haltLater);
            System.exit(ExitStatus.WRONG);
        });
    }

    private static void haltLater() {
        try {
            Thread.sleep(SHUTDOWN_TIMEOUT_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitStatus.WRONG);
    }

    private static void daemon(final String role, final Runnable task) {
        final Thread thread = new Thread(task, "hawser-tools-" + role);
        thread.setDaemon(true);
        thread.start();
    }
}
