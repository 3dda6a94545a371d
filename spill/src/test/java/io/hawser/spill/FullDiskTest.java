package io.hawser.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.SpillException;
import io.hawser.allocator.SpillStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is really full, for who may mount one; {@link MappedSpillQueueTest} has an injected one for everybody. */
@EnabledOnOs(OS.LINUX)
class FullDiskTest {
    private static final int DISK_LENGTH = 4 * 1024 * 1024;

    @TempDir
    Path directory;

    private Path disk;
    private boolean isMounted;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        isMounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_LENGTH, "tmpfs", disk.toString()) == 0;
        Assumptions.assumeTrue(isMounted, "may not mount");
    }

    @AfterEach
    void unmount() throws Exception {
        if (isMounted) {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static int run(final String... command) throws Exception {
        try {
            final Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } catch (final IOException notFound) {
            return -1;
        }
    }

    @Test
    void shouldRefuseWhenTheDiskIsFullAndGoOnWhenThereIsRoom() throws IOException {
        try (SpillStore store = new MappedSpillProvider().open(disk, "test", 1_000_000_000)) {
            final SpillStore.Queue queue = store.openQueue("channel=7");
            for (int round = 0; round < 3; round++) {
                final int appended = fill(queue);
                assertThat(appended * 1_000L).isBetween(DISK_LENGTH / 4L, (long) DISK_LENGTH);
                assertThat(disk).isEmptyDirectory();
                assertThat(Files.getFileStore(disk).getUsableSpace()).isEqualTo(DISK_LENGTH - store.usedBytes());
                for (int i = 0; i < appended; i++) {
                    Pieces.assertTaken(queue, i, 1_000);
                }
                assertThat(queue.isEmpty()).isTrue();
                assertThat(Files.getFileStore(disk).getUsableSpace()).isEqualTo(DISK_LENGTH - store.usedBytes());
            }
        }
        assertThat(Files.getFileStore(disk).getUsableSpace()).isEqualTo(DISK_LENGTH);
    }

    private static int fill(final SpillStore.Queue queue) {
        int appended = 0;
        try {
            while (true) {
                Pieces.append(queue, appended, 1_000);
                appended++;
            }
        } catch (final SpillException full) {
            assertThat(full)
                    .hasMessageContaining("no room on the disk")
                    .hasMessageContaining("queue=channel=7")
                    .hasCauseInstanceOf(IOException.class);
            assertThat(queue.pendingBytes()).isEqualTo(appended * 1_000L);
            return appended;
        }
    }
}
