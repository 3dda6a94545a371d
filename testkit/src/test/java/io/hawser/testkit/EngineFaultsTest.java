package io.hawser.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hawser.allocator.Outcomes;
import io.hawser.allocator.Worker;
import io.hawser.fate.CauseKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The example of the README, and that it stands there as it is compiled here. */
class EngineFaultsTest {
    @Test
    @HawserCluster(processes = 3, workers = 2, proxies = true)
    void shouldEndEverywhereWhenOneProcessIsCutOff(LoopbackCluster cluster) throws Exception {
        cluster.configure((settings, process) -> settings.silenceTimeout(Duration.ofSeconds(1)));
        LoopbackRun<Long> run =
                cluster.run(worker -> MyEngine.work(worker)); // returns once all have formed the cluster
        cluster.isolate(2); // or: cluster.lane(2, 0).cutAtFrame(FrameType.DATA, 5, Cut.RST)
        for (Outcomes<Long> outcomes : run.join(Duration.ofSeconds(20))) {
            assertEquals(CauseKind.PEER_SILENT, outcomes.cause().kind());
        }
        cluster.heal();
        assertEquals(
                6,
                cluster.run(worker -> MyEngine.sum(worker))
                        .values(Duration.ofSeconds(20))
                        .size());
    } // fails if a thread, a port or a connection of the cluster is left

    @Test
    void shouldStandInReadmeAsCompiled() throws IOException {
        final Path root = Path.of(System.getProperty("hawser.root"));
        final String readme = Files.readString(root.resolve("README.md"));
        final int start = readme.indexOf("    @Test\n    @HawserCluster(");
        final String example = readme.substring(start, readme.indexOf("}\n```", start));
        final String compiled = Files.readString(
                root.resolve("testkit/src/test/java/io/hawser/testkit").resolve("EngineFaultsTest.java"));
        assertThat(squeezed(compiled)).contains(squeezed(example));
        assertThat(example.lines()).hasSizeLessThanOrEqualTo(18);
    }

    /** Without the blanks and line breaks that a formatter may choose. */
    private static String squeezed(final String text) {
        return text.replaceAll("\\s+", "");
    }

    /** Stands for an engine. */
    private static final class MyEngine {
        static long work(final Worker worker) {
            return Work.forEver(worker);
        }

        static long sum(final Worker worker) {
            return Work.sum(worker);
        }
    }
}
