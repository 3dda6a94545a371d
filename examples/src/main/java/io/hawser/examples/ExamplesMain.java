package io.hawser.examples;

import io.hawser.tools.ExitStatus;
import io.hawser.tools.HelpOption;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * What the launcher runs for {@code hawser example}: without a name it lists the examples.
 *
 * <p><em>Threading:</em> the main thread.
 */
@Command(
        name = "hawser example",
        description = "Run a program of a page that shows how Hawser is used, with the processes that it needs.",
        synopsisSubcommandLabel = "NAME [options]",
        commandListHeading = "%nExamples:%n",
        subcommands = {
            SlowConsumer.class,
            Cycle.class,
            BigMessage.class,
            FanIn.class,
            Retune.class,
            DropStuckJob.class,
            Query.class,
            RollingRestart.class
        },
        footer = {
            "",
            "Each prints what happens as it happens, and in its last line its figures as JSON.",
            "hawser example NAME --help shows its options.",
            "",
            "Exit status: 0 it came out right, 1 it did not, 2 wrong usage."
        },
        usageHelpAutoWidth = true)
public final class ExamplesMain implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // by name; the parser asks for it
    private HelpOption helpOption;

    private ExamplesMain() {}

    /**
     * Runs an example, and ends this JVM with its exit status.
     *
     * @param arguments of the command line, behind {@code example}
     */
    public static void main(final String[] arguments) {
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        System.exit(commandLine().execute(arguments));
    }

    /** The parser of the command line, which tells of wrong usage in one line. */
    static CommandLine commandLine() {
        return new CommandLine(new ExamplesMain()).setParameterExceptionHandler((exception, arguments) -> {
            final CommandLine command = exception.getCommandLine();
            final PrintWriter err = command.getErr();
            err.println(command.getCommandSpec().qualifiedName() + ": " + exception.getMessage());
            return ExitStatus.USAGE;
        });
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
