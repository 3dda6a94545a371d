package io.hawser.flink;

import io.hawser.flink.demo.DegreeJob;
import io.hawser.flink.demo.SmallCluster;
import io.hawser.flink.demo.Transport;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs on a small cluster within this process: what is counted is exact, on Hawser as on Flink's own transport. */
class MiniClusterIT {
    private static final Map<Transport, SmallCluster> CLUSTERS = new EnumMap<>(Transport.class);

    @AfterAll
    static void closeClusters() {
        CLUSTERS.values().forEach(SmallCluster::close);
        CLUSTERS.clear();
    }

    private static SmallCluster cluster(final Transport transport) throws Exception {
        SmallCluster cluster = CLUSTERS.get(transport);
        if (cluster == null) {
            cluster = transport.start(2, 8, new Configuration());
            CLUSTERS.put(transport, cluster);
        }
        return cluster;
    }

    @ParameterizedTest
    @CsvSource({
        "NETTY, STREAMING, 4",
        "NETTY, BATCH, 4",
        "HAWSER, STREAMING, 1",
        "HAWSER, STREAMING, 4",
        "HAWSER, STREAMING, 16",
        "HAWSER, BATCH, 1",
        "HAWSER, BATCH, 4",
        "HAWSER, BATCH, 16",
    })
    void shouldCountExactly(final Transport transport, final RuntimeExecutionMode mode, final int parallelism)
            throws Exception {
        final DegreeJob job = new DegreeJob(2);
        final JobExecutionResult result = cluster(transport).run(job.graph(mode, parallelism, new Configuration()));
        System.out.println(transport + " " + mode + " parallelism=" + parallelism + ": "
                + result.getNetRuntime(TimeUnit.MILLISECONDS) + " ms");
        job.verify(result);
    }
}
