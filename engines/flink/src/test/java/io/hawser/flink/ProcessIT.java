package io.hawser.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.flink.demo.DegreeJob;
import io.hawser.flink.demo.Transport;
import io.hawser.testkit.ChildProcess;
import io.hawser.testkit.Nursery;
import io.hawser.testkit.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real processes that are killed and frozen: the job fails over in bounded time, and counts exactly. */
class ProcessIT {
    private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(2);

    /** Beyond what is detected: telling the JobManager, and its verdict. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    @RegisterExtension
    private final Nursery nursery = Nursery.forEachTest();

    @TempDir
    private Path directory;

    /** The first attempt is slow, so that there is time to break it. */
    private static void slowlyAtFirst(final int subtask, final int attempt, final long count)
            throws InterruptedException {
        if (attempt == 0 && count % 2 == 0) {
            Thread.sleep(1);
        }
    }

    /** SIGTERM, and Flink's own transport to compare with; {@code -Dhawser.soak=true} runs them. */
    @ParameterizedTest
    @CsvSource({"HAWSER, TERM, false", "NETTY, KILL, false"})
    @EnabledIfSystemProperty(named = "hawser.soak", matches = "true")
    void shouldFailOverOtherwise(final Transport transport, final Signal signal, final boolean isTimed)
            throws Exception {
        shouldFailOverInBoundedTime(transport, signal, isTimed);
    }

    @ParameterizedTest
    @CsvSource({"HAWSER, KILL, true", "HAWSER, STOP, true"})
    void shouldFailOverInBoundedTime(final Transport transport, final Signal signal, final boolean isTimed)
            throws Exception {
        final RealCluster cluster = new RealCluster(
                nursery,
                directory,
                transport,
                Map.of(
                        HawserShuffleOptions.HEARTBEAT_INTERVAL.key(),
                        "500 ms",
                        HawserShuffleOptions.SILENCE_TIMEOUT.key(),
                        SILENCE_TIMEOUT.toMillis() + " ms"));
        cluster.startTaskManager();
        cluster.startTaskManager();
        cluster.awaitTaskManager(1);
        cluster.awaitTaskManager(2);
        final DegreeJob job = new DegreeJob(1);
        final StreamExecutionEnvironment env = cluster.environment();
        job.build(env, RuntimeExecutionMode.STREAMING, 4, ProcessIT::slowlyAtFirst);
        final JobClient client = env.executeAsync();
        cluster.awaitJobManager(
                "all tasks running",
                lines -> lines.stream()
                                .filter(line -> line.contains("switched from INITIALIZING to RUNNING"))
                                .count()
                        >= 12);
        cluster.startTaskManager(); // the spare one
        cluster.awaitTaskManager(3);
        final ChildProcess victim = cluster.taskManager(1);
        final LocalTime at = LocalTime.now();
        victim.signal(signal);
        cluster.awaitJobManager(
                "the job starts again",
                lines -> RealCluster.timeOf(lines, at, "switched from state RUNNING to RESTARTING") != null);
        final LocalTime failed =
                RealCluster.timeOf(cluster.jobManager().errorLines(), at, "switched from state RUNNING to RESTARTING");
        final long failOverMs = ChronoUnit.MILLIS.between(at, failed);
        System.out.println(transport + " " + signal + ": fail-over after " + failOverMs + " ms");
        job.verify(client.getJobExecutionResult().get(120, TimeUnit.SECONDS));
        System.out.println(transport + " " + signal + ": finished after "
                + ChronoUnit.MILLIS.between(at, LocalTime.now()) + " ms");
        if (isTimed) {
            assertThat(failOverMs).isLessThan(SILENCE_TIMEOUT.plus(SLACK).toMillis());
            final String log = String.join("\n", cluster.jobManager().errorLines());
            assertThat(log).containsPattern("(Lost the|No) link to the TaskManager '[^']*\\[ tm2 ]'");
        }
    }
}
