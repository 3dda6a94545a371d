package io.hawser.spill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.SpillStore;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the files of a process that ends without a word, and of a process without flags. */
@Timeout(60)
class SpillProcessTest {
    @TempDir
    Path directory;

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldLeaveNothingWhenTheProcessIsKilled() throws Exception {
        final Path spill = Files.createDirectory(directory.resolve("spill"));
        final Process child = start(ChildJava.flags(), spill);
        try (BufferedReader output = child.inputReader(UTF_8)) {
            assertThat(output.lines().filter(line -> line.startsWith("SPILLED")).findFirst())
                    .contains("SPILLED used=" + (31 * MappedSpillQueue.FIRST_LENGTH)); // 1 + 2 + 4 + 8 + 16
        } finally {
            child.destroyForcibly();
        }
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(spill).isEmptyDirectory();
    }

    @Test
    void shouldGiveTheFlagsInOneLineWhenTheyAreMissing() throws Exception {
        final List<String> agronaOnly = ChildJava.flags().stream()
                .filter(flag -> flag.contains("jdk.internal.misc"))
                .toList();
        final Process child = start(agronaOnly, directory.resolve("spill"));
        final String output = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isEqualTo(1);
        assertThat(output)
                .contains("IllegalStateException: Chronicle may not use what it needs of the JDK: add"
                        + " --add-exports java.base/jdk.internal.ref=ALL-UNNAMED"
                        + " --add-exports java.base/sun.nio.ch=ALL-UNNAMED"
                        + " --add-opens java.base/java.lang.reflect=ALL-UNNAMED to the java command line");
        assertThat(directory.resolve("spill")).doesNotExist();
    }

    private Process start(final List<String> flags, final Path spill) throws Exception {
        final List<String> arguments = new ArrayList<>(flags);
        arguments.add(Spiller.class.getName());
        arguments.add(spill.toString());
        return ChildJava.start(directory, arguments.toArray(String[]::new));
    }

    /** Spills 5 MB, says so, and waits to be killed. */
    static final class Spiller {
        private Spiller() {}

        public static void main(final String[] arguments) throws Exception {
            final SpillStore store = new MappedSpillProvider().open(Path.of(arguments[0]), "child", 100_000_000);
            final SpillStore.Queue queue = store.openQueue("queue");
            final UnsafeBuffer source = new UnsafeBuffer(new byte[1_000]);
            for (int i = 0; i < 5_000; i++) {
                queue.append(i, source, 0, source.capacity());
            }
            System.out.println("SPILLED used=" + store.usedBytes());
            Thread.sleep(TimeUnit.MINUTES.toMillis(1));
        }
    }
}
