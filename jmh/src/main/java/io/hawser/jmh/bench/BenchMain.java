package io.hawser.jmh.bench;

import io.hawser.tools.ExitStatus;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/**
 * What the launcher runs for {@code hawser bench}.
 *
 * <p><em>Threading:</em> the main thread.
 */
public final class BenchMain {
    private BenchMain() {}

    /**
     * Runs the benchmarks, and ends this JVM with their exit status.
     *
     * @param arguments of the command line, behind {@code bench}
     */
    public static void main(final String[] arguments) {
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        System.exit(commandLine().execute(arguments));
    }

    /** The parser of the command line, which tells of wrong usage in one line. */
    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand()).setParameterExceptionHandler((exception, arguments) -> {
            final PrintWriter err = exception.getCommandLine().getErr();
            err.println("hawser bench: " + exception.getMessage());
            return ExitStatus.USAGE;
        });
    }
}
