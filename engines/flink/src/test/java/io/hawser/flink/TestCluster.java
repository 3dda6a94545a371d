package io.hawser.flink;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;

/** A small cluster within this process, for one test. */
final class TestCluster implements AutoCloseable {
    private final MiniCluster cluster;

    TestCluster(final MiniCluster cluster) {
        this.cluster = cluster;
    }

    MiniCluster flink() {
        return cluster;
    }

    JobExecutionResult run(final JobGraph graph) throws Exception {
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
