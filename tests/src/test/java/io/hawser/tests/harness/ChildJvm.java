package io.hawser.tests.harness;

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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A real JVM forked by a test. What it prints goes to a file; the lines that are {@link Event}s are kept. Commands go to its
 * standard input, at whose end it ends itself.
 *
 * <p><em>Threading:</em> any thread.
 */
public final class ChildJvm {
    /** Long enough for anything that is not itself timed; a failure says what was awaited. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String LAST_LINE_OF_DUMP = "JNI global ref";

    private final String name;
    private final Path log;
    private final Path errorLog;
    private final Process process;
    private final BufferedWriter commands;
    private final Thread reader;
    private final List<Event> events = new ArrayList<>();

    private volatile boolean isKilled;
    private boolean isFrozen;
    private boolean isOutputEnded;
    private int dumps;

    /**
     * Forks a JVM.
     *
     * @param name        for messages and the names of files
     * @param directory   where its output goes
     * @param command     the whole command line
     * @param environment what it gets besides what it inherits; what it inherits comes first
     */
    ChildJvm(
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

    /** The name given by the test. */
    public String name() {
        return name;
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process exists, frozen or not, and has not been killed: one that was may take a moment to vanish. */
    public boolean isAlive() {
        return !isKilled && process.isAlive();
    }

    /** Gives it a command. A child that is gone hears nothing. */
    public void send(final Event command) {
        try {
            synchronized (commands) {
                commands.write(command.toLine());
                commands.newLine();
                commands.flush();
            }
        } catch (final IOException gone) {
            // as when the child was killed a moment earlier; whoever awaits an answer learns it
            assert gone != null;
        }
    }

    /** Sends a signal. */
    public void signal(final Signal signal) {
        if (signal == Signal.STOP || signal == Signal.CONT) {
            isFrozen = signal == Signal.STOP;
        }
        isKilled |= signal == Signal.KILL;
        signal.send(process);
    }

    /** All events so far, in order. */
    public List<Event> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    /** The first event so far that is as asked. */
    public Optional<Event> find(final Predicate<Event> wanted) {
        synchronized (events) {
            return events.stream().filter(wanted).findFirst();
        }
    }

    /** Waits for the first event of this name and run. */
    public Event await(final String event, final long run) {
        return await(event, run, PATIENCE);
    }

    /** Waits for the first event of this name and run, within a time. */
    public Event await(final String event, final long run, final Duration allowed) {
        return await(
                "event=" + event + " run=" + run,
                allowed,
                candidate -> candidate.name().equals(event) && candidate.has("run", run));
    }

    /** Waits for the first event, of all that it ever sent, that is as wanted. */
    public Event await(final String what, final Duration allowed, final Predicate<Event> wanted) {
        final Deadline deadline = Deadline.in(allowed);
        synchronized (events) {
            while (true) {
                final Optional<Event> found = find(wanted);
                if (found.isPresent()) {
                    return found.get();
                }
                if (isOutputEnded || deadline.isOver()) {
                    final String why = isOutputEnded ? "ended first" : "not within " + allowed.toMillis() + " ms";
                    throw new AssertionError(
                            "child " + name + ": " + why + ": " + what + "; its last words:\n" + lastWords());
                }
                pause(Math.min(deadline.remainingMs(), 1_000));
            }
        }
    }

    /** Waits for its end. */
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

    /** What it wrote to its error output, which is where its logger writes. */
    public List<String> errorLines() {
        return linesOf(errorLog);
    }

    /** Everything it wrote to its standard output so far that was no event. */
    public List<String> outputLines() {
        return linesOf(log);
    }

    /** Makes it print its threads into its log, waits a little for that, and gives them. Empty if it cannot. */
    public List<String> dumpThreads() {
        if (!isAlive() || isFrozen) {
            return List.of();
        }
        final int before = dumps();
        final int from = outputLines().size();
        signal(Signal.QUIT);
        try {
            Deadline.await(Duration.ofSeconds(5), "thread dump of " + name, () -> dumps() > before || !isAlive());
        } catch (final AssertionError late) {
            return List.of("no thread dump within 5 s");
        }
        final List<String> lines = outputLines();
        return lines.subList(from, lines.size());
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
        final List<String> all = new ArrayList<>(outputLines());
        all.addAll(errorLines());
        events().forEach(event -> all.add(event.toString()));
        return String.join("\n", all.subList(Math.max(0, all.size() - 40), all.size()));
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader(UTF_8);
                BufferedWriter file = Files.newBufferedWriter(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line, file);
            }
        } catch (final IOException ended) {
            // the same as an end of stream: the child is gone
            assert ended != null;
        }
        synchronized (events) {
            isOutputEnded = true;
            events.notifyAll();
        }
    }

    private void hear(final String line, final BufferedWriter file) throws IOException {
        synchronized (events) {
            if (Event.isEvent(line)) {
                events.add(Event.parse(line));
                events.notifyAll();
                return;
            }
            file.write(line);
            file.newLine();
            file.flush();
            dumps += line.contains(LAST_LINE_OF_DUMP) ? 1 : 0;
        }
    }

    private int dumps() {
        synchronized (events) {
            return dumps;
        }
    }

    private void pause(final long atMostMs) {
        try {
            events.wait(Math.max(1, atMostMs));
        } catch (final InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private static List<String> linesOf(final Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, UTF_8).lines().toList() : List.of();
        } catch (final IOException unreadable) {
            return List.of("unreadable: " + unreadable);
        }
    }

    private AssertionError interrupted(final InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted while waiting for child " + name, cause);
    }

    @Override
    public String toString() {
        return name + "(pid " + pid() + ")";
    }
}
