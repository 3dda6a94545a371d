package io.hawser.flink;

import io.hawser.flink.demo.DegreeJob;
import io.hawser.flink.demo.SmallCluster;
import io.hawser.flink.demo.Transport;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way in which Flink hands buffers over: whole, in parts, from files, compressed or not, of several subpartitions, of hybrid shuffles, small and large. */
class ShuffleKindsIT {
    private static final int PARALLELISM = 4;
    private static final int AS_FLINK_CHOOSES = -1;

    enum Kind {
        PIPELINED_BATCH(
                RuntimeExecutionMode.BATCH, PARALLELISM, "execution.batch-shuffle-mode", "ALL_EXCHANGES_PIPELINED"),
        NOT_COMPRESSED(RuntimeExecutionMode.BATCH, PARALLELISM, "taskmanager.network.compression.codec", "NONE"),
        ADAPTIVE(
                RuntimeExecutionMode.BATCH,
                AS_FLINK_CHOOSES,
                "jobmanager.scheduler",
                "AdaptiveBatch",
                "execution.batch.adaptive.auto-parallelism.max-parallelism",
                "7",
                "execution.batch.adaptive.auto-parallelism.avg-data-volume-per-task",
                "2 mb"),
        HYBRID_FULL(
                RuntimeExecutionMode.BATCH,
                PARALLELISM,
                "jobmanager.scheduler",
                "AdaptiveBatch",
                "execution.batch-shuffle-mode",
                "ALL_EXCHANGES_HYBRID_FULL"),
        HYBRID_SELECTIVE(
                RuntimeExecutionMode.BATCH,
                PARALLELISM,
                "jobmanager.scheduler",
                "AdaptiveBatch",
                "execution.batch-shuffle-mode",
                "ALL_EXCHANGES_HYBRID_SELECTIVE"),
        SMALL_SEGMENTS(RuntimeExecutionMode.STREAMING, PARALLELISM, "taskmanager.memory.segment-size", "4 kb"),
        LARGE_SEGMENTS(RuntimeExecutionMode.STREAMING, PARALLELISM, "taskmanager.memory.segment-size", "1 mb"),
        DEBLOATED(
                RuntimeExecutionMode.STREAMING,
                PARALLELISM,
                "taskmanager.network.memory.buffer-debloat.enabled",
                "true",
                "taskmanager.network.memory.buffer-debloat.period",
                "50 ms"),
        LINKS_NOT_KEPT(
                RuntimeExecutionMode.STREAMING,
                PARALLELISM,
                "taskmanager.network.tcp-connection.enable-reuse-across-jobs",
                "false"),
        NO_EXCLUSIVE_BUFFERS(
                RuntimeExecutionMode.STREAMING,
                PARALLELISM,
                "taskmanager.network.memory.read-buffer.required-per-gate.max",
                "1"),
        MANY_THREADS(
                RuntimeExecutionMode.STREAMING,
                PARALLELISM,
                "hawser.shuffle.threads",
                "3",
                "hawser.shuffle.payload-checks",
                "false");

        private final RuntimeExecutionMode mode;
        private final int parallelism;
        private final Map<String, String> settings = new HashMap<>();

        Kind(final RuntimeExecutionMode mode, final int parallelism, final String... settings) {
            this.mode = mode;
            this.parallelism = parallelism;
            for (int i = 0; i < settings.length; i += 2) {
                this.settings.put(settings[i], settings[i + 1]);
            }
        }
    }

    /** Each starts a cluster of its own, so that only those that differ most run every time; {@code -Dhawser.soak=true} runs all. */
    private static Stream<Kind> kinds() {
        return Boolean.getBoolean("hawser.soak")
                ? Stream.of(Kind.values())
                : Stream.of(Kind.PIPELINED_BATCH, Kind.ADAPTIVE, Kind.LARGE_SEGMENTS, Kind.NO_EXCLUSIVE_BUFFERS);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldCountExactly(final Kind kind) throws Exception {
        final Configuration config = Configuration.fromMap(kind.settings);
        final DegreeJob job = new DegreeJob(1);
        try (SmallCluster cluster = Transport.HAWSER.start(2, 4, config)) {
            final URI rest = cluster.flink().getRestAddress().get();
            final StreamExecutionEnvironment env =
                    StreamExecutionEnvironment.createRemoteEnvironment(rest.getHost(), rest.getPort(), config);
            job.build(env, kind.mode, kind.parallelism, (subtask, attempt, count) -> {});
            job.verify(env.execute());
        }
    }
}
