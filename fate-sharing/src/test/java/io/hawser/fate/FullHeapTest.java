package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Laws L2 and L3, case 65: the very first loss in a JVM works when the heap is full and stays full. */
class FullHeapTest {
    private static final long DEADLINE_S = 60;

    @Test
    void shouldWakeEverybodyWithTheCauseWhenTheHeapIsFull(@TempDir Path directory)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullHeapMain.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readString(output, StandardCharsets.UTF_8))
                .contains("lost=true awake=4: process 0 lost a transport thread: in the thread that hoards"
                        + " (java.lang.OutOfMemoryError: Java heap space)");
    }
}
