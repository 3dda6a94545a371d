package io.hawser.jmh.peers;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.Worker;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;

/**
 * Hawser with one worker in each process, every setting at its default. The worker both sends and takes what arrives, as an engine's would.
 *
 * <p><em>Threading:</em> as {@link Entrant}; the work is done by the worker's thread.
 */
final class HawserEntrant implements Entrant {
    private final HawserIdle idle;
    private final boolean isCredited;
    private final int channels;
    private final int perDataflow;

    /**
     * Ours, in one of its variants.
     *
     * @param idle       how workers wait
     * @param isCredited whether what may be in flight is bounded
     * @param channels   how many channels the flood of small messages is spread over
     */
    HawserEntrant(final HawserIdle idle, final boolean isCredited, final int channels) {
        this(idle, isCredited, channels, 0);
    }

    /**
     * The same with each channel in a dataflow of its own.
     *
     * @param perDataflow how many channels each dataflow has open; 0 for channels of the cluster
     */
    HawserEntrant(final HawserIdle idle, final boolean isCredited, final int channels, final int perDataflow) {
        this.perDataflow = perDataflow;
        this.channels = channels;
        this.idle = idle;
        this.isCredited = isCredited;
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
        final ClusterConfigBuilder builder =
                ClusterConfig.builder().channelLimit(Math.max(2, channels * Math.max(1, perDataflow)));
        if (!isCredited) {
            builder.channelWindow(ClusterConfig.UNBOUNDED);
        }
        return builder.clusterId("bench")
                .processIndex(part.index())
                .addresses(part.ports().stream()
                        .limit(part.workload().processCount())
                        .map(port -> Endpoint.parse(part.host() + ":" + port))
                        .toList())
                .build();
    }
}
