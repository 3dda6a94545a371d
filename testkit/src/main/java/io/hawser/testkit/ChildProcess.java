package io.hawser.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A real JVM forked by a test through a {@link Nursery}, which owns it. What it prints goes to two files; the latest lines of its standard output are kept, too, to be
 * waited for. Commands go to its standard input, at whose end a well-behaved child ends itself: that is when the test is gone.
 *
 * <p><em>Threading:</em> any thread; one daemon thread reads what it prints.
 */
public final class ChildProcess {
    /** Long enough for anything that is not itself timed; a failure says what was awaited. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Lines kept, for a child that never stops printing; of more than these the older half is forgotten. */
    static final int LINE_LIMIT = 100_000;

    private static final int LAST_WORDS = 40;
    private static final long POLL_MS = 1_000;
    private static final Duration DUMP_PATIENCE = Duration.ofSeconds(5);
    private static final String LAST_LINE_OF_DUMP = "JNI global ref";

    private final String name;
    private final Path log;
    private final Path errorLog;
    private final Process process;
    private final BufferedWriter commands;
    private final Thread reader;

    // under the monitor of lines
    private final List<String> lines = new ArrayList<>();
    private long forgottenLines;
    private boolean isOutputEnded;

    private volatile boolean isKilled;
    private volatile boolean isFrozen;

