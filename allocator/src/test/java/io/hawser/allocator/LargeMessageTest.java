package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.CauseKind;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.MessageTooLargeException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that do not fit a frame, or not the window. */
@Timeout(60)
class LargeMessageTest {
    private static final int WINDOW = Arrangement.WINDOW;
    private static final int FRAME_LIMIT = Arrangement.FRAME_LIMIT;
    private static final int MIB = 1024 * 1024;
    private static final boolean IS_SOAK = Boolean.getBoolean("hawser.soak");

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** L6: each length at which something changes, by each way to push. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldDeliverEachLengthByEachWay(final Arrangement arrangement) throws Exception {
        final List<Integer> lengths = lengths();
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel raw = worker.allocateRaw(0);
            final Channel<byte[]> typed = worker.allocate(1, Codecs.bytes());
            final int last = worker.peers() - 1;
            final UnsafeBuffer message = new UnsafeBuffer(new byte[10 * MIB]);
            if (worker.index() == 0) {
                for (int i = 0; i < lengths.size(); i++) {
                    final int length = lengths.get(i);
                    Pattern.fill(i, 0, message, 0, length);
                    raw.pusher(last).push(message, 0, length);
                    final int offset = raw.pusher(last).claim(length);
                    raw.pusher(last).buffer().putBytes(offset, message, 0, length);
                    raw.pusher(last).commit();
                    if (length > 0) {
                        write(raw.pusher(last).write(length), message, length, 1 + length / 3);
                    }
                    final byte[] bytes = new byte[length];
                    message.getBytes(0, bytes);
                    typed.pusher(last).push(bytes);
                }
                return 0;
            }
            if (worker.index() < last) {
                return 0;
            }
            final Pattern pattern = new Pattern();
            int received = 0;
            for (int i = 0; i < lengths.size(); i++) {
                final int seed = i;
                final int expected = lengths.get(i);
                received +=
                        LocalClusterTest.poll(worker, raw, expected == 0 ? 2 : 3, (buffer, offset, length, source) -> {
                            assertThat(length).isEqualTo(expected);
                            assertThat(pattern.matches(seed, 0, buffer, offset, length))
                                    .isTrue();
                        });
                final byte[] bytes = LocalClusterTest.pull(worker, typed, 1).get(0);
                assertThat(bytes).hasSize(expected);
                assertThat(pattern.matches(seed, 0, new UnsafeBuffer(bytes), 0, bytes.length))
                        .isTrue();
            }
            return received;
        });
    }

    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldBroadcastEachLength(final Arrangement arrangement) throws Exception {
        final List<Integer> lengths = lengths();
        arrangement.run(LargeMessageTest::roomForOneself, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            final Pattern pattern = new Pattern();
            final int[] count = new int[worker.peers()];
            for (int i = 0; i < lengths.size(); i++) {
                if (worker.index() == i % worker.peers()) {
                    channel.broadcaster().push(Pattern.message(i, lengths.get(i)));
                }
                final byte[] bytes = LocalClusterTest.pull(worker, channel, 1).get(0);
                final int source = channel.puller().sourceWorker();
                final int number = source + worker.peers() * count[source]++;
                assertThat(bytes).hasSize(lengths.get(number));
                assertThat(pattern.matches(number, 0, new UnsafeBuffer(bytes), 0, bytes.length))
                        .isTrue();
            }
            return null;
        });
    }

    /** L6: from all sources at once, short and long, to one and to all, pulled whole and piece by piece. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldPutTogetherWhatComesFromSeveralSources(final Arrangement arrangement) throws Exception {
        final long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        final int perWorker = IS_SOAK ? 5_000 : 300;
        final int readers = 1;
        arrangement.run(Arrangement::tight, worker -> {
            final SplittableRandom random = new SplittableRandom(seed + worker.index());
            final RawChannel channel = worker.allocateRaw(0);
            final int last = worker.peers() - readers;
            if (worker.index() < last) {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[64 * 1024]);
                for (int i = 0; i < perWorker; i++) {
                    final int length = 4 + random.nextInt(random.nextInt(3) == 0 ? 64 * 1024 - 4 : 500);
                    Pattern.fill(i + 1_000L * worker.index(), 0, message, 0, length);
                    message.putInt(0, i);
                    if (random.nextInt(3) == 0) {
                        // the first piece holds the number, whatever else it holds
                        write(channel.pusher(last).write(length), message, length, 4 + random.nextInt(length));
                    } else {
                        channel.pusher(last).push(message, 0, length);
                    }
                }
                return null;
            }
            final MixedReader reader = new MixedReader(worker.peers());
            while (reader.count < (long) perWorker * last) {
                final int polled = random.nextBoolean() && !reader.isAmid()
                        ? channel.puller().poll(reader, 1 + random.nextInt(3))
                        : channel.puller().pollFragments(reader, 1 + random.nextInt(3));
                if (polled == 0) {
                    worker.park();
                }
            }
            return null;
        });
    }

    /** Both are too short for it: raising the assembly limit alone would not help. */
    @Test
    void shouldNameTheMessageLimitWhenThatIsExceededToo() throws Exception {
        Arrangement.THREADS.run(
                builder -> Arrangement.tight(builder).messageLimit(30_000).assemblyLimit(20_000), worker -> {
                    final RawPusher pusher = worker.allocateRaw(0).pusher(1);
                    assertThatThrownBy(() -> pusher.push(new UnsafeBuffer(new byte[30_001]), 0, 30_001))
                            .isInstanceOf(MessageTooLargeException.class)
                            .hasMessageEndingWith("messageLength=30001 messageLimit=30000");
                    assertThatThrownBy(() -> pusher.push(new UnsafeBuffer(new byte[20_001]), 0, 20_001))
                            .isInstanceOf(MessageTooLargeException.class)
                            .hasMessageEndingWith("messageLength=20001 assemblyLimit=20000");
                    return null;
                });
    }

    /** A message that its receiver cannot put together stays, and can be read piece by piece; who goes on knows the place. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldReadPieceByPieceWhatIsTooLongToBePutTogether(final Arrangement arrangement) throws Exception {
        final int limit = 20_000;
        final int length = 100_000;
        arrangement.run(builder -> Arrangement.tight(builder).assemblyLimit(limit), worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final int last = worker.peers() - 1;
            if (worker.index() == 0) {
                final UnsafeBuffer message = new UnsafeBuffer(Pattern.message(1, length));
                assertThatThrownBy(() -> channel.pusher(last).push(message, 0, length))
                        .isInstanceOf(MessageTooLargeException.class)
                        .hasMessageContaining("assemblyLimit")
                        .hasMessageEndingWith("messageLength=" + length + " assemblyLimit=" + limit);
                channel.pusher(last).push(message, 0, 100);
                channel.pusher(last).push(message, 0, limit);
                write(channel.pusher(last).write(length), message, length, 7_777);
                channel.pusher(last).push(message, 0, 100);
            } else if (worker.index() == last) {
                final Pattern pattern = new Pattern();
                final List<Integer> lengths = new ArrayList<>();
                final MessageHandler whole = (buffer, offset, count, source) -> {
                    assertThat(pattern.matches(1, 0, buffer, offset, count)).isTrue();
                    lengths.add(count);
                };
                LocalClusterTest.poll(worker, channel, 2, whole);
                for (int i = 0; i < 3; i++) {
                    worker.park();
                    assertThatThrownBy(() -> channel.puller().poll(whole, 1))
                            .isInstanceOf(MessageTooLargeException.class)
                            .hasMessageContaining("pollFragments")
                            .hasMessageEndingWith("messageLength=" + length + " assemblyLimit=" + limit);
                }
                final long[] next = {0};
                while (next[0] < length) {
                    final int polled = channel.puller()
                            .pollFragments(
                                    (buffer, offset, count, source, position, messageLength) -> {
                                        assertThat(position).isEqualTo(next[0]);
                                        assertThat(messageLength).isEqualTo(length);
                                        assertThat(pattern.matches(1, position, buffer, offset, count))
                                                .isTrue();
                                        next[0] += count;
                                    },
                                    1);
                    if (polled == 0) {
                        worker.park();
                    } else if (next[0] < length && channel.puller().pollFragments((b, o, c, s, p, m) -> {}, 0) == 0) {
                        assertAmid(channel);
                    }
                }
                LocalClusterTest.poll(worker, channel, 1, whole);
                assertThat(lengths).containsExactly(100, limit, 100);
            }
            return null;
        });
    }

    /** L7: a message much longer than the memory that it passes through. */
    @ParameterizedTest
    @CsvSource({"THREADS", "TWO_PROCESSES"})
    void shouldStreamAMessageThroughFlatMemory(final Arrangement arrangement) throws Exception {
        final long length = (IS_SOAK ? 4_096L : 256L) * MIB;
        final AtomicLong peakBytes = new AtomicLong();
        final CompletableFuture<Loopback<Long>> started = new CompletableFuture<>();
        final WorkerFunction<Long> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final int last = worker.peers() - 1;
            if (worker.index() == 0) {
                final UnsafeBuffer piece = new UnsafeBuffer(new byte[MIB]);
                try (MessageWriter writer = channel.pusher(last).write(length)) {
                    for (long done = 0; done < length; done += MIB) {
                        piece.putLong(0, done);
                        piece.putLong(MIB - 8, -done);
                        writer.write(piece, 0, MIB);
                    }
                }
                return 0L;
            }
            if (worker.index() < last) {
                return 0L;
            }
            final Loopback<Long> cluster = started.join();
            final UnsafeBuffer piece = new UnsafeBuffer(new byte[MIB]);
            final long[] next = {0};
            final FragmentHandler handler = (buffer, offset, count, source, position, messageLength) -> {
                if (position != next[0] || messageLength != length) {
                    throw new AssertionError("position=" + position + " expected=" + next[0]);
                }
                copy(buffer, offset, count, piece, position);
                next[0] += count;
            };
            int polls = 0;
            while (next[0] < length) {
                if (channel.puller().pollFragments(handler, 100) == 0) {
                    worker.park();
                }
                if (polls++ % 64 == 0) {
                    peakBytes.accumulateAndGet(
                            cluster.process(cluster.processCount() - 1).liveBytes(), Math::max);
                }
            }
            return next[0];
        };
        final UnaryOperator<ClusterConfigBuilder> settings = builder -> builder.channelWindow(32 * 1024)
                .channelWindowMax(32 * 1024)
                .floatingWindow(0)
                .frameLimit(16 * 1024)
                .sendRingLength(64 * 1024)
                .slabLength(64 * 1024)
                .channelLimit(4)
                .messageLimit(1L << 40)
                .assemblyLimit(MIB);
        try (Loopback<Long> cluster = arrangement.start(settings, function)) {
            started.complete(cluster);
            assertThat(cluster.values()).endsWith(length);
        }
        assertThat(peakBytes.get()).isBetween(1L, 4L * MIB);
    }

    /** The receiver would wait for the rest for ever. */
    @ParameterizedTest
    @EnumSource
    void shouldPanicWhenWorkerEndsAmidAMessage(final Arrangement arrangement) throws Exception {
        final WorkerFunction<Object> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final RawPusher pusher = channel.pusher(worker.peers() - 1);
            if (worker.index() == 0) {
                final MessageWriter writer = pusher.write(1_000);
                writer.write(new UnsafeBuffer(new byte[500]), 0, 500);
                assertThatThrownBy(writer::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("remaining=500 messageLength=1000 channelId=0");
                assertThatThrownBy(() -> pusher.claim(1)).hasMessageContaining("remaining=500");
                assertThatThrownBy(() -> channel.broadcaster().claim(1)).hasMessageContaining("remaining=500");
                assertThatThrownBy(channel::close).hasMessageContaining("remaining=500");
                assertThatThrownBy(() -> pusher.write(1_000)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> writer.write(new UnsafeBuffer(new byte[600]), 0, 501))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                return null;
            }
            while (true) {
                worker.park();
            }
        };
        try (Loopback<Object> cluster = arrangement.start(Arrangement::tight, function)) {
            final Outcomes<Object> outcomes = cluster.join().get(0);
            assertThat(outcomes.cause().kind()).isEqualTo(CauseKind.WORKER_PANICKED);
            assertThat(outcomes.cause().throwable()).hasMessageContaining("remaining=500");
        }
    }

    @Test
    void shouldRefuseAWriterThatCannotBe() throws Exception {
        Arrangement.THREADS.run(builder -> Arrangement.tight(builder).messageLimit(100_000), worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            assertThatThrownBy(() -> channel.pusher(0).write(0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> channel.pusher(0).write(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> channel.broadcaster().write(8)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> channel.pusher(0).write(100_001))
                    .isInstanceOf(MessageTooLargeException.class)
                    .hasMessageEndingWith("messageLength=100001 messageLimit=100000");
            return null;
        });
    }

    /** Case 105: where it fails, and how often; nothing of it is sent, and no credit is lost. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldCostOnlyTheCallWhenCodecThrows(final Arrangement arrangement) throws Exception {
        arrangement.run(Arrangement::tight, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, new FailingCodec());
            final int last = worker.peers() - 1;
            final int[] lengths = {100, FRAME_LIMIT + 1, WINDOW, 5 * WINDOW};
            for (int i = 0; i < 400; i++) {
                final int length = lengths[i % lengths.length];
                if (worker.index() == 0) {
                    for (int at = 0; at <= 2; at++) {
                        final byte[] message = Pattern.message(i, length);
                        message[0] = (byte) (1 + at);
                        assertThatThrownBy(() -> channel.pusher(last).push(message))
                                .isInstanceOf(FaultyCodec.Fault.class);
                        assertThatThrownBy(() -> channel.broadcaster().push(message))
                                .isInstanceOf(FaultyCodec.Fault.class);
                    }
                    final byte[] message = Pattern.message(i, length);
                    message[0] = 0;
                    channel.pusher(last).push(message);
                } else if (worker.index() == last) {
                    final byte[] expected = Pattern.message(i, length);
                    expected[0] = 0;
                    assertThat(LocalClusterTest.pull(worker, channel, 1).get(0)).isEqualTo(expected);
                }
            }
            assertThat(channel.puller().pull()).isNull();
            return null;
        });
    }

    /** Case 109: a long message does not keep short ones on another channel waiting until it is through. */
    @ParameterizedTest
    @CsvSource({"THREADS", "TWO_PROCESSES"})
    void shouldServeAnotherChannelAmidALongMessage(final Arrangement arrangement) throws Exception {
        final int length = 4 * MIB;
        final AtomicBoolean isAnswered = new AtomicBoolean();
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel big = worker.allocateRaw(0);
            final RawChannel small = worker.allocateRaw(1);
            final int last = worker.peers() - 1;
            final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
            if (worker.index() == 0) {
                big.pusher(last).push(message, 0, length);
                assertThat(isAnswered.get()).isTrue();
            } else if (worker.index() == last) {
                final long[] received = {0};
                int pings = 0;
                while (received[0] < length) {
                    if (big.puller().pollFragments((b, o, count, s, p, m) -> received[0] += count, 1) == 0) {
                        worker.park();
                    }
                    if (received[0] > length / 4 && pings == 0) {
                        pings++;
                        small.pusher(last).push(message, 0, 64);
                        LocalClusterTest.poll(worker, small, 1, (b, o, n, s) -> isAnswered.set(true));
                    }
                }
            }
            return null;
        });
    }

    /** Fails for messages whose first byte is not 0: 1 at the first byte, 2 in the middle, 3 at the end. */
    private static final class FailingCodec implements Codec<byte[]> {
        @Override
        public int encodedLength(final byte[] message) {
            return message.length;
        }

        @Override
        public void encode(
                final byte[] message, final MutableDirectBuffer buffer, final int offset, final int encodedLength) {
            final int written = message[0] == 0 ? encodedLength : (message[0] - 1) * encodedLength / 2;
            buffer.putBytes(offset, message, 0, written);
            if (message[0] != 0) {
                throw new FaultyCodec.Fault();
            }
        }

        @Override
        public byte[] decode(final DirectBuffer buffer, final int offset, final int encodedLength) {
            final byte[] message = new byte[encodedLength];
            buffer.getBytes(offset, message);
            return message;
        }
    }

    /** Checks what comes whole and what comes in pieces, each source in order. */
    private static final class MixedReader implements MessageHandler, FragmentHandler {
        private final int[] next;
        private final long[] position;
        private final Pattern pattern = new Pattern();
        private long count;

        MixedReader(final int peers) {
            next = new int[peers];
            position = new long[peers];
        }

        /** Whether the rest of a message is to come in pieces. */
        boolean isAmid() {
            for (final long done : position) {
                if (done != 0) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length, final int source) {
            onFragment(buffer, offset, length, source, 0, length);
        }

        @Override
        public void onFragment(
                final DirectBuffer buffer,
                final int offset,
                final int length,
                final int source,
                final long at,
                final long messageLength) {
            assertThat(at).isEqualTo(position[source]);
            final int head = at == 0 ? 4 : 0; // the number is written over the pattern
            if (at == 0) {
                assertThat(length).isGreaterThanOrEqualTo(4);
                assertThat(buffer.getInt(offset)).isEqualTo(next[source]);
            }
            assertThat(pattern.matches(next[source] + 1_000L * source, at + head, buffer, offset + head, length - head))
                    .isTrue();
            position[source] += length;
            if (position[source] == messageLength) {
                position[source] = 0;
                next[source]++;
                count++;
            }
        }
    }

    private static void assertAmid(final RawChannel channel) {
        try {
            assertThat(channel.puller().poll((buffer, offset, count, source) -> {}, 1))
                    .isZero();
        } catch (final IllegalStateException expected) {
            assertThat(expected).hasMessageContaining("go on with pollFragments");
        }
    }

    private static void copy(
            final DirectBuffer source,
            final int offset,
            final int count,
            final UnsafeBuffer piece,
            final long position) {
        int done = 0;
        while (done < count) {
            final int at = (int) ((position + done) % MIB);
            final int part = Math.min(count - done, MIB - at);
            piece.putBytes(at, source, offset + done, part);
            done += part;
            if (at + part == MIB) {
                final long start = position + done - MIB;
                if (piece.getLong(0) != start || piece.getLong(MIB - 8) != -start) {
                    throw new AssertionError("wrong bytes: position=" + start);
                }
            }
        }
    }

    private static void write(
            final MessageWriter writer, final UnsafeBuffer message, final int length, final int pieceLength) {
        int done = 0;
        while (done < length) {
            final int count = Math.min(pieceLength, length - done);
            assertThat(writer.write(message, done, count)).isEqualTo(count);
            done += count;
        }
        assertThat(writer.remaining()).isZero();
        writer.close();
    }

    private static List<Integer> lengths() {
        final List<Integer> lengths = new ArrayList<>(List.of(0, 1, 7, 8, 9, 1_023, 1_024, 1_025));
        for (final int edge : List.of(FRAME_LIMIT, WINDOW / 2, WINDOW)) {
            for (int delta = -140; delta <= 0; delta += 12) {
                lengths.add(edge + delta);
            }
            lengths.addAll(List.of(edge - 1, edge + 1));
        }
        lengths.addAll(List.of(64 * 1024, MIB, 10 * MIB));
        return lengths;
    }

    /** Whoever broadcasts ten megabytes has to have room for them itself. */
    private static ClusterConfigBuilder roomForOneself(final ClusterConfigBuilder builder) {
        return Arrangement.tight(builder).channelWindowMax(32 * MIB).floatingWindow(512L * MIB);
    }
}
