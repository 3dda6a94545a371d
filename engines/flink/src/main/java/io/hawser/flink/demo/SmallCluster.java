package io.hawser.flink.demo;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;

/**
 * A small cluster within this process, for a test or a measurement.
 *
 * <p><em>Threading:</em> as Flink's MiniCluster.
 */
public final class SmallCluster implements AutoCloseable {
    private final MiniCluster cluster;

    SmallCluster(final MiniCluster cluster) {
        this.cluster = cluster;
    }

    /** {@return Flink's own handle of it} */
    public MiniCluster flink() {
        return cluster;
    }

    /**
     * Runs a job to its end.
     *
     * @param graph the job
     * @return what it has counted
     * @throws Exception if it fails
     */
    public JobExecutionResult run(final JobGraph graph) throws Exception {
        return cluster.executeJobBlocking(graph);
    }

    @Override
    public void close() {
        try {
            cluster.close();
        } catch (final Exception e) {
            throw new IllegalStateException("the cluster could not be closed", e);
        }
    }
}
