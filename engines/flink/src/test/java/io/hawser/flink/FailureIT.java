package io.hawser.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.flink.demo.DegreeJob;
import io.hawser.flink.demo.SmallCluster;
import io.hawser.flink.demo.Transport;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.util.ExceptionUtils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What ends badly, or early: cancelled and failing jobs, restarts, checkpoints, TaskManagers that leave. */
class FailureIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Edges that a task has counted, for jobs of this process; told by hooks. */
    private static final AtomicLong COUNTED = new AtomicLong();

    @BeforeEach
    void startAtNothing() {
        COUNTED.set(0);
    }

    /** Fails once, in the first attempt. */
    private static void failOnce(final int subtask, final int attempt, final long count) {
        COUNTED.incrementAndGet();
        if (subtask == 1 && attempt == 0 && count == 20_000) {
            throw new IllegalStateException("planned: subtask=" + subtask + " attempt=" + attempt);
        }
    }

    private static void count(final int subtask, final int attempt, final long count) {
        COUNTED.incrementAndGet();
    }

    private static void slowly(final int subtask, final int attempt, final long count) throws InterruptedException {
        COUNTED.incrementAndGet();
        if (attempt == 0) { // which is the one that loses a TaskManager
            Thread.sleep(1);
        }
    }

    private static Configuration restarting(final int attempts) {
        final Configuration config = new Configuration();
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, attempts);
        config.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        return config;
    }

    @ParameterizedTest
    @EnumSource(
            value = RuntimeExecutionMode.class,
            names = {"STREAMING", "BATCH"})
    void shouldCountExactlyWhenATaskFailsAndTheJobStartsAgain(final RuntimeExecutionMode mode) throws Exception {
        final DegreeJob job = new DegreeJob(1);
        try (SmallCluster cluster = Transport.HAWSER.start(2, 2, new Configuration())) {
            final JobExecutionResult result = cluster.run(job.graph(mode, 4, restarting(3), FailureIT::failOnce));
            job.verify(result);
        }
    }

    @Test
    void shouldTellTheUsersExceptionAndTheProducersWhenATaskFailsForGood() throws Exception {
        final LogCapture log = LogCapture.start();
        try (log;
                SmallCluster cluster = Transport.HAWSER.start(2, 2, new Configuration())) {
            final JobGraph graph =
                    new DegreeJob(1).graph(RuntimeExecutionMode.STREAMING, 4, restarting(0), FailureIT::failOnce);
            assertThatThrownBy(() -> cluster.run(graph))
                    .satisfies(thrown -> assertThat(ExceptionUtils.stringifyException(thrown))
                            .contains("planned: subtask=1"));
            await(() -> log.text().contains("given up by consumers that failed"));
        }
    }

    @Test
    void shouldCancelQuietlyAndLeaveTheClusterUsable() throws Exception {
        final LogCapture log = LogCapture.start();
        try (log;
                SmallCluster cluster = Transport.HAWSER.start(2, 2, new Configuration())) {
            final JobGraph endless =
                    new DegreeJob(1_000).graph(RuntimeExecutionMode.STREAMING, 4, restarting(0), FailureIT::count);
            final JobID id = endless.getJobID();
            cluster.flink().submitJob(endless).get(30, TimeUnit.SECONDS);
            await(() -> COUNTED.get() > 100_000);
            cluster.flink().cancelJob(id).get(30, TimeUnit.SECONDS);
            await(() -> cluster.flink().getJobStatus(id).get() == JobStatus.CANCELED);
            final DegreeJob next = new DegreeJob(1);
            next.verify(cluster.run(next.graph(RuntimeExecutionMode.STREAMING, 4, restarting(0))));
        }
        assertThat(log.linesOf("WARN", "ERROR")).isEmpty();
        assertThat(log.text()).contains("cancelled by their consumers");
    }

    @Test
    void shouldGoOnOnTheOthersWhenATaskManagerLeaves() throws Exception {
        final DegreeJob job = new DegreeJob(2);
        final Configuration config = restarting(20);
        final Configuration spread = new Configuration();
        spread.set(
                TaskManagerOptions.TASK_MANAGER_LOAD_BALANCE_MODE,
                TaskManagerOptions.TaskManagerLoadBalanceMode
                        .SLOTS); // or the one that leaves might do nothing of the job
        try (SmallCluster cluster = Transport.HAWSER.start(3, 2, spread)) {
            await(() -> cluster.flink().requestClusterOverview().get().getNumTaskManagersConnected() == 3);
            final JobGraph graph = job.graph(RuntimeExecutionMode.STREAMING, 4, config, FailureIT::slowly);
            final JobID id = graph.getJobID();
            cluster.flink().submitJob(graph).get(30, TimeUnit.SECONDS);
            await(() -> COUNTED.get() > 2_000);
            cluster.flink().terminateTaskManager(0).get(30, TimeUnit.SECONDS);
            final JobExecutionResult result = cluster.flink()
                    .requestJobResult(id)
                    .get(120, TimeUnit.SECONDS)
                    .toJobExecutionResult(getClass().getClassLoader());
            job.verify(result);
        }
    }

    @ParameterizedTest
    @EnumSource(Checkpoints.class)
    void shouldCountExactlyWhenAJobStartsAgainFromACheckpoint(final Checkpoints checkpoints) throws Exception {
        final Configuration config = restarting(3);
        config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        config.set(CheckpointingOptions.ENABLE_UNALIGNED, checkpoints == Checkpoints.UNALIGNED);
        final CheckpointedJob job = new CheckpointedJob(2_000_000);
        try (SmallCluster cluster = Transport.HAWSER.start(2, 2, new Configuration())) {
            job.verify(cluster.run(job.graph(4, config)));
        }
    }

    enum Checkpoints {
        ALIGNED,
        UNALIGNED
    }

    private static void await(final java.util.concurrent.Callable<Boolean> condition) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
    }
}
