package io.hawser.jmh.bench;

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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One process of a run, seen from the one that has started it. Should that one be killed, this one sees its standard input end, and ends.
 *
 * <p><em>Threading:</em> safe. Two threads read its outputs.
 */
final class RunProcess {
    private static final int TAIL_LINES_MAX = 30;

    private final String name;
    private final Process process;
    private final Deque<String> tail = new ArrayDeque<>();

    private RunProcess(final String name, final Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param name    of the process, for people
     * @param command what to run
     * @param lines   receives what it writes to standard output, and its end
     * @return the process, running
     * @throws IOException if it cannot be started
     */
    static RunProcess start(final String name, final List<String> command, final Consumer<ProcessLine> lines)
            throws IOException {
        final RunProcess child = new RunProcess(name, new ProcessBuilder(command).start());
        child.read("errors", child.process.getErrorStream(), child::keep, () -> {});
        child.read(
                "lines",
                child.process.getInputStream(),
                line -> lines.accept(new ProcessLine(child, line)),
                () -> lines.accept(new ProcessLine(child, null)));
        return child;
    }

    long pid() {
        return process.pid();
    }

    /** Gives an order; a process that has ended needs none. */
    void tell(final String order) {
        try {
            final OutputStream orders = process.getOutputStream();
            orders.write((order + "\n").getBytes(StandardCharsets.UTF_8));
            orders.flush();
        } catch (final IOException e) {
            // it has ended
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Kills it unless it ends in time, and waits until it is gone. */
    void awaitEnd(final long timeoutMs) throws InterruptedException {
        if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
            kill();
            process.waitFor();
        }
    }

    /** The last lines of what it wrote to standard error. */
    List<String> tail() {
        synchronized (tail) {
            return new ArrayList<>(tail);
        }
    }

    @Override
    public String toString() {
        return name + " (pid " + process.pid() + ")";
    }

    private void keep(final String line) {
        synchronized (tail) {
            if (tail.size() == TAIL_LINES_MAX) {
                tail.removeFirst();
            }
            tail.addLast(line);
        }
    }

    private void read(
            final String what, final InputStream stream, final Consumer<String> lines, final Runnable afterwards) {
        final Thread thread = new Thread(
                () -> {
                    readLines(stream, lines);
                    afterwards.run();
                },
                "bench-" + name + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private static void readLines(final InputStream stream, final Consumer<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(line);
            }
        } catch (final IOException e) {
            // the stream of a process that was killed
        }
    }
}
