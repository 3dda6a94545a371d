package io.hawser.flink;

import io.hawser.flink.demo.DegreeJob;

import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs on a small cluster within this process: what is counted is exact, on Hawser as on Flink's own transport. */
class MiniClusterIT {
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
        try (TestCluster cluster = transport.start(2, Math.max(1, parallelism / 2), new Configuration())) {
            final JobExecutionResult result = cluster.run(job.graph(mode, parallelism, new Configuration()));
            System.out.println(transport + " " + mode + " p=" + parallelism + ": "
                    + result.getNetRuntime(TimeUnit.MILLISECONDS) + " ms");
            job.verify(result);
        }
    }
}
