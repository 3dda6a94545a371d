package io.hawser.flink;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

/**
 * What a Flink configuration may say about the shuffle over Hawser. Where the port is bound, and how long a consumer waits for a partition, is said by Flink's own options.
 *
 * <p><em>Threading:</em> immutable.
 */
public final class HawserShuffleOptions {
    /** A cluster that is meant to be another one must not be reached by mistake: links are refused between different ids. */
    public static final ConfigOption<String> CLUSTER_ID = ConfigOptions.key("hawser.shuffle.cluster-id")
            .stringType()
            .defaultValue("flink")
            .withDescription("TaskManagers exchange data with those of the same cluster id only.");

    /** How far apart heartbeats on a link are. */
    public static final ConfigOption<Duration> HEARTBEAT_INTERVAL = ConfigOptions.key(
                    "hawser.shuffle.heartbeat-interval")
            .durationType()
            .defaultValue(Duration.ofMillis(500))
            .withDescription("How often a TaskManager shows those that it exchanges data with that it is alive.");

    /** After how long without a byte a TaskManager is taken for lost. */
    public static final ConfigOption<Duration> SILENCE_TIMEOUT = ConfigOptions.key("hawser.shuffle.silence-timeout")
            .durationType()
            .defaultValue(Duration.ofSeconds(5))
            .withDescription(
                    "After how long without any sign of life another TaskManager is taken for lost, so that the tasks that exchange data"
                            + " with it fail. At least three heartbeat intervals, and longer than the longest pause for garbage collection"
                            + " that is to be borne. Must be the same on all TaskManagers.");

    /** How long a TaskManager that does not answer is dialled. */
    public static final ConfigOption<Duration> DIAL_TIME = ConfigOptions.key("hawser.shuffle.dial-time")
            .durationType()
            .defaultValue(Duration.ZERO)
            .withDescription(
                    "For how long another TaskManager is dialled again if it does not answer, before its partitions are"
                            + " taken for lost. 0: once, since it has listened from before the JobManager knew of it.");

    /** Whether payload carries a check. */
    public static final ConfigOption<Boolean> PAYLOAD_CHECKS = ConfigOptions.key("hawser.shuffle.payload-checks")
            .booleanType()
            .defaultValue(true)
            .withDescription("Whether data carries a CRC-32C of its own; off, only TCP's checksum guards it.");

    /** Threads that send. */
    public static final ConfigOption<Integer> THREADS = ConfigOptions.key("hawser.shuffle.threads")
            .intType()
            .defaultValue(0)
            .withDescription(
                    "Threads of a TaskManager that send; each link belongs to one of them. 0: half as many as it has"
                            + " slots or processors, whichever is less, and at least one.");

    /** Length of the ring of each link and direction. */
    public static final ConfigOption<MemorySize> SEND_RING = ConfigOptions.key("hawser.shuffle.send-ring")
            .memoryType()
            .defaultValue(MemorySize.ofMebiBytes(1))
            .withDescription(
                    "Length of the ring of each link in which data waits for the socket; rounded up to a power of two that holds"
                            + " two memory segments.");

    /** Channels of one link. */
    public static final ConfigOption<Integer> CHANNEL_LIMIT = ConfigOptions.key("hawser.shuffle.channel-limit")
            .intType()
            .defaultValue(16 * 1024)
            .withDescription("Channels that one TaskManager may read from another one at a time.");

    /** Links of one TaskManager. */
    public static final ConfigOption<Integer> LINK_LIMIT = ConfigOptions.key("hawser.shuffle.link-limit")
            .intType()
            .defaultValue(2 * 1024)
            .withDescription("Links that a TaskManager may have at a time, two for each other TaskManager.");

    /** Flink versions that this was not made for. */
    public static final ConfigOption<Boolean> ALLOW_OTHER_FLINK = ConfigOptions.key(
                    "hawser.shuffle.allow-other-flink-version")
            .booleanType()
            .defaultValue(false)
            .withDescription("Whether to start under a version of Flink that this module was not made for.");

    private HawserShuffleOptions() {}
}
