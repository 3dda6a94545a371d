package io.hawser.flink;

import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Endpoint;
import io.hawser.transport.LinkConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.util.PortRange;

/**
 * Flink's configuration as this module needs it, checked.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param config        what the configuration says
 * @param resourceId    of this TaskManager
 * @param bindHost      where to listen
 * @param segmentLength of Flink's buffers, bytes
 * @param slots         of this TaskManager
 * @param isReusing     whether links that nobody needs are kept
 */
record ShuffleSettings(
        Configuration config, ResourceID resourceId, String bindHost, int segmentLength, int slots, boolean isReusing) {
    /** A record, a frame and what alignment takes, with room to spare. */
    private static final int OVERHEAD = 1024;

    private static final int FRAMES_PER_RING = 2;
    private static final int WINDOW_FRAMES = 4;
    private static final int FRAME_LENGTH_MIN = 64 * 1024;
    private static final int FRAME_LENGTH_MAX = 16 * 1024 * 1024;
    private static final int NAME_LENGTH_MAX = 128;
    private static final Duration FORMATION_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration ABORT_TIMEOUT_MAX = Duration.ofMillis(300);

    ShuffleSettings {
        if (config.get(NettyShuffleEnvironmentOptions.DATA_SSL_ENABLED)
                && SecurityOptions.isInternalSSLEnabled(config)) {
            throw new IllegalArgumentException("the shuffle over Hawser has no TLS yet: "
                    + SecurityOptions.SSL_INTERNAL_ENABLED.key() + "=true "
                    + NettyShuffleEnvironmentOptions.DATA_SSL_ENABLED.key() + "=true");
        }
        if (frameLength(segmentLength) > FRAME_LENGTH_MAX) {
            throw new IllegalArgumentException("memory segments are too large for the shuffle over Hawser, which takes "
                    + (FRAME_LENGTH_MAX - OVERHEAD) + " bytes: " + TaskManagerOptions.MEMORY_SEGMENT_SIZE.key() + "="
                    + segmentLength);
        }
    }

    /** {@return the settings of the links} */
    LinkConfig links(final int port) {
        final int placeholder = Math.max(1, port);
        final int frameLength = frameLength(segmentLength);
        final int ringLength = ringLength(frameLength);
        final Duration silenceTimeout = config.get(HawserShuffleOptions.SILENCE_TIMEOUT);
        final ClusterConfig settings = ClusterConfig.builder()
                .clusterId(config.get(HawserShuffleOptions.CLUSTER_ID))
                .addresses(List.of(new Endpoint(advertisedHost(), placeholder)))
                .bindAddress(new Endpoint(bindHost, placeholder))
                .workersPerProcess(1)
                .heartbeatInterval(config.get(HawserShuffleOptions.HEARTBEAT_INTERVAL))
                .silenceTimeout(silenceTimeout)
                .abortTimeout(Collections.min(List.of(ABORT_TIMEOUT_MAX, silenceTimeout)))
                .formationTimeout(FORMATION_TIMEOUT)
                .payloadChecks(config.get(HawserShuffleOptions.PAYLOAD_CHECKS))
                .frameLimit(frameLength)
                .assemblyLimit(frameLength)
                .messageLimit(frameLength)
                .sendRingLength(ringLength)
                .slabLength(Math.max(ringLength, FRAMES_PER_RING * frameLength))
                .channelWindow((long) WINDOW_FRAMES * frameLength)
                .channelWindowMax((long) WINDOW_FRAMES * frameLength)
                .channelLimit(config.get(HawserShuffleOptions.CHANNEL_LIMIT))
                .floatingWindow(0)
                .build();
        final LinkConfig links = LinkConfig.of(linkName(resourceId), settings)
                .withLinkLimit(config.get(HawserShuffleOptions.LINK_LIMIT));
        return port == 0 ? links.atAnyPort() : links;
    }

    /** What others see in messages; they dial what the JobManager tells them. */
    private String advertisedHost() {
        return isWildcard(bindHost)
                ? config.getOptional(TaskManagerOptions.HOST).orElse("localhost")
                : bindHost;
    }

    private static boolean isWildcard(final String host) {
        return host.equals("0.0.0.0") || host.matches("[0:]+");
    }

    /** {@return how a TaskManager is called among the links: its resource id, cut if it is very long} */
    static String linkName(final ResourceID id) {
        final String text = id.getResourceIdString().replaceAll("\\p{Cntrl}", "?");
        return text.getBytes(StandardCharsets.UTF_8).length <= NAME_LENGTH_MAX
                ? text
                : text.codePoints()
                                .limit(NAME_LENGTH_MAX / 8)
                                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        + "…" + Integer.toHexString(text.hashCode());
    }

    /** {@return ports to try, in that order; 0 is any that is free} */
    Iterator<Integer> ports() {
        return new PortRange(portRange()).getPortsIterator();
    }

    /** {@return the ports, as the configuration says} */
    String portRange() {
        return config.getOptional(NettyShuffleEnvironmentOptions.DATA_BIND_PORT)
                .orElse(String.valueOf(config.get(NettyShuffleEnvironmentOptions.DATA_PORT)));
    }

    /** {@return how long attempts to dial are begun} */
    Duration dialTime() {
        return config.get(HawserShuffleOptions.DIAL_TIME);
    }

    /** {@return threads that send} */
    int threads() {
        final int asked = config.get(HawserShuffleOptions.THREADS);
        return asked > 0
                ? asked
                : Math.max(1, Math.min(slots, Runtime.getRuntime().availableProcessors()) / 2);
    }

    /** The longest frame: one that holds a segment, and its record. */
    static int frameLength(final int segmentLength) {
        final int length = Math.min(segmentLength, FRAME_LENGTH_MAX) + OVERHEAD;
        return Math.max(FRAME_LENGTH_MIN, FrameHeaderFlyweight.alignedLength(length));
    }

    private int ringLength(final int frameLength) {
        final long asked =
                Math.max(config.get(HawserShuffleOptions.SEND_RING).getBytes(), (long) FRAMES_PER_RING * frameLength);
        return Integer.highestOneBit((int) Math.min(asked, 1 << 30) - 1) << 1;
    }

    /** {@return what this module makes of the configuration, without what else stands there} */
    @Override
    public String toString() {
        return "resourceId=" + resourceId + " segmentLength=" + segmentLength + " slots=" + slots + " isReusing="
                + isReusing + " heartbeatInterval=" + config.get(HawserShuffleOptions.HEARTBEAT_INTERVAL)
                + " silenceTimeout=" + config.get(HawserShuffleOptions.SILENCE_TIMEOUT);
    }
}
