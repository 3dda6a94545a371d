package io.hawser.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.tools.ExitStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, for a moment. */
class BenchRunTest {
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureSmallMessagesOverRealProcesses() throws Exception {
        final Path json = directory.resolve("figures.json");
        final Path svg = directory.resolve("figures.svg");

        final int status = BenchMain.commandLine()
                .execute(
                        "W2",
                        "--rounds",
                        "1",
                        "--warm-ms",
                        "200",
                        "--measure-ms",
                        "200",
                        "--entrants",
                        "hawser,raw-nio",
                        "--json",
                        json.toString(),
                        "--svg",
                        svg.toString());

        assertThat(status).isEqualTo(ExitStatus.RIGHT);
        assertThat(Files.readString(json))
                .startsWith("[")
                .contains("\"workload\": \"W2\"", "\"entrant\": \"hawser\"", "\"entrant\": \"raw-nio\"")
                .contains("\"unit\": \"messages/s\"", "\"ratioToRawNio\": 1.0", "\"failures\": 0")
                .containsPattern("\"median\": [1-9]")
                .doesNotContain("\"median\": null");
        assertThat(Files.readString(svg)).contains("<svg", "hawser", "raw-nio");
    }
}
