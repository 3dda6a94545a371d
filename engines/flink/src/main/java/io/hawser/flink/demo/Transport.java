package io.hawser.flink.demo;

import io.hawser.flink.HawserShuffleOptions;
import io.hawser.flink.HawserShuffleServiceFactory;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.runtime.shuffle.ShuffleServiceOptions;

/**
 * What a job's data travels on.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum Transport {
    /** Flink's own. */
    NETTY,
    /** Hawser. */
    HAWSER;

    /** {@return the configuration, with the one line that chooses it} */
    public Configuration in(final Configuration config) {
        if (this == HAWSER) {
            config.set(
                    ShuffleServiceOptions.SHUFFLE_SERVICE_FACTORY_CLASS, HawserShuffleServiceFactory.class.getName());
        }
        return config;
    }

    /**
     * Starts a small cluster in this process; several TaskManagers, so that what they exchange goes over sockets.
     *
     * @param taskManagers how many
     * @param slots        of each
     * @param more         settings
     * @return the cluster
     * @throws Exception if Flink cannot start it
     */
    public SmallCluster start(final int taskManagers, final int slots, final Configuration more) throws Exception {
        final Configuration config = new Configuration();
        config.set(RestOptions.BIND_PORT, "0");
        config.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
        config.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
        config.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
        config.set(JobManagerOptions.SCHEDULER, JobManagerOptions.SchedulerType.Default);
        config.set(HawserShuffleOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(500));
        config.set(HawserShuffleOptions.SILENCE_TIMEOUT, Duration.ofSeconds(10));
        config.addAll(more);
        in(config);
        final MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(config)
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(slots)
                .setRpcServiceSharing(RpcServiceSharing.SHARED)
                .build());
        cluster.start();
        return new SmallCluster(cluster);
    }
}
