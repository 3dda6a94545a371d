package io.hawser.flink;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.deployment.InputGateDeploymentDescriptor;
import org.apache.flink.runtime.deployment.ResultPartitionDeploymentDescriptor;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.executiongraph.PartitionInfo;
import org.apache.flink.runtime.io.network.partition.PartitionProducerStateProvider;
import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGate;
import org.apache.flink.runtime.shuffle.ShuffleEnvironment;
import org.apache.flink.runtime.shuffle.ShuffleIOOwnerContext;
import org.apache.flink.runtime.shuffle.ShuffleMetrics;

/**
 * Flink's own environment, which does all the work, and beside it a note of which task reads from which gate.
 *
 * <p><em>Threading:</em> as Flink's.
 */
final class HawserShuffleEnvironment implements ShuffleEnvironment<ResultPartition, SingleInputGate> {
    private final ShuffleEnvironment<ResultPartition, SingleInputGate> flink;
    private final ConsumerTasks tasks;

    HawserShuffleEnvironment(
            final ShuffleEnvironment<ResultPartition, SingleInputGate> flink, final ConsumerTasks tasks) {
        this.flink = flink;
        this.tasks = tasks;
    }

    @Override
    public int start() throws IOException {
        return flink.start();
    }

    @Override
    public ShuffleIOOwnerContext createShuffleIOOwnerContext(
            final String ownerName, final ExecutionAttemptID attempt, final MetricGroup parent) {
        return flink.createShuffleIOOwnerContext(ownerName, attempt, parent);
    }

    @Override
    public List<ResultPartition> createResultPartitionWriters(
            final ShuffleIOOwnerContext owner, final List<ResultPartitionDeploymentDescriptor> descriptors) {
        return flink.createResultPartitionWriters(owner, descriptors);
    }

    @Override
    public void releasePartitionsLocally(final Collection<ResultPartitionID> partitions) {
        flink.releasePartitionsLocally(partitions);
    }

    @Override
    public Collection<ResultPartitionID> getPartitionsOccupyingLocalResources() {
        return flink.getPartitionsOccupyingLocalResources();
    }

    @Override
    public Optional<ShuffleMetrics> getMetricsIfPartitionOccupyingLocalResource(final ResultPartitionID partition) {
        return flink.getMetricsIfPartitionOccupyingLocalResource(partition);
    }

    @Override
    public List<SingleInputGate> createInputGates(
            final ShuffleIOOwnerContext owner,
            final PartitionProducerStateProvider producers,
            final List<InputGateDeploymentDescriptor> descriptors) {
        final List<SingleInputGate> gates = flink.createInputGates(owner, producers, descriptors);
        tasks.add(gates, producers);
        return gates;
    }

    @Override
    public boolean updatePartitionInfo(final ExecutionAttemptID consumer, final PartitionInfo info)
            throws IOException, InterruptedException {
        return flink.updatePartitionInfo(consumer, info);
    }

    @Override
    public void close() throws IOException {
        try {
            flink.close();
        } catch (final InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the shuffle was closed", interrupted);
        } catch (final Exception failed) {
            throw new IOException("the shuffle could not be closed", failed);
        }
    }
}
