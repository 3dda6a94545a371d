package io.hawser.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One process, seen from the one that started it. What it tells arrives as events, and its end as one
 * more, {@link #EXITED}, after all others. Of its other output the last lines are kept.
 *
 * <p><em>Threading:</em> safe. Two threads read its outputs; events are handed over on the one that reads standard output.
 */
public final class ChildProcess {
    /** Made here when the process has ended; value {@code status}. */
    public static final String EXITED = "exited";

    private static final int TAIL_LINES_MAX = 40;

    private final int index;
    private final Process process;
    private final Deque<String> tail = new ArrayDeque<>();
    private volatile boolean isFrozen;

    private ChildProcess(final int index, final Process process) {
        this.index = index;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param index   of the process in the cluster.
     * @param command what to run.
     * @param environment what it gets besides what it inherits; what it inherits comes first.
     * @param events  receives this process and what it tells.
     * @param output  receives each line of its other output.
     * @return the process, running.
     * @throws IOException if it cannot be started.
     */
    static ChildProcess start(
            final int index,
            final List<String> command,
            final Map<String, String> environment,
            final BiConsumer<ChildProcess, Event> events,
            final Consumer<String> output)
            throws IOException {
        final ProcessBuilder builder = new ProcessBuilder(command);
        environment.forEach(builder.environment()::putIfAbsent);
        final ChildProcess child = new ChildProcess(index, builder.start());
        final Consumer<String> other = line -> {
            child.keep(line);
            output.accept(line);
        };
        final Thread errors = child.start("errors", () -> readLines(child.process.getErrorStream(), other));
        child.start("events", () -> {
            readLines(
                    child.process.getInputStream(),
                    line -> Event.parse(line)
                            .ifPresentOrElse(event -> events.accept(child, event), () -> other.accept(line)));
            child.awaitEnd(errors, events);
        });
        return child;
    }

    /** Which process of the cluster it is. */
    public int index() {
        return index;
    }

    public long pid() {
        return process.pid();
    }

    /** Sends SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    /**
     * Sends SIGSTOP.
     *
     * @throws IOException          if the signal cannot be sent.
     * @throws InterruptedException if the thread is interrupted.
     */
    void freeze() throws IOException, InterruptedException {
        isFrozen = true;
        final Process kill = new ProcessBuilder("sh", "-c", "kill -STOP " + pid()).start();
        if (kill.waitFor() != 0) {
            throw new IOException("cannot freeze process: pid=" + pid() + " status=" + kill.exitValue());
        }
    }

    /** Says a line to it; one that has ended does not hear it. */
    void tell(final String line) {
        try {
            final OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (final IOException e) {
            // it has ended; that is told by its event
        }
    }

    /** Asks it to end, by ending its standard input. A frozen process would not see that, and is killed. */
    void askToEnd() {
        if (isFrozen) {
            kill();
        }
        try {
            process.getOutputStream().close();
        } catch (final IOException e) {
            // it has ended already
        }
    }

    /** Kills it unless it ends in time, and waits until it is gone. */
    void awaitEnd(final long timeoutMs) throws InterruptedException {
        if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
            kill();
            process.waitFor();
        }
    }

    /** The last lines of its output, events excepted. */
    public List<String> tail() {
        synchronized (tail) {
            return new ArrayList<>(tail);
        }
    }

    private void keep(final String line) {
        synchronized (tail) {
            if (tail.size() == TAIL_LINES_MAX) {
                tail.removeFirst();
            }
            tail.addLast(line);
        }
    }

    private Thread start(final String role, final Runnable task) {
        final Thread thread = new Thread(task, "hawser-demo-p" + index + "-" + role);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void readLines(final InputStream stream, final Consumer<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(line);
            }
        } catch (final IOException e) {
            // the stream of a process that has been killed; its end is told below
        }
    }

    private void awaitEnd(final Thread errors, final BiConsumer<ChildProcess, Event> events) {
        try {
            errors.join();
            events.accept(this, new Event(EXITED).with("status", process.waitFor()));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
