package io.hawser.tools;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Stands for the examples in the list of commands. They live in a module of their own, with the store for spilling; the launcher builds and runs that by
 * itself.
 *
 * <p><em>Threading:</em> the main thread.
 */
@Command(
        name = "example",
        description = "Run a program of a page that shows how Hawser is used; without a name, list them.")
final class ExampleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Unmatched
    @SuppressWarnings("unused") // whatever it is, the examples understand it
    private List<String> arguments;

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "the examples are not part of this program: run them with ./hawser example");
    }
}
