package io.hawser.tools;

import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Endpoint;
import io.hawser.transport.FormationException;
import java.io.IOException;
import java.time.Duration;
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
    /** As long as a new JVM may take to load its portion on a machine that is busy. */
    private static final Duration FORMATION_TIMEOUT = Duration.ofSeconds(60);

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

    @Override
    public Integer call() {
        StandardInput.endWithIt();
        final DemoEvents events = DemoEvents.onStandardOutput(process);
        try {
            new DemoProcess(options, config(), events).run();
            return ExitStatus.RIGHT;
        } catch (final FormationException e) {
            events.formationFailed(e.getMessage());
            return ExitStatus.NOT_FORMED;
        } catch (final IOException | InterruptedException | RuntimeException e) {
            events.failed(e);
            return ExitStatus.WRONG;
        }
    }

    private ClusterConfig config() {
        return ClusterConfig.builder()
                .clusterId("demo")
                .processIndex(process)
                .addresses(ports.stream()
                        .map(port -> new Endpoint(Ports.HOST, port))
                        .toList())
                .workersPerProcess(options.workers())
                .generation(generation)
                .formationTimeout(FORMATION_TIMEOUT)
                .heartbeatInterval(DemoOptions.HEARTBEAT_INTERVAL)
                .silenceTimeout(options.silenceTimeout())
                .frameLimit(FRAME_LIMIT)
                .sendRingLength(BUFFER_LENGTH)
                .slabLength(BUFFER_LENGTH)
                .build();
    }
}
