package io.hawser.flink;

import org.apache.flink.runtime.io.network.NetworkSequenceViewReader;
import org.apache.flink.runtime.io.network.partition.PartitionRequestListener;
import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionProvider;
import org.apache.flink.runtime.io.network.partition.consumer.InputChannelID;

/**
 * Waits for a partition that a consumer wants before its producer has registered it.
 *
 * <p><em>Threading:</em> called by any of Flink's threads, some under its locks: enqueues for the channel's agent, and nothing else.
 */
final class PartitionListener implements PartitionRequestListener {
    private final OutboundChannel channel;
    private final ResultPartitionID partition;
    private final ShuffleAgent agent;
    private final ResultPartitionProvider partitions;
    private final long createdMs = System.currentTimeMillis();

    /** Flink keeps listeners by this; the consumer's own id would serve as well, but need not travel. */
    private final InputChannelID id = new InputChannelID();

    PartitionListener(
            final OutboundChannel channel,
            final ResultPartitionID partition,
            final ShuffleAgent agent,
            final ResultPartitionProvider partitions) {
        this.channel = channel;
        this.partition = partition;
        this.agent = agent;
        this.partitions = partitions;
    }

    @Override
    public long getCreateTimestamp() {
        return createdMs;
    }

    @Override
    public ResultPartitionID getResultPartitionId() {
        return partition;
    }

    /** Only Flink's Netty server asks for it. */
    @Override
    public NetworkSequenceViewReader getViewReader() {
        return null;
    }

    @Override
    public InputChannelID getReceiverId() {
        return id;
    }

    @Override
    public void notifyPartitionCreated(final ResultPartition registered) {
        agent.execute(() -> channel.onRegistered(registered));
    }

    @Override
    public void notifyPartitionCreatedTimeout() {
        agent.execute(channel::onNotRegistered);
    }

    @Override
    public void releaseListener() {
        partitions.releasePartitionRequestListener(this);
    }
}
