package io.hawser.examples;

import io.hawser.tools.Event;
import io.hawser.tools.ExitStatus;
import io.hawser.tools.HelpOption;
import io.hawser.tools.Ports;
import io.hawser.tools.StandardInput;
import io.hawser.tools.Transcript;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * One example. The process that the user starts runs none of it: it starts the processes of the cluster, each with the same arguments and its index, shows
 * what they tell, and judges what they found. What an example has to say stands in {@link #configure} and {@link #run}.
 *
 * <p><em>Threading:</em> the main thread, of either kind of process.
 */
abstract class Example implements Callable<Integer> {
    /** So little that nobody can hide in it what was not consumed. */
    private static final String HEAP = "-Xmx64m";

    /** Processes of a demonstration live too short to be compiled well; these do not. */
    private static final String FULL_SPEED = "-XX:TieredStopAtLevel=4";

    /** As long as a new JVM may take to start on a machine that is busy. */
    private static final Duration FORMATION_TIMEOUT = Duration.ofSeconds(60);

    private static final int FRAME_LIMIT = 64 * 1024;

    /** Of each send ring and each slab: the default is more, and made for faster networks. */
    private static final int BUFFER_LENGTH = 4 * FRAME_LIMIT;

    /** Set by the launcher if output goes to a terminal. */
    private static final String TERMINAL_PROPERTY = "hawser.terminal";

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("unused") // by name; the parser asks for it
    private HelpOption helpOption;

    @Option(names = "--verbose", description = "show what the processes log")
    private boolean isVerbose;

    @Option(names = "--process", hidden = true, defaultValue = "-1")
    private int process;

    @Option(names = "--ports", hidden = true, split = ",")
    private List<Integer> ports;

    @Option(names = "--generation", hidden = true, defaultValue = "1")
    private long generation;

    /** How many processes it needs. */
    abstract int processes();

    /** Its settings, beside who the processes are. */
    abstract void configure(ClusterConfigBuilder settings);

    /**
     * The example itself, as each of the processes runs it.
     *
     * @param config of this process
     * @return what it found; null if it has said that it is to be started anew
     */
    abstract Event run(ClusterConfig config) throws Exception;

    /**
     * Makes the figures from what the processes found, and says what is not as it should be.
     *
     * @param results     by index of the process
     * @param directLimit bytes of direct memory that each process was allowed
     * @param figures     to be filled
     */
    abstract void judge(List<Event> results, long directLimit, Figures figures);

    @Override
    public final Integer call() throws IOException, InterruptedException {
        return process < 0 ? lead() : takePart();
    }

    private int lead() throws IOException, InterruptedException {
        // two examples at once look for ports in different places
        ports = Ports.free(processes(), new Random(ProcessHandle.current().pid()));
        final long directLimit = Samples.directLimit(config(0));
        final Transcript out = new Transcript(System.out, Boolean.getBoolean(TERMINAL_PROPERTY));
        final Figures figures = new Figures(spec.name());
        out.plain(spec.name() + ": " + processes() + " processes with " + HEAP + " and " + Samples.mib(directLimit)
                + " of direct memory each");
        final List<String> flags = List.of(HEAP, "-XX:MaxDirectMemorySize=" + directLimit, FULL_SPEED);
        try (Processes children = new Processes(
                out,
                isVerbose,
                (all, index, first) -> all.start(index, ExamplesMain.class, flags, arguments(index, first)))) {
            judge(children.run(processes()), directLimit, figures);
        } catch (final ProcessFailedException e) {
            out.plain("failed: " + e.getMessage());
            figures.expect(false, e.firstLine());
        }
        figures.complaints().forEach(complaint -> out.event("not right: " + complaint));
        out.plain(figures.toJson());
        return figures.isRight() ? ExitStatus.RIGHT : ExitStatus.WRONG;
    }

    private int takePart() {
        StandardInput.endWithIt();
        try {
            final Event result = run(config(process));
            if (result != null) {
                Told.result(result);
            }
            return ExitStatus.RIGHT;
        } catch (final Exception e) {
            Told.failed(e);
            return ExitStatus.WRONG;
        }
    }

    private List<String> arguments(final int index, final long firstGeneration) {
        final List<String> arguments =
                new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
        arguments.add("--process=" + index);
        arguments.add("--generation=" + firstGeneration);
        arguments.add("--ports="
                + String.join(",", ports.stream().map(String::valueOf).toList()));
        return arguments;
    }

    private ClusterConfig config(final int index) {
        final ClusterConfigBuilder settings = ClusterConfig.builder()
                .clusterId(spec.name())
                .processIndex(index)
                .generation(generation)
                .addresses(ports.stream()
                        .map(port -> new Endpoint(Ports.HOST, port))
                        .toList())
                .formationTimeout(FORMATION_TIMEOUT)
                .frameLimit(FRAME_LIMIT)
                .sendRingLength(BUFFER_LENGTH)
                .slabLength(BUFFER_LENGTH);
        configure(settings);
        return settings.build();
    }
}