    /**
     * Forks a JVM.
     *
     * @param name        for messages and the names of files
     * @param directory   where its output goes
     * @param command     the whole command line
     * @param environment what it gets besides what it inherits; what it inherits comes first
     */
    ChildProcess(
            final String name,
            final Path directory,
            final List<String> command,
            final Map<String, String> environment) {
        this.name = name;
        this.log = directory.resolve(name + ".out");
        this.errorLog = directory.resolve(name + ".err");
        try {
            Files.createDirectories(directory);
            final ProcessBuilder builder = new ProcessBuilder(command).redirectError(errorLog.toFile());
            environment.forEach(builder.environment()::putIfAbsent);
            process = builder.start();
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot fork: name=" + name, failed);
        }
        Reaper.born(process);
        commands = process.outputWriter(UTF_8);
        reader = new Thread(this::readOutput, "output-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * What it is called.
     *
     * @return the name given by the test, after a number of its own
     */
    public String name() {
        return name;
    }

    /**
     * The process id.
     *
     * @return the pid
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Whether the process exists, frozen or not, and has not been killed by {@link #signal}: one that was may take a moment to vanish.
     *
     * @return true until then
     */
    public boolean isAlive() {
        return !isKilled && process.isAlive();
    }

    /**
     * Gives it a line to read. A child that is gone hears nothing, which is no error: whoever awaits an answer learns it.
     *
     * @param line without its end
     */
    public void send(final String line) {
        try {
            synchronized (commands) {
                commands.write(line);
                commands.newLine();
                commands.flush();
            }
        } catch (final IOException gone) {
            // as when the child was killed a moment earlier
            assert gone != null;
        }
    }

    /**
     * Sends a signal.
     *
     * @param signal to send
     * @throws AssertionError if it cannot be sent
     */
    public void signal(final Signal signal) {
        if (signal == Signal.STOP || signal == Signal.CONT) {
            isFrozen = signal == Signal.STOP;
        }
        isKilled |= signal == Signal.KILL;
        // through the handle, since Process.destroy closes the input of the process too
        signal.send(process.toHandle());
    }

    /**
     * What it has printed to its standard output so far, up to the latest 50,000 lines at least; all of it is in its file.
     *
     * @return the lines, a copy
     */
    public List<String> lines() {
        return newsSince(0).lines();
    }

    /**
     * What it has written to its error output so far, which is where its logger writes as a rule.
     *
     * @return the lines, read from the file
     */
    public List<String> errorLines() {
        try {
            return Files.exists(errorLog)
                    ? Files.readString(errorLog, UTF_8).lines().toList()
                    : List.of();
        } catch (final IOException unreadable) {
            return List.of("unreadable: " + unreadable);
        }
    }

    /**
     * Waits for the first line, of all that it ever printed to its standard output and that are kept, that is as wanted.
     *
     * @param what    is awaited, for the message
     * @param allowed how long at most
     * @param wanted  whether a line is the one
     * @return the line
     * @throws AssertionError if it does not come in time, or the child ends before; the message has its last words
     */
    public String awaitLine(final String what, final Duration allowed, final Predicate<String> wanted) {
        final Deadline deadline = Deadline.in(allowed);
        long seen = 0;
        while (true) {
            final News news = newsSince(seen);
            for (final String line : news.lines()) {
                if (wanted.test(line)) {
                    return line;
                }
            }
            seen = news.end();
            if (news.isLast() || deadline.isOver()) {
                final String why = news.isLast() ? "ended first" : "not within " + allowed.toMillis() + " ms";
                throw new AssertionError(
                        "child " + name + ": " + why + ": " + what + "; its last words:\n" + lastWords());
            }
            awaitMore(seen, Math.min(deadline.remainingMs(), POLL_MS));
        }
    }

    /**
     * Waits for its end.
     *
     * @param allowed how long at most
     * @return its exit status; 128 and the number of a signal that has ended it
     * @throws AssertionError if it does not end in time
     */
    public int awaitExit(final Duration allowed) {
        try {
            if (!process.waitFor(allowed.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("child " + name + " did not exit within " + allowed.toMillis() + " ms");
            }
            return process.exitValue();
        } catch (final InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    /**
     * Makes it print its threads, and waits a little for that. They are among its lines, and in its file, as well.
     *
     * @return the lines of the dump; none if it has ended or is frozen
     */
    public List<String> dumpThreads() {
        if (!isAlive() || isFrozen) {
            return List.of();
        }
        final long from = newsSince(0).end();
        signal(Signal.QUIT);
        try {
            Deadline.await(DUMP_PATIENCE, "thread dump of " + name, () -> isDumpedSince(from) || !isAlive());
        } catch (final AssertionError late) {
            return List.of("no thread dump within " + DUMP_PATIENCE.toSeconds() + " s");
        }
        return newsSince(from).lines();
    }

    private boolean isDumpedSince(final long from) {
        return newsSince(from).lines().stream().anyMatch(line -> line.contains(LAST_LINE_OF_DUMP));
    }

    /** Ends it at once, frozen or not, and waits until it is gone. */
    void destroy() {
        process.destroyForcibly();
        awaitExit(PATIENCE);
        try {
            reader.join(PATIENCE.toMillis());
            commands.close();
        } catch (final InterruptedException interrupted) {
            throw interrupted(interrupted);
        } catch (final IOException unsent) {
            assert unsent != null;
        }
        Reaper.dead(process);
    }

    void deleteLogs() {
        try {
            Files.deleteIfExists(log);
            Files.deleteIfExists(errorLog);
        } catch (final IOException kept) {
            throw new UncheckedIOException("cannot delete: log=" + log, kept);
        }
    }

    private String lastWords() {
        final List<String> all = new ArrayList<>(errorLines());
        all.addAll(lines());
        return String.join("\n", all.subList(Math.max(0, all.size() - LAST_WORDS), all.size()));
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader(UTF_8);
                BufferedWriter file = Files.newBufferedWriter(log)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                file.write(line);
                file.newLine();
                file.flush();
                keep(line);
            }
        } catch (final IOException ended) {
            // the same as an end of stream: the child is gone
            assert ended != null;
        }
        synchronized (lines) {
            isOutputEnded = true;
            lines.notifyAll();
        }
    }

    private void keep(final String line) {
        synchronized (lines) {
            if (lines.size() == LINE_LIMIT) {
                lines.subList(0, LINE_LIMIT / 2).clear();
                forgottenLines += LINE_LIMIT / 2;
            }
            lines.add(line);
            lines.notifyAll();
        }
    }

    /** The lines from one on, counted from the first that it ever printed, as far as they are kept. */
    private News newsSince(final long number) {
        synchronized (lines) {
            final int from = (int) Math.max(0, number - forgottenLines);
            return new News(
                    List.copyOf(lines.subList(from, lines.size())), forgottenLines + lines.size(), isOutputEnded);
        }
    }

    /** Lines that were not seen yet, the number of the line after them, and whether there will be none. */
    private record News(List<String> lines, long end, boolean isLast) {}

    private void awaitMore(final long seen, final long atMostMs) {
        synchronized (lines) {
            final long untilMs = System.nanoTime() / 1_000_000 + Math.max(1, atMostMs);
            while (!isOutputEnded && forgottenLines + lines.size() <= seen) {
                final long leftMs = untilMs - System.nanoTime() / 1_000_000;
                if (leftMs <= 0) {
                    return;
                }
                try {
                    lines.wait(leftMs);
                } catch (final InterruptedException interrupted) {
                    throw interrupted(interrupted);
                }
            }
        }
    }

    private AssertionError interrupted(final InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted while waiting for child " + name, cause);
    }

    /**
     * Name and pid.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return name + "(pid " + pid() + ")";
    }
}
