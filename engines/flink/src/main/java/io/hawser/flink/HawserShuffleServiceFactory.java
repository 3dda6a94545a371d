package io.hawser.flink;

import org.apache.flink.runtime.io.network.ConnectionManager;
import org.apache.flink.runtime.io.network.LocalConnectionManager;
import org.apache.flink.runtime.io.network.NettyShuffleServiceFactory;
import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.ResultPartitionManager;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGate;
import org.apache.flink.runtime.shuffle.NettyShuffleDescriptor;
import org.apache.flink.runtime.shuffle.NettyShuffleMaster;
import org.apache.flink.runtime.shuffle.ShuffleEnvironment;
import org.apache.flink.runtime.shuffle.ShuffleEnvironmentContext;
import org.apache.flink.runtime.shuffle.ShuffleMaster;
import org.apache.flink.runtime.shuffle.ShuffleMasterContext;
import org.apache.flink.runtime.shuffle.ShuffleServiceFactory;
import org.apache.flink.runtime.taskmanager.NettyShuffleEnvironmentConfiguration;

/**
 * Makes Flink's shuffle run over Hawser. In Flink's configuration, for JobManager and TaskManagers alike, with the jars of {@code hawser-flink} and what it needs in {@code lib/}:
 *
 * <pre>{@code
 * shuffle-service-factory.class: io.hawser.flink.HawserShuffleServiceFactory
 * }</pre>
 *
 * <p><em>Threading:</em> as Flink calls it: once for each process, while that starts.
 */
public final class HawserShuffleServiceFactory
        implements ShuffleServiceFactory<NettyShuffleDescriptor, ResultPartition, SingleInputGate> {
    /** For Flink, which makes one by reflection. */
    public HawserShuffleServiceFactory() {}

    /**
     * The JobManager's half, which is Flink's own.
     *
     * @param context Flink's
     * @return Flink's own master
     * @throws IllegalStateException if this is not the Flink that this module was made for
     */
    @Override
    public ShuffleMaster<NettyShuffleDescriptor> createShuffleMaster(final ShuffleMasterContext context) {
        FlinkVersion.check(context.getConfiguration());
        return new NettyShuffleMaster(context);
    }

    /**
     * A TaskManager's half: Flink's own environment, with links of Hawser in place of Netty's connections.
     *
     * @param context Flink's
     * @return the environment, not started
     * @throws IllegalStateException    if this is not the Flink that this module was made for
     * @throws IllegalArgumentException if the configuration asks for what is not possible
     */
    @Override
    public ShuffleEnvironment<ResultPartition, SingleInputGate> createShuffleEnvironment(
            final ShuffleEnvironmentContext context) {
        FlinkVersion.check(context.getConfiguration());
        final NettyShuffleEnvironmentConfiguration network = NettyShuffleEnvironmentConfiguration.fromConfiguration(
                context.getConfiguration(),
                context.getNetworkMemorySize(),
                context.isLocalCommunicationOnly(),
                context.getHostAddress());
        final ResultPartitionManager partitions = new ResultPartitionManager(
                network.getPartitionRequestListenerTimeout(), context.getScheduledExecutor());
        final ConsumerTasks tasks = new ConsumerTasks();
        return new HawserShuffleEnvironment(
                NettyShuffleServiceFactory.createNettyShuffleEnvironment(
                        network,
                        context.getTaskExecutorResourceId(),
                        context.getEventPublisher(),
                        partitions,
                        connections(context, network, partitions, tasks),
                        context.getParentMetricGroup(),
                        context.getIoExecutor(),
                        context.getNumberOfSlots(),
                        context.getTmpDirPaths()),
                tasks);
    }

    private static ConnectionManager connections(
            final ShuffleEnvironmentContext context,
            final NettyShuffleEnvironmentConfiguration network,
            final ResultPartitionManager partitions,
            final ConsumerTasks tasks) {
        if (context.isLocalCommunicationOnly()) {
            return new LocalConnectionManager();
        }
        final ShuffleSettings settings = new ShuffleSettings(
                context.getConfiguration(),
                context.getTaskExecutorResourceId(),
                context.getHostAddress().getHostAddress(),
                network.networkBufferSize(),
                context.getNumberOfSlots(),
                network.isConnectionReuseEnabled());
        return new HawserConnections(
                settings,
                partitions,
                context.getEventPublisher(),
                tasks,
                ShuffleCounters.in(context.getParentMetricGroup()));
    }
}
