package io.hawser.spill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void shouldSweepWhatGoneProcessesHaveLeftAndNothingElse() throws Exception {
        final Process child = ChildJava.start(directory, "-version");
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        final Path ended = file(new FileOwner(child.pid(), 1_000));
        final FileOwner self = FileOwner.SELF;
        final Path pidUsedAgain = file(new FileOwner(self.pid(), self.startMs() - 60_000));
        final Path living = file(self);
        final Path livingAtRoughlyThatTime = file(new FileOwner(self.pid(), self.startMs() + 900));
        final Path livingOfUnknownStart = file(new FileOwner(self.pid(), 0));
        final Path foreign = Files.createFile(directory.resolve("hawser-spill-notes.txt"));

        SpillDirectory.open(directory, "test");

        assertThat(ended).doesNotExist();
        assertThat(pidUsedAgain).doesNotExist();
        assertThat(living).exists();
        assertThat(livingAtRoughlyThatTime).exists();
        assertThat(livingOfUnknownStart).exists();
        assertThat(foreign).exists();
    }

    @Test
    void shouldFindTheOwnerInTheNameThatItWrote() {
        final FileOwner owner = new FileOwner(12, 345);
        assertThat(FileOwner.of(owner.fileName(6, "a-b.c_7-8"))).isEqualTo(owner);
        assertThat(FileOwner.of("hawser-spill-12-x-6-a")).isNull();
        assertThat(FileOwner.of("hawser-spill-99999999999999999999-1-6-a")).isNull();
    }

    @Test
    void shouldMakeNamesThatFitWhenTheStoreHasALongName() throws Exception {
        final SpillDirectory open = SpillDirectory.open(directory, "x/".repeat(500));
        assertThat(open.newFile().createNewFile()).isTrue();
        assertThat(open.newFile()).doesNotExist();
    }

    private Path file(final FileOwner owner) throws Exception {
        return Files.createFile(directory.resolve(owner.fileName(0, "test")));
    }
}
