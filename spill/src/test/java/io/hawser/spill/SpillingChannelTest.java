package io.hawser.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codec;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Dataflow;
import io.hawser.allocator.MessageHandler;
import io.hawser.allocator.MessageWriter;
import io.hawser.allocator.OnFull;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.RawPusher;
import io.hawser.allocator.SpillException;
import io.hawser.allocator.Worker;
import io.hawser.allocator.WorkerFunction;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels that spill: {@link OnFull#SPILL}. */
@Timeout(60)
class SpillingChannelTest {
    private static final int WINDOW = SpillingCluster.WINDOW;
    private static final int MESSAGE_LENGTH = 200;
    private static final long LOSS_BOUND_NS = Duration.ofSeconds(5).toNanos();

    @TempDir
    Path directory;

    @AfterEach
    void shouldLeaveNothingBehind() throws Exception {
        SpillingCluster.await(
                "all threads end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("hawser-spilling")));
        assertThat(directory).isEmptyDirectory();
        Mappings.assumeKnown();
        assertThat(Mappings.bytes(directory)).isZero();
    }

    /** L6: to one and to all, whole and cut, before, while and after something is spilled. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,2", "3,1"})
    void shouldKeepOrderAcrossSpilledAndUnspilled(final int processes, final int workers) throws Exception {
        final long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        final int perWorker = 3_000;
        SpillingCluster.run(processes, workers, directory.resolve("spill"), worker -> {
            final SplittableRandom random = new SplittableRandom(seed + worker.index());
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            final Received received = new Received(worker.peers());
            final long[] sent = new long[worker.peers()];
            final UnsafeBuffer message = new UnsafeBuffer(new byte[3 * WINDOW]);
            for (int i = 0; i < perWorker; i++) {
                final int target = random.nextInt(worker.peers() + 1);
                final boolean isForAll = target == worker.peers();
                final int length = 12 + random.nextInt(random.nextInt(40) == 0 ? 3 * WINDOW - 12 : 300);
                message.setMemory(12, length - 12, (byte) i);
                message.putLong(0, i);
                message.putInt(8, length);
                final RawPusher pusher = isForAll ? channel.broadcaster() : channel.pusher(target);
                pusher.push(message, 0, length);
                for (int to = 0; to < worker.peers(); to++) {
                    sent[to] += isForAll || to == target ? 1 : 0;
                }
                if (random.nextInt(400) == 0) {
                    channel.puller().poll(received, Integer.MAX_VALUE);
                } else if (random.nextInt(100) == 0) {
                    worker.flush();
                } else if (random.nextInt(400) == 0) {
                    worker.park(Duration.ofMillis(1));
                }
            }
            for (int to = 0; to < worker.peers(); to++) {
                message.putLong(0, -1 - sent[to]);
                channel.pusher(to).push(message, 0, 8);
            }
            while (received.endedCount < worker.peers()) {
                worker.park();
                channel.puller().poll(received, 1 + random.nextInt(1_000));
            }
            assertThat(channel.puller().poll(received, 1)).isZero();
            return null;
        });
    }

    /** Case 103: each sends fifty times the window before it receives anything. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,2", "2,1", "2,2", "3,1"})
    void shouldCompleteACircleWhenEachSendsBeforeItReceives(final int processes, final int workers) throws Exception {
        final int count = 50 * WINDOW / MESSAGE_LENGTH;
        final List<Integer> received = SpillingCluster.run(processes, workers, directory.resolve("spill"), worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            pushNumbers(channel, (worker.index() + 1) % worker.peers(), count);
            return pollNumbers(worker, channel, count);
        });
        assertThat(received).containsOnly(count);
    }

    /** Case 84, L6: what is spilled when a worker returns is sent before the end. */
    @ParameterizedTest
    @CsvSource({"1,2", "2,1", "3,1"})
    void shouldSendWhatIsSpilledWhenWorkerReturns(final int processes, final int workers) throws Exception {
        final int count = 50 * WINDOW / MESSAGE_LENGTH;
        final AtomicReference<Thread> sender = new AtomicReference<>();
        final List<Integer> received = SpillingCluster.run(processes, workers, directory.resolve("spill"), worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            if (worker.index() == 0) {
                pushNumbers(channel, worker.peers() - 1, count);
                sender.set(Thread.currentThread());
                return 0;
            }
            if (worker.index() < worker.peers() - 1) {
                return 0;
            }
            SpillingCluster.await("worker 0 is about to end", () -> sender.get() != null);
            SpillingCluster.awaitParked(sender.get());
            return pollNumbers(worker, channel, count);
        });
        assertThat(received).endsWith(count);
    }

    /** Case 103 at the end: nobody reads any more, and nobody waits for anybody. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,1", "2,2", "3,1"})
    void shouldEndWhenAllReturnAtOnceWithSpilledMessages(final int processes, final int workers) throws Exception {
        SpillingCluster.run(processes, workers, directory.resolve("spill"), worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            for (int target = 0; target < worker.peers(); target++) {
                pushNumbers(channel, target, 20 * WINDOW / MESSAGE_LENGTH);
            }
            channel.broadcaster().push(new UnsafeBuffer(new byte[5 * WINDOW]), 0, 5 * WINDOW);
            return null;
        });
    }

    /** The limit costs the push that meets it, and nothing that was pushed before. */
    @ParameterizedTest
    @CsvSource({"1,2", "2,1"})
    void shouldDeliverAllBeforeTheLimitAndGoOnAfterwards(final int processes, final int workers) throws Exception {
        final AtomicInteger pushed = new AtomicInteger(-1);
        final WorkerFunction<Integer> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            if (worker.index() == 0) {
                final int[] count = {0};
                assertThatThrownBy(() -> {
                            while (true) {
                                push(channel.pusher(1), count[0]);
                                count[0]++;
                            }
                        })
                        .isInstanceOf(SpillException.class)
                        .hasMessageContaining("limit=" + 1024 * 1024);
                assertThatThrownBy(() -> channel.pusher(1).push(new UnsafeBuffer(new byte[100_000]), 0, 100_000))
                        .isInstanceOf(SpillException.class);
                pushed.set(count[0]);
                boolean isTaken = false;
                while (!isTaken) {
                    worker.park(Duration.ofMillis(1)); // what is spilled goes on its way meanwhile
                    try {
                        push(channel.pusher(1), count[0]);
                        isTaken = true;
                    } catch (final SpillException stillFull) {
                        assertThat(stillFull).hasMessageContaining("usedBytes=");
                    }
                }
                return count[0] + 1;
            }
            SpillingCluster.await("the limit is reached", () -> pushed.get() >= 0);
            return pollNumbers(worker, channel, pushed.get() + 1);
        };
        try (SpillingCluster<Integer> cluster =
                SpillingCluster.start(processes, workers, directory.resolve("spill"), 1024 * 1024, function)) {
            final List<Integer> counts = cluster.values();
            assertThat(counts.get(1)).isEqualTo(counts.get(0)).isGreaterThan(1_000);
        }
    }

    /** A part of a streamed message that cannot be spilled is not counted as written, what went before it is. */
    @Test
    void shouldGoOnWithStreamedMessageAfterTheLimit() throws Exception {
        final int length = 3 * 1024 * 1024;
        final AtomicBoolean isFull = new AtomicBoolean();
        final WorkerFunction<Long> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            if (worker.index() == 0) {
                final UnsafeBuffer message = counted(length);
                final MessageWriter writer = channel.pusher(1).write(length);
                while (writer.remaining() > 0) {
                    final int done = (int) (length - writer.remaining());
                    try {
                        writer.write(message, done, Math.min(length - done, 20_000));
                    } catch (final SpillException full) {
                        isFull.set(true);
                        worker.park(Duration.ofMillis(1));
                    }
                }
                return 0L;
            }
            SpillingCluster.await("the limit is reached", isFull::get);
            final long[] next = {0};
            while (next[0] < length) {
                final int count = channel.puller()
                        .pollFragments(
                                (buffer, offset, count0, source, position, whole) -> {
                                    assertThat(position).isEqualTo(next[0]);
                                    assertThat(isCounted(buffer, offset, count0, position))
                                            .isTrue();
                                    next[0] += count0;
                                },
                                3);
                if (count == 0) {
                    worker.park();
                }
            }
            return next[0];
        };
        try (SpillingCluster<Long> cluster =
                SpillingCluster.start(2, 1, directory.resolve("spill"), 1024 * 1024, function)) {
            assertThat(cluster.values()).endsWith((long) length);
        }
    }

    /** L4, L8: no file stays, nobody waits, when the cluster is lost while messages are spilled. */
    @ParameterizedTest
    @CsvSource({
        "1,2,panic",
        "2,1,panic",
        "3,1,panic",
        "1,2,abort",
        "2,1,abort",
        "2,1,ending",
        "1,2,closing",
        "2,1,closing"
    })
    void shouldLeaveNoFileWhenClusterIsLost(final int processes, final int workers, final String how) throws Exception {
        final AtomicReference<Thread> spiller = new AtomicReference<>();
        final AtomicBoolean isSpilled = new AtomicBoolean();
        final long[] outNs = new long[1];
        final WorkerFunction<Object> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            if (worker.index() == 0) {
                spiller.set(Thread.currentThread());
                pushNumbers(channel, worker.peers() - 1, 50 * WINDOW / MESSAGE_LENGTH);
                isSpilled.set(true);
                if (how.equals("ending")) {
                    return null;
                }
                try {
                    if (how.equals("closing")) {
                        channel.close();
                    } else {
                        worker.park();
                    }
                } finally {
                    outNs[0] = System.nanoTime();
                }
            } else if (worker.index() == worker.peers() - 1) {
                SpillingCluster.await("worker 0 has spilled", isSpilled::get);
                if (!how.equals("abort")) {
                    SpillingCluster.awaitParked(spiller.get());
                    throw new IllegalStateException("test");
                }
                SpillingCluster.await(
                        "the cluster is lost", () -> worker.health().isLost());
            }
            return null;
        };
        try (SpillingCluster<Object> cluster = SpillingCluster.start(
                processes, workers, directory.resolve("spill"), SpillingCluster.LIMIT, function)) {
            SpillingCluster.await("worker 0 has spilled", isSpilled::get);
            final long startNs = System.nanoTime();
            if (how.equals("abort")) {
                SpillingCluster.awaitParked(spiller.get());
                cluster.process(processes - 1).abort("test");
            }
            final List<Outcomes<Object>> outcomes = cluster.join();
            assertThat(outcomes.get(0).cause().kind())
                    .isEqualTo(how.equals("abort") ? CauseKind.CLOSED_BY_USER : CauseKind.WORKER_PANICKED);
            if (!how.equals("ending")) {
                assertThat(outcomes.get(0).perWorker().get(0)).isInstanceOf(Outcome.Failed.class);
                assertThat(outNs[0] - startNs).isLessThan(LOSS_BOUND_NS);
            }
        }
    }

    /** Closing waits until what was spilled has left. */
    @ParameterizedTest
    @CsvSource({"1,2", "2,1"})
    void shouldDeliverAllWhenChannelIsClosedWhileSpilled(final int processes, final int workers) throws Exception {
        final int count = 50 * WINDOW / MESSAGE_LENGTH;
        final AtomicReference<Thread> closer = new AtomicReference<>();
        final List<Integer> received = SpillingCluster.run(processes, workers, directory.resolve("spill"), worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            if (worker.index() == 0) {
                pushNumbers(channel, 1, count);
                closer.set(Thread.currentThread());
                channel.close();
                assertThatThrownBy(() -> worker.allocateRaw(0)).hasMessageContaining("channelId=0");
                worker.allocateRaw(1).pusher(1).push(new UnsafeBuffer(new byte[8]), 0, 8);
                return 0;
            }
            SpillingCluster.await("worker 0 closes", () -> closer.get() != null);
            SpillingCluster.awaitParked(closer.get());
            final int polled = pollNumbers(worker, channel, count);
            final RawChannel next = worker.allocateRaw(1);
            while (next.puller().poll((buffer, offset, length, source) -> {}, 1) == 0) {
                worker.park();
            }
            return polled;
        });
        assertThat(received).endsWith(count);
    }

    /** Case 103 once more: who closes reads no more, so nobody may wait for that. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,2", "2,1", "2,2", "3,1"})
    void shouldCloseWhenAllCloseAtOnceWithSpilledMessages(final int processes, final int workers) throws Exception {
        SpillingCluster.run(processes, workers, directory.resolve("spill"), worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            final RawChannel other = worker.allocateRaw(1, OnFull.SPILL);
            for (int target = 0; target < worker.peers(); target++) {
                pushNumbers(channel, target, 20 * WINDOW / MESSAGE_LENGTH);
            }
            channel.close();
            for (int target = 0; target < worker.peers(); target++) {
                pushNumbers(other, target, 1);
            }
            int polled = 0;
            while (polled < worker.peers()) {
                worker.park();
                polled += other.puller().poll((buffer, offset, length, source) -> {}, 1_000);
            }
            return null;
        });
    }

    /** An interrupt ends neither what is spilled nor what waits for it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLoseNothingWhenWorkerIsInterrupted(final boolean isClosed) throws Exception {
        final int count = 50 * WINDOW / MESSAGE_LENGTH;
        final List<Integer> received = SpillingCluster.run(2, 1, directory.resolve("spill"), worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            if (worker.index() == 1) {
                return pollNumbers(worker, channel, count);
            }
            Thread.currentThread().interrupt();
            pushNumbers(channel, 1, count);
            if (isClosed) {
                channel.close();
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
            return 0;
        });
        assertThat(received).endsWith(count);
    }

    /** Case 105: a message whose encoding fails is neither sent nor spilled. */
    @ParameterizedTest
    @ValueSource(ints = {100, 5_000})
    void shouldSpillNothingWhenCodecThrows(final int length) throws Exception {
        final List<Integer> received = SpillingCluster.run(2, 1, directory.resolve("spill"), worker -> {
            final Channel<Integer> channel = worker.allocate(0, new Picky(length), OnFull.SPILL);
            if (worker.index() == 0) {
                for (int i = 0; i < 3_000; i++) {
                    if (i % 3 == 0) {
                        final int failing = -1 - i % (length + 1);
                        assertThatThrownBy(() -> channel.pusher(1).push(failing))
                                .hasMessage("picky");
                    } else {
                        (i % 2 == 0 ? channel.pusher(1) : channel.broadcaster()).push(i);
                    }
                }
                return 0;
            }
            int count = 0;
            for (int i = 0; i < 3_000; i++) {
                if (i % 3 != 0) {
                    Integer message = channel.puller().pull();
                    while (message == null) {
                        worker.park();
                        message = channel.puller().pull();
                    }
                    assertThat(message).isEqualTo(i);
                    count++;
                }
            }
            return count;
        });
        assertThat(received).endsWith(2_000);
    }

    /** A broadcast is spilled for each process on its own: who reads gets it although another does not. */
    @Test
    void shouldHoldUpNobodyElseWhenOneProcessDoesNotRead() throws Exception {
        final int count = 50 * WINDOW / MESSAGE_LENGTH;
        final AtomicBoolean isRead = new AtomicBoolean();
        final List<Integer> received = SpillingCluster.run(3, 1, directory.resolve("spill"), worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            if (worker.index() == 0) {
                for (int i = 0; i < count; i++) {
                    push(channel.broadcaster(), i);
                }
                while (!isRead.get()) {
                    worker.park(Duration.ofMillis(1));
                }
                return pollNumbers(worker, channel, count);
            }
            if (worker.index() == 2) {
                SpillingCluster.await("worker 1 has read all", isRead::get);
            }
            final int polled = pollNumbers(worker, channel, count);
            isRead.set(true);
            return polled;
        });
        assertThat(received).containsOnly(count);
    }

    @Test
    void shouldWriteAndReadInPlaceWhetherSpilledOrNot() throws Exception {
        final List<Long> sums = SpillingCluster.run(1, 1, directory.resolve("spill"), worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.SPILL);
            long sum = 0;
            for (int i = 1; i <= 1_000; i++) {
                final int offset = channel.pusher(0).claim(i);
                channel.pusher(0).buffer().setMemory(offset, i, (byte) i);
                if (i % 10 == 0) {
                    channel.pusher(0).abort();
                } else {
                    channel.pusher(0).commit();
                    sum += i;
                }
            }
            final Channel<byte[]> empty = worker.allocate(1, Codecs.bytes(), OnFull.SPILL);
            for (int i = 0; i < 1_000; i++) {
                empty.pusher(0).push(new byte[0]);
            }
            final long[] received = {0};
            final MessageHandler adder = (buffer, offset, length, source) -> {
                assertThat(buffer.getByte(offset + length - 1)).isEqualTo((byte) length);
                received[0] += length;
            };
            while (received[0] < sum) {
                worker.park();
                channel.puller().poll(adder, 100);
            }
            for (int i = 0; i < 1_000; i++) {
                byte[] message = empty.puller().pull();
                while (message == null) {
                    worker.park();
                    message = empty.puller().pull();
                }
                assertThat(message).isEmpty();
            }
            return received[0];
        });
        assertThat(sums).containsExactly(1_000L * 1_001 / 2 - 100L * 101 / 2 * 10);
    }

    /** From each source in the order of its numbers, and none missing in the end. */
    private static final class Received implements MessageHandler {
        private final long[] next;
        private final long[] count;
        private int endedCount;

        Received(final int peers) {
            next = new long[peers];
            count = new long[peers];
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length, final int source) {
            final long number = buffer.getLong(offset);
            if (number < 0) {
                assertThat(count[source]).isEqualTo(-1 - number);
                endedCount++;
                return;
            }
            assertThat(number).isGreaterThanOrEqualTo(next[source]);
            assertThat(buffer.getInt(offset + 8)).isEqualTo(length);
            if (length > 12) {
                final byte[] rest = new byte[length - 12];
                final byte[] expected = new byte[length - 12];
                buffer.getBytes(offset + 12, rest);
                Arrays.fill(expected, (byte) number);
                assertThat(Arrays.equals(rest, expected)).isTrue();
            }
            next[source] = number + 1;
            count[source]++;
        }
    }

    /** L3, L10: whoever waits for the end of what it has spilled comes out when its dataflow is cancelled; the files go. */
    @ParameterizedTest
    @CsvSource({"1,2", "2,1", "2,2"})
    void shouldComeOutOfClosingWhenItsDataflowIsCancelled(final int processes, final int workers) throws Exception {
        final AtomicInteger closing = new AtomicInteger();
        try (SpillingCluster<Boolean> cluster =
                SpillingCluster.start(processes, workers, directory.resolve("spill"), SpillingCluster.LIMIT, worker -> {
                    final Dataflow job = worker.dataflow(1);
                    if (worker.index() == 0) {
                        final RawChannel channel = job.allocateRaw(0, OnFull.SPILL);
                        pushNumbers(channel, worker.peers() - 1, 1_000); // nobody reads
                        closing.incrementAndGet();
                    }
                    if (worker.index() == 0) {
                        job.close();
                    }
                    final boolean isCancelled = job.awaitOutcome(Duration.ofSeconds(15))
                            .orElseThrow()
                            .isCancelled();
                    assertThat(worker.health().isLost()).isFalse();
                    return isCancelled;
                })) {
            SpillingCluster.await("worker 0 closes", () -> closing.get() == 1);
            cluster.process(0).cancel(1, "it has taken too long");
            assertThat(cluster.values()).hasSize(processes * workers).containsOnly(true);
        }
    }

    /** Numbers from zero up are encoded to so many bytes; −1 − n fails at byte n. */
    private record Picky(int length) implements Codec<Integer> {
        @Override
        public int encodedLength(final Integer message) {
            return length;
        }

        @Override
        public void encode(
                final Integer message, final MutableDirectBuffer buffer, final int offset, final int encodedLength) {
            final int written = message < 0 ? -1 - message : encodedLength;
            buffer.setMemory(offset, written, (byte) 0xAA);
            if (message < 0) {
                throw new IllegalStateException("picky");
            }
            buffer.putInt(offset, message);
        }

        @Override
        public Integer decode(final DirectBuffer buffer, final int offset, final int encodedLength) {
            return buffer.getInt(offset);
        }
    }

    private static void push(final RawPusher pusher, final long number) {
        final int offset = pusher.claim(MESSAGE_LENGTH);
        pusher.buffer().putLong(offset, number);
        pusher.commit();
    }

    private static void pushNumbers(final RawChannel channel, final int target, final int count) {
        for (int number = 0; number < count; number++) {
            push(channel.pusher(target), number);
        }
    }

    private static int pollNumbers(final Worker worker, final RawChannel channel, final int count) {
        final int[] next = {0};
        final MessageHandler handler = (buffer, offset, length, source) -> {
            assertThat(length).isEqualTo(MESSAGE_LENGTH);
            assertThat(buffer.getLong(offset)).isEqualTo(next[0]++);
        };
        while (next[0] < count) {
            if (channel.puller().poll(handler, 100) == 0) {
                worker.park();
            }
        }
        return next[0];
    }

    private static UnsafeBuffer counted(final int length) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        for (int i = 0; i < length; i++) {
            buffer.putByte(i, (byte) (i % 251));
        }
        return buffer;
    }

    private static boolean isCounted(
            final DirectBuffer buffer, final int offset, final int length, final long position) {
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(offset + i) != (byte) ((position + i) % 251)) {
                return false;
            }
        }
        return true;
    }
}
