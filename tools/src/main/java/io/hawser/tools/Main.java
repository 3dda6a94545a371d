package io.hawser.tools;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command line {@code hawser}.
 *
 * <p><em>Threading:</em> the main thread.
 */
@Command(
        name = "hawser",
        description =
                "Hawser moves bytes between the workers of a cluster, and makes the death of any of them a fact that "
                        + "all others learn at once, with its true cause.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            ExampleCommand.class,
            FlinkDemoCommand.class,
            BenchCommand.class,
            DemoProcessCommand.class,
            HelpCommand.class,
            VersionCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  hawser demo                  rank the classes of this JDK on four processes",
            "  hawser demo --kill 2@5       the same, and process 2 is killed in iteration 5",
            "  hawser help demo             all that a demonstration can be asked for",
            "  hawser example slow-consumer --policy spill    a producer far faster than its consumer",
            "  hawser example cycle --policy wait             two processes that fill each other up",
            "  hawser example big-message                     larger than any memory, pings beside it",
            "  hawser example fan-in                          all push to one that cannot keep up",
            "  hawser bench --quick         measure Hawser beside other transports"
        },
        usageHelpAutoWidth = true)
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // by name; the parser asks for it
    private HelpOption helpOption;

    private Main() {}

    /**
     * Runs a command, and ends this JVM with its exit status.
     *
     * @param arguments of the command line.
     */
    public static void main(final String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The parser of the command line, which tells of wrong usage in one line. */
    static CommandLine commandLine() {
        return new CommandLine(new Main()).setParameterExceptionHandler((exception, arguments) -> {
            final CommandLine command = exception.getCommandLine();
            final PrintWriter err = command.getErr();
            err.println(command.getCommandSpec().qualifiedName() + ": " + exception.getMessage());
            return ExitStatus.USAGE;
        });
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? One of demo, example, bench, help, version");
    }
}
