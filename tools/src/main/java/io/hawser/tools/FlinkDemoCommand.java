package io.hawser.tools;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/**
 * Stands for the demo on Flink in the list of commands. It lives in a module of its own, with all of Flink; the launcher builds and runs that by itself.
 *
 * <p><em>Threading:</em> the main thread.
 */
@Command(
        name = "flink-demo",
        description = "Run a job of Apache Flink on its own transport and on Hawser, and freeze a TaskManager midway.")
final class FlinkDemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Unmatched
    @SuppressWarnings("unused") // whatever it is, the demo understands it
    private List<String> arguments;

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "the demo on Flink is not part of this program: run it with ./hawser flink-demo");
    }
}
