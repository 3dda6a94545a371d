package io.hawser.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The standard input of a process that {@link ChildProcesses} has started: what it is told, a line each. It ends when this process is to end, or when the one
 * that started it is gone.
 *
 * <p><em>Threading:</em> safe; a daemon thread waits for the end.
 */
public final class StandardInput {
    /** How long this JVM may take to shut down in an orderly way. */
    private static final long SHUTDOWN_TIMEOUT_MS = 1_000;

    private StandardInput() {}

    /** Ends this JVM when its standard input ends; nothing is said there. */
    public static void endWithIt() {
        endWithIt(line -> {});
    }

    /**
     * Ends this JVM when its standard input ends.
     *
     * @param orders receives each line until then, in a thread of its own.
     */
    static void endWithIt(final Consumer<String> orders) {
        daemon("stdin", () -> {
            try {
                final BufferedReader lines =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    orders.accept(line);
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
