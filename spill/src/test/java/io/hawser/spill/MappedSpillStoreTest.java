package io.hawser.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.allocator.SpillException;
import io.hawser.allocator.SpillStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedSpillStoreTest {
    private static final long MIB = 1024 * 1024;
    private static final long DEADLINE_S = 30;

    @TempDir
    Path directory;

    private SpillStore open(final Path path, final long limit) {
        return new MappedSpillProvider().open(path, "cluster/1 of 2", limit);
    }

    @Test
    void shouldBeFoundAsAService() {
        assertThat(ServiceLoader.load(SpillStore.Provider.class))
                .singleElement()
                .isInstanceOf(MappedSpillProvider.class);
    }

    @Test
    void shouldLeaveNeitherFileNorDirectoryWhenClosedTwice() {
        final Path made = directory.resolve("a/b");
        final SpillStore store = open(made, 16 * MIB);
        for (int i = 0; i < 5; i++) {
            Pieces.append(store.openQueue("queue=" + i), i, 300_000);
        }
        store.close();
        store.close();
        assertThat(store.usedBytes()).isZero();
        assertThat(store.limit()).isEqualTo(16 * MIB);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldKeepADirectoryThatOthersUseAndMakeItAgainWhenItIsGone() throws Exception {
        final Path made = directory.resolve("shared");
        final SpillStore maker = open(made, MIB);
        final SpillStore other = open(made, MIB);
        Files.createFile(made.resolve("foreign"));
        maker.close();
        assertThat(made).isDirectoryContaining("glob:**foreign");
        Files.delete(made.resolve("foreign"));
        Files.delete(made);
        final SpillStore.Queue queue = other.openQueue("queue");
        Pieces.append(queue, 1, 10);
        Pieces.assertTaken(queue, 1, 10);
        other.close();
        assertThat(directory).as("who makes it again removes it").isEmptyDirectory();
    }

    @Test
    void shouldRefuseUseAfterClose() {
        final SpillStore store = open(directory, MIB);
        final SpillStore.Queue queue = store.openQueue("queue");
        store.close();
        assertThatThrownBy(() -> store.openQueue("late")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Pieces.append(queue, 1, 1)).isInstanceOf(IllegalStateException.class);
        queue.close();
    }

    @Test
    void shouldNotLetAQueueHaveWhatAnotherHas() {
        try (SpillStore store = open(directory, 5 * MIB / 4)) {
            final SpillStore.Queue one = store.openQueue("one");
            final SpillStore.Queue two = store.openQueue("two");
            Pieces.append(one, 1, 1_000_000);
            Pieces.append(two, 1, 200_000);
            assertThatThrownBy(() -> Pieces.append(two, 2, 100_000))
                    .isInstanceOf(SpillException.class)
                    .hasMessageContaining("queue=two");
            one.removeHead();
            Pieces.append(two, 2, 100_000);
            Pieces.assertTaken(two, 1, 200_000);
            Pieces.assertTaken(two, 2, 100_000);
        }
    }

    @Test
    void shouldLeaveHalfOfTheLimitToOthersWhenManyQueuesAreEmpty() {
        try (SpillStore store = open(directory, 4 * MIB)) {
            for (int i = 0; i < 100; i++) {
                final SpillStore.Queue queue = store.openQueue("queue=" + i);
                Pieces.append(queue, i, 10);
                Pieces.assertTaken(queue, i, 10);
            }
            assertThat(store.usedBytes()).isEqualTo(2 * MIB);
        }
    }

    @Test
    void shouldStayWithinTheLimitWhenManyThreadsSpill() throws Exception {
        try (SpillStore store = open(directory, 4 * MIB)) {
            final List<FutureTask<Long>> tasks = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                final SpillStore.Queue queue = store.openQueue("queue=" + i);
                tasks.add(new FutureTask<>(() -> fillAndDrain(store, queue)));
            }
            tasks.forEach(task -> new Thread(task).start());
            for (final FutureTask<Long> task : tasks) {
                assertThat(task.get(DEADLINE_S, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(store.usedBytes()).isLessThanOrEqualTo(4L * MappedSpillQueue.FIRST_LENGTH);
        }
        assertThat(directory).isEmptyDirectory();
    }

    private static Long fillAndDrain(final SpillStore store, final SpillStore.Queue queue) {
        long refused = 0;
        for (int round = 0; round < 20; round++) {
            int appended = 0;
            try {
                for (; appended < 2_000; appended++) {
                    Pieces.append(queue, appended, 1_000 + appended);
                    assertThat(store.usedBytes()).isLessThanOrEqualTo(store.limit());
                }
            } catch (final SpillException expected) {
                refused++;
            }
            for (int i = 0; i < appended; i++) {
                Pieces.assertTaken(queue, i, 1_000 + i);
            }
            assertThat(queue.isEmpty()).isTrue();
        }
        return refused;
    }

    @Test
    void shouldSayWhichDirectoryWhenItCannotBeUsed() throws Exception {
        final Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> open(file.resolve("below"), MIB))
                .isInstanceOf(SpillException.class)
                .hasMessageContaining("directory=" + file.resolve("below"));
        assertThatThrownBy(() -> open(directory, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("limit=0");
    }
}
