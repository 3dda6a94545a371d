package io.hawser.jmh.peers;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Worker;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Hawser with one worker in each process, every setting at its default. The worker both sends and takes what arrives, as an engine's would.
 *
 * <p><em>Threading:</em> as {@link Entrant}; the work is done by the worker's thread.
 */
final class HawserEntrant implements Entrant {
    private final HawserIdle idle;
    private final int channels;
    private final int perDataflow;
    private final UnaryOperator<ClusterConfigBuilder> settings;

    /**
     * Ours, in one of its variants.
     *
     * @param idle     how workers wait
     * @param channels how many channels the flood of small messages is spread over
     * @param settings what is not at its default
     */
    HawserEntrant(final HawserIdle idle, final int channels, final UnaryOperator<ClusterConfigBuilder> settings) {
        this(idle, channels, 0, settings);
    }

    /**
     * The same with each channel in a dataflow of its own.
     *
     * @param perDataflow how many channels each dataflow has open; 0 for channels of the cluster
     */
    HawserEntrant(
            final HawserIdle idle,
            final int channels,
            final int perDataflow,
            final UnaryOperator<ClusterConfigBuilder> settings) {
        this.idle = idle;
        this.channels = channels;
        this.perDataflow = perDataflow;
        this.settings = settings;
    }

    /** A setting: nothing bounds what is in flight. */
    static ClusterConfigBuilder unbounded(final ClusterConfigBuilder builder) {
        return builder.channelWindow(ClusterConfig.UNBOUNDED);
    }

    /** A setting: nobody sees to it that the payload of a frame is what was sent. */
    static ClusterConfigBuilder unchecked(final ClusterConfigBuilder builder) {
        return builder.payloadChecks(false);
    }

    /** A setting: no heartbeat falls into the measurement, and silence is not looked for. */
    static ClusterConfigBuilder unwatched(final ClusterConfigBuilder builder) {
        return builder.heartbeatInterval(Duration.ofMinutes(10)).silenceTimeout(Duration.ofMinutes(40));
    }

    /** A setting: the threads of the library and of the workers are virtual ones. */
    static ClusterConfigBuilder virtual(final ClusterConfigBuilder builder) {
        return builder.threadFactory(VirtualThreads.factory());
    }

    @Override
    public ResultLine play(final Part part, final Stage stage) throws Exception {
        stage.ready();
        if (part.role() == Role.NODE) {
            stage.awaitGo();
        }
        try (Cluster<ResultLine> cluster = Cluster.execute(config(part), worker -> work(part, worker))) {
            return cluster.join().values().get(0);
        }
    }

    private ResultLine work(final Part part, final Worker worker) {
        final HawserWork work = new HawserWork(part, worker, idle);
        final boolean isReceiver = part.role() == Role.RECEIVER;
        if (channels > 1) {
            final HawserChannels many = new HawserChannels(part, worker, idle, channels, perDataflow);
            return isReceiver ? many.receive() : many.flood();
        }
        return switch (part.workload()) {
            case W1, W2 -> isReceiver ? work.receive() : work.flood();
            case W3 -> isReceiver ? work.echo() : work.ping();
            case W4 -> isReceiver ? work.echo() : work.pace();
            case W5 -> work.mesh();
            case W6 -> isReceiver ? work.receiveAndEcho() : work.floodAndPing();
        };
    }

    private ClusterConfig config(final Part part) {
        return settings.apply(ClusterConfig.builder())
                .channelLimit(Math.max(2, channels * Math.max(1, perDataflow)))
                .clusterId("bench")
                .processIndex(part.index())
                .addresses(part.ports().stream()
                        .limit(part.workload().processCount())
                        .map(port -> Endpoint.parse(part.host() + ":" + port))
                        .toList())
                .build();
    }
}
