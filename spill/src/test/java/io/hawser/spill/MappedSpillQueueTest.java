package io.hawser.spill;

import static io.hawser.spill.MappedSpillQueue.FIRST_LENGTH;
import static io.hawser.spill.MappedSpillQueue.LENGTH_LIMIT;
import static io.hawser.spill.Pieces.append;
import static io.hawser.spill.Pieces.assertHead;
import static io.hawser.spill.Pieces.assertTaken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.allocator.SpillException;
import io.hawser.allocator.SpillStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedSpillQueueTest {
    private static final int STEPS = 20_000;
    private static final int WHOLE_SEGMENT = FIRST_LENGTH - Segment.HEADER_LENGTH;
    private static final long MIB = 1024 * 1024;

    @TempDir
    Path directory;

    private final CountingBlocks blocks = new CountingBlocks();
    private MappedSpillStore store;
    private SpillStore.Queue queue;

    @BeforeEach
    void open() {
        reopen(256 * MIB);
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(directory).isEmptyDirectory();
    }

    private void reopen(final long limit) {
        if (store != null) {
            store.close();
        }
        store = new MappedSpillStore(SpillDirectory.open(directory, "test"), limit, blocks);
        queue = store.openQueue("channel=7");
    }

    @Test
    void shouldKeepOrderAndBytesWhenLengthsAreRandom() {
        final long seed = Long.getLong("hawser.seed", System.nanoTime());
        System.out.println("MappedSpillQueueTest seed=" + seed);
        final Random random = new Random(seed);
        final ArrayDeque<Integer> model = new ArrayDeque<>();
        long first = 0;
        long pendingBytes = 0;
        for (int step = 0; step < STEPS; step++) {
            final boolean isFilling = step / 2_000 % 2 == 0;
            if (random.nextInt(10) < (isFilling ? 7 : 3)) {
                final int length = randomLength(random);
                append(queue, first + model.size(), length);
                model.addLast(length);
                pendingBytes += length;
            } else if (!model.isEmpty()) {
                final int length = model.removeFirst();
                assertTaken(queue, first++, length);
                pendingBytes -= length;
            }
            assertThat(queue.isEmpty()).as("seed=%s", seed).isEqualTo(model.isEmpty());
            assertThat(queue.pendingBytes()).as("seed=%s", seed).isEqualTo(pendingBytes);
            assertThat(store.usedBytes()).isBetween(pendingBytes, store.limit());
        }
        while (!model.isEmpty()) {
            assertTaken(queue, first++, model.removeFirst());
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(store.usedBytes()).isLessThanOrEqualTo(FIRST_LENGTH);
    }

    private static int randomLength(final Random random) {
        final int kind = random.nextInt(1_000);
        if (kind < 100) {
            return 0;
        }
        if (kind < 103) {
            return WHOLE_SEGMENT;
        }
        if (kind < 105) {
            return FIRST_LENGTH + random.nextInt(3 * FIRST_LENGTH);
        }
        return random.nextInt(kind < 800 ? 100 : 10_000);
    }

    @Test
    void shouldTakePiecesWhenTheyAreEmptyFillASegmentOrNeedALongerOne() {
        append(queue, 1, 0);
        append(queue, 2, WHOLE_SEGMENT);
        append(queue, 3, LENGTH_LIMIT + 5);
        append(queue, 4, WHOLE_SEGMENT - 1);
        assertTaken(queue, 1, 0);
        assertTaken(queue, 2, WHOLE_SEGMENT);
        assertTaken(queue, 3, LENGTH_LIMIT + 5);
        assertTaken(queue, 4, WHOLE_SEGMENT - 1);
        append(queue, 5, WHOLE_SEGMENT);
        assertThat(store.usedBytes()).isEqualTo(FIRST_LENGTH);
        assertTaken(queue, 5, WHOLE_SEGMENT);
        append(queue, 6, WHOLE_SEGMENT + 1);
        assertThat(store.usedBytes()).isEqualTo(FIRST_LENGTH + Segment.GRANULE);
        assertTaken(queue, 6, WHOLE_SEGMENT + 1);
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void shouldHaveNoFileBeforeTheFirstPiece() {
        assertThat(queue.isEmpty()).isTrue();
        assertThat(store.usedBytes()).isZero();
        assertThat(blocks.files).isZero();
    }

    @Test
    void shouldMakeOneFileOnlyWhenItIsNowEmptyNowNot() {
        for (int i = 0; i < 10_000; i++) {
            append(queue, i, 1_000);
            assertTaken(queue, i, 1_000);
        }
        assertThat(blocks.files).isEqualTo(1);
        assertThat(store.usedBytes()).isEqualTo(FIRST_LENGTH);
    }

    @Test
    void shouldGiveBackMemoryAndDiskWhilePiecesAreTaken() throws IOException {
        Mappings.assumeKnown();
        final int count = 40_000;
        for (int i = 0; i < count; i++) {
            append(queue, i, 1_000);
        }
        final long most = store.usedBytes();
        assertThat(most).isLessThan(3L * count * 1_000);
        long last = most;
        int steps = 0;
        for (int i = 0; i < count; i++) {
            assertTaken(queue, i, 1_000);
            if (store.usedBytes() != last) {
                last = store.usedBytes();
                steps++;
                assertThat(Mappings.bytes(directory)).isEqualTo(last);
            }
        }
        assertThat(steps).isGreaterThanOrEqualTo(7); // ¼ + ½ + 1 + 2 … 32 MiB
        assertThat(Mappings.bytes(directory)).isZero();
        assertThat(store.usedBytes()).isZero();
    }

    @Test
    void shouldRefuseAtTheLimitAndGoOnWhenPiecesHaveBeenTaken() {
        reopen(MIB);
        int appended = 0;
        while (store.usedBytes() <= store.limit()) {
            try {
                append(queue, appended, 10_000);
                appended++;
            } catch (final SpillException expected) {
                assertThat(expected)
                        .hasMessageContainingAll("queue=channel=7", "usedBytes=1048576", "limit=1048576")
                        .hasMessageContainingAll("directory=" + directory, "raise it");
                break;
            }
        }
        assertThat(appended).isEqualTo(26 + 52 + 26); // ¼, ½ and the ¼ MiB that is left
        assertThat(queue.pendingBytes()).isEqualTo(appended * 10_000L);
        for (int i = 0; i < 26; i++) {
            assertTaken(queue, i, 10_000);
        }
        append(queue, appended++, 10_000);
        for (int i = 26; i < appended; i++) {
            assertTaken(queue, i, 10_000);
        }
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void shouldStayAsBeforeWhenTheDiskIsFull() {
        append(queue, 1, WHOLE_SEGMENT - 500);
        blocks.isDiskFull = true;
        assertThatThrownBy(() -> append(queue, 2, 1_000))
                .isInstanceOf(SpillException.class)
                .hasMessageContainingAll("no room on the disk", "queue=channel=7", "directory=" + directory, "injected")
                .hasCauseInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
        assertThat(store.usedBytes()).isEqualTo(FIRST_LENGTH);
        append(queue, 3, 100);
        blocks.isDiskFull = false;
        append(queue, 4, 1_000);
        assertTaken(queue, 1, WHOLE_SEGMENT - 500);
        assertTaken(queue, 3, 100);
        assertTaken(queue, 4, 1_000);
    }

    @Test
    void shouldSpillWhenTheThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        append(queue, 1, WHOLE_SEGMENT);
        append(queue, 2, WHOLE_SEGMENT);
        assertThat(Thread.interrupted()).isTrue();
        assertTaken(queue, 1, WHOLE_SEGMENT);
        assertTaken(queue, 2, WHOLE_SEGMENT);
    }

    @Test
    void shouldRefuseWhatIsNotInTheSourceAndStayAsBefore() {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[10]);
        assertThatThrownBy(() -> queue.append(1, source, 5, 6)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> queue.append(1, source, 5, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(blocks.files).isZero();
    }

    @Test
    void shouldRefuseToShowAHeadWhenNothingWaits() {
        append(queue, 1, 5);
        assertTaken(queue, 1, 5);
        assertThatThrownBy(queue::headBuffer).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queue::headOffset).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queue::headLength).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queue::headTag).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queue::removeHead)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("nothing waits: queue=channel=7");
    }

    @Test
    void shouldRefuseUseAfterCloseAndCloseTwice() throws IOException {
        append(queue, 1, 2 * FIRST_LENGTH);
        append(queue, 2, 10);
        assertHead(queue, 1, 2 * FIRST_LENGTH);
        final DirectBuffer stale = queue.headBuffer();
        queue.close();
        queue.close();
        assertThat(store.usedBytes()).isZero();
        assertThat(stale.capacity()).isZero();
        assertThat(Mappings.bytes(directory)).isZero();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.pendingBytes()).isZero();
        assertThatThrownBy(() -> append(queue, 1, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queue::headBuffer).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(queue::removeHead)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("closed: queue=channel=7");
    }
}
