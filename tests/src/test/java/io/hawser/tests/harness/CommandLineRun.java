package io.hawser.tests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.testkit.ChildProcess;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.Reaper;
import io.hawser.testkit.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The command line of the checkout, run by its launcher as a user would, on the JDK of this test. All processes that come of
 * it carry a mark, which is how they are found again.
 *
 * <p><em>Threading:</em> one thread at a time.
 */
public final class CommandLineRun implements AutoCloseable {
    private static final String IGNORED_SIGNALS = "SigIgn:";
    private static final long INTERRUPT_BIT = 1 << 2 - 1;

    private final String mark = "-Dhawser.tests.mark=" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    private final List<String> arguments;
    private final Path out;
    private final Path err;
    private final Process process;

    /**
     * Starts it.
     *
     * @param directory for what it prints
     * @param arguments of the command line
     */
    public CommandLineRun(final Path directory, final String... arguments) {
        this.arguments = List.of(arguments);
        out = directory.resolve("out");
        err = directory.resolve("err");
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("hawser.root"), "hawser").toString());
        command.addAll(this.arguments);
        final ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("HAWSER_JAVA_OPTS", mark);
        // the build that runs this test has made what the launcher runs; another one in its midst would take it away
        builder.environment().put("HAWSER_BUILD", "never");
        try {
            process = builder.start();
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot run: command=" + command, failed);
        }
        Reaper.born(process);
    }

    /** Waits for its end; the exit status. */
    public int awaitExit(final Duration allowed) {
        try {
            if (!process.waitFor(allowed.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("not within " + allowed.toMillis() + " ms: the end of " + this);
            }
            return process.exitValue();
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + this, interrupted);
        }
    }

    /** Waits until it has printed this to its standard error. */
    public void awaitErr(final String text, final Duration allowed) {
        Deadline.await(allowed, () -> "'" + text + "' of " + this, () -> err().contains(text));
    }

    /** Waits until it has printed this to its standard output. */
    public void awaitOut(final String text, final Duration allowed) {
        Deadline.await(allowed, () -> "'" + text + "' of " + this, () -> out().contains(text));
    }

    /** What it has printed to its standard output. */
    public String out() {
        return read(out);
    }

    /** What it has printed to its standard error. */
    public String err() {
        return read(err);
    }

    /** All processes that have come of it and still exist. */
    public List<ProcessHandle> family() {
        return ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .filter(each ->
                        each.info().arguments().stream().flatMap(Arrays::stream).anyMatch(mark::equals))
                .toList();
    }

    /** It has ended, and with it all that it has started. */
    public void assertNobodyLeft() {
        assertThat(family()).as("processes left by %s", this).isEmpty();
    }

    /** Sends a signal to the process that was started, as its pid is known. */
    public void signal(final Signal signal) {
        signal.send(process.toHandle());
    }

    /** Sends a signal to all, as a terminal does. */
    public void signalAll(final Signal signal) {
        signal.send(family());
    }

    /** Whether it does not hear of Ctrl-C: inherited from a shell that has put all this into the background. */
    public boolean isDeafToInterrupt() {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith(IGNORED_SIGNALS))
                    .map(line -> line.substring(IGNORED_SIGNALS.length()).strip())
                    .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & INTERRUPT_BIT) != 0);
        } catch (final IOException unknown) {
            return false; // no Linux: let the test find out
        }
    }

    /** Ends all that is left. */
    @Override
    public void close() {
        process.destroyForcibly();
        family().forEach(ProcessHandle::destroyForcibly);
        awaitExit(ChildProcess.PATIENCE);
        Reaper.dead(process);
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException unreadable) {
            throw new UncheckedIOException("cannot read: file=" + file, unreadable);
        }
    }

    @Override
    public String toString() {
        return "hawser " + String.join(" ", arguments) + " (pid " + process.pid() + "), which printed:\n" + err()
                + out();
    }
}
