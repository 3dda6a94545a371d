package io.hawser.tools;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Stands for the benchmarks in the list of commands. They live in a module of their own, with the transports that they compare; the launcher builds and
 * runs that by itself.
 *
 * <p><em>Threading:</em> the main thread.
 */
@Command(name = "bench", description = "Measure Hawser beside other transports on this machine.")
final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Unmatched
    @SuppressWarnings("unused") // whatever it is, the benchmarks understand it
    private List<String> arguments;

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "the benchmarks are not part of this program: run them with ./hawser bench");
    }
}
