package io.hawser.tools;

import io.hawser.allocator.SupervisedOutcomes;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Endpoint;
import io.hawser.transport.FileDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * One process of the demonstration, as {@link Demo} starts it; not meant to be typed. It tells what happens as
 * {@link Event}s, and ends when its standard input does: whoever started it is gone then.
 *
 * <p><em>Threading:</em> the main thread, and one that waits for the end of standard input.
 */
@Command(name = "demo-process", hidden = true, description = "One process of the demonstration.")
final class DemoProcessCommand implements Callable<Integer> {
    /** Bytes of a frame: a worker has less than that for another. */
    private static final int FRAME_LIMIT = 64 * 1024;

    /** Bytes of what is sent from and read into, for each worker and peer: little memory for many of them. */
    private static final int BUFFER_LENGTH = 4 * FRAME_LIMIT;

    @Mixin
    private DemoOptions options;

    @Option(names = "--process", required = true)
    private int process;

    @Option(names = "--generation", required = true)
    private long generation;

    @Option(names = "--ports", required = true, split = ",")
    private List<Integer> ports;

    @Option(names = "--directory")
    private Path directory;

    @Override
    public Integer call() {
        final Orders orders = new Orders();
        StandardInput.endWithIt(orders::accept);
        final DemoEvents events = DemoEvents.onStandardOutput(process);
        try {
            return exitStatus(new DemoProcess(options, config(), events, orders).run(), events);
        } catch (final IOException | InterruptedException | RuntimeException e) {
            events.failed(e);
            return ExitStatus.WRONG;
        }
    }

    private static int exitStatus(final SupervisedOutcomes<?> outcomes, final DemoEvents events) {
        if (outcomes.isCompleted()) {
            return ExitStatus.RIGHT;
        }
        if (outcomes.formationFailure().isPresent()) {
            events.formationFailed(outcomes.formationFailure().orElseThrow().getMessage());
            return ExitStatus.NOT_FORMED;
        }
        events.failed(new IllegalStateException(outcomes.toString()));
        return ExitStatus.WRONG;
    }

    private ClusterConfig config() {
        return ClusterConfig.builder()
                .clusterId("demo")
                .processIndex(process)
                .addresses(ports.stream()
                        .map(port -> new Endpoint(Ports.HOST, port))
                        .toList())
                .directory(directory == null ? null : new FileDirectory(directory))
                .workersPerProcess(options.workers())
                .generation(generation)
                .formationTimeout(DemoProcess.FORMATION_TIMEOUT)
                .heartbeatInterval(DemoOptions.HEARTBEAT_INTERVAL)
                .silenceTimeout(options.silenceTimeout())
                .frameLimit(FRAME_LIMIT)
                .sendRingLength(BUFFER_LENGTH)
                .slabLength(BUFFER_LENGTH)
                .build();
    }
}
