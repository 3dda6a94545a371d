package io.hawser.jmh.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Linux weighs sessions against each other before it weighs processes, so a {@link Priority} needs one of the session, too. It is that of this process, which
 * all measured processes share: in sessions of their own they would not give way to each other. It is put back at the end.
 *
 * <p><em>Threading:</em> one thread, and the shutdown hook.
 */
final class SessionPriority implements AutoCloseable {
    private static final Path AUTOGROUP = Path.of("/proc/self/autogroup");
    private static final String LABEL = "nice ";

    private final String before;
    private final Thread hook = new Thread(this::putBack, "bench-priority");
    private volatile boolean isSet;

    SessionPriority() {
        before = read();
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Sets it; where the system knows no such thing, there is nothing to set. */
    void set(final Priority priority) {
        if (priority.niceness() != 0 && !before.isEmpty()) {
            isSet = true;
            write(Integer.toString(priority.niceness()));
        }
    }

    @Override
    public void close() {
        putBack();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (final IllegalStateException e) {
            // this JVM is shutting down, so the hook is at work
        }
    }

    private void putBack() {
        if (isSet) {
            write(before);
        }
    }

    private static String read() {
        try {
            final String text = Files.readString(AUTOGROUP).strip();
            return text.contains(LABEL) ? text.substring(text.indexOf(LABEL) + LABEL.length()) : "";
        } catch (final IOException e) {
            return "";
        }
    }

    private static void write(final String niceness) {
        try {
            Files.writeString(AUTOGROUP, niceness);
        } catch (final IOException e) {
            System.err.println("hawser bench: the session keeps its priority: " + e.getMessage());
        }
    }
}
