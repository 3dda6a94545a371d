package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels that end before their worker does. */
@Timeout(60)
class ChannelCloseTest {
    private static final int MESSAGE_LENGTH = 200;
    private static final long FLOATING = 1024 * 1024;
    private static final boolean IS_SOAK = Boolean.getBoolean("hawser.soak");
    private static final int CYCLES = IS_SOAK ? 100_000 : 10_000;
    private static final int CYCLES_DEADLINE_S = IS_SOAK ? 240 : 50;

    /** What else a heap changes by between two collections. */
    private static final long HEAP_NOISE = 1024 * 1024;

    /** What each cycle would have to leave on the heap to be noticed by the soak, bytes: an entry of any table takes more. */
    private static final int LEFT_PER_CYCLE_MAX = 16;

    private static final MessageHandler IGNORE = (buffer, offset, length, source) -> {};

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** L7, L8, case 104: under load, some closed with unread messages; no memory grows, no credit gets lost. */
    @ParameterizedTest
    @Timeout(300)
    @CsvSource({"THREADS,1", "TWO_PROCESSES,1", "THREE_PROCESSES,10"})
    void shouldKeepMemoryFlatAndBooksBalancedOverManyChannels(final Arrangement arrangement, final int divisor)
            throws Exception {
        final int cycles = IS_SOAK ? CYCLES : CYCLES / divisor;
        final long startNs = System.nanoTime();
        final CompletableFuture<Loopback<Long>> started = new CompletableFuture<>();
        final AtomicLong settledBytes = new AtomicLong();
        final AtomicLong lateBytes = new AtomicLong();
        final AtomicLong settledHeapBytes = new AtomicLong();
        final CountDownLatch closed = new CountDownLatch(arrangement.workerCount());
        final AtomicBoolean isChecked = new AtomicBoolean();
        final WorkerFunction<Long> function = worker -> {
            final RawChannel load = worker.allocateRaw(Integer.MAX_VALUE, OnFull.REFUSE);
            final RawChannel idle = worker.allocateRaw(Integer.MAX_VALUE - 1);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[3_000]);
            long loadCount = 0;
            final Loopback<Long> cluster = started.join();
            for (int id = 0; id < cycles; id++) {
                final RawChannel channel = worker.allocateRaw(id);
                channel.broadcaster().push(message, 0, 8 + id % 100);
                if (id % 10 == 0) {
                    channel.pusher(id % worker.peers()).push(message, 0, 3_000);
                }
                loadCount +=
                        load.pusher(id % worker.peers()).push(message, 0, 1 + id % 1_000) == PushResult.PUSHED ? 1 : 0;
                load.puller().poll(IGNORE, 5);
                final int expected = id % 3 == 0 ? worker.peers() : worker.peers() - 1;
                int polled = 0;
                while (polled < expected) {
                    worker.park();
                    load.puller().poll(IGNORE, 5);
                    polled += channel.puller().poll(IGNORE, expected - polled);
                }
                channel.close();
                if (worker.index() == 0) {
                    final AtomicLong peak = id < cycles / 2 ? settledBytes : lateBytes;
                    peak.accumulateAndGet(cluster.liveBytes(), Math::max);
                    if (id == cycles / 10) {
                        settledHeapBytes.set(Jvm.heapBytes());
                    }
                }
            }
            load.close();
            closed.countDown();
            while (!isChecked.get()) {
                idle.puller().poll(IGNORE, 1); // what still comes for closed channels is given back
                LockSupport.parkNanos(50_000);
            }
            return loadCount;
        };
        try (Loopback<Long> cluster = arrangement.start(
                builder -> Arrangement.tight(builder)
                        .floatingWindow(FLOATING)
                        .channelWindowMax(64 * 1024)
                        .channelLimit(16),
                function)) {
            started.complete(cluster);
            assertThat(closed.await(CYCLES_DEADLINE_S, TimeUnit.SECONDS))
                    .as(() -> Jvm.stacks("-worker-"))
                    .isTrue();
            for (int process = 0; process < cluster.processCount(); process++) {
                final Cluster<Long> each = cluster.process(process);
                Jvm.await("all lent windows come back", () -> each.floatingBytes() == FLOATING);
            }
            final long lateHeapBytes = Jvm.heapBytes();
            isChecked.set(true);
            assertThat(cluster.values()).allMatch(count -> count > 0);
            System.out.printf(
                    "ChannelCloseTest: %s, %d cycles in %.1f s, direct memory at most %d bytes in the first half, %d in the second, heap after a tenth %d, at the end %d%n",
                    arrangement,
                    cycles,
                    (System.nanoTime() - startNs) / 1e9,
                    settledBytes.get(),
                    lateBytes.get(),
                    settledHeapBytes.get(),
                    lateHeapBytes);
            assertThat(lateHeapBytes)
                    .isLessThan(settledHeapBytes.get() + HEAP_NOISE + LEFT_PER_CYCLE_MAX * (long) cycles);
        } finally {
            isChecked.set(true);
        }
        assertThat(lateBytes.get()).isLessThanOrEqualTo(settledBytes.get() + 8 * 64 * 1024);
    }

    /** Who closes first makes no difference to the others: those who read on get all, those who push on wait for nobody. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldDiscardWhatComesWhenReceiverHasClosed(final Arrangement arrangement) throws Exception {
        final int count = 50 * Arrangement.WINDOW / MESSAGE_LENGTH;
        final List<Integer> received = arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final RawChannel other = worker.allocateRaw(1);
            final int last = worker.peers() - 1;
            final UnsafeBuffer message = new UnsafeBuffer(new byte[6 * MESSAGE_LENGTH]);
            final AtomicInteger numbers = new AtomicInteger();
            if (worker.index() == 0) {
                for (int i = 0; i < count; i++) {
                    message.putInt(0, i);
                    (i % 2 == 0 ? channel.broadcaster() : channel.pusher(last)).push(message, 0, MESSAGE_LENGTH);
                    if (i % 2 == 0) {
                        other.pusher(last).push(message, 0, MESSAGE_LENGTH);
                    }
                    channel.puller().poll(IGNORE, 10);
                }
                worker.flush();
                return 0;
            }
            if (worker.index() == last) {
                LocalClusterTest.poll(worker, channel, 1, IGNORE);
                channel.close();
                return LocalClusterTest.poll(
                        worker,
                        other,
                        count / 2,
                        (buffer, offset, length, source) ->
                                assertThat(buffer.getInt(offset)).isEqualTo(2 * numbers.getAndIncrement()));
            }
            return LocalClusterTest.poll(
                    worker,
                    channel,
                    count / 2,
                    (buffer, offset, length, source) ->
                            assertThat(buffer.getInt(offset)).isEqualTo(2 * numbers.getAndIncrement()));
        });
        assertThat(received.subList(1, received.size())).containsOnly(count / 2);
    }

    /** Case 103: who has closed a channel and waits elsewhere goes on giving back what comes for it. */
    @ParameterizedTest
    @CsvSource({"THREADS,false", "TWO_PROCESSES,false", "THREADS,true", "TWO_PROCESSES,true"})
    void shouldDiscardWhileItWaits(final Arrangement arrangement, final boolean isRefusing) throws Exception {
        final int count = 50 * Arrangement.WINDOW / MESSAGE_LENGTH;
        final AtomicBoolean isClosed = new AtomicBoolean();
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel there = worker.allocateRaw(0, isRefusing ? OnFull.REFUSE : OnFull.WAIT);
            final RawChannel back = worker.allocateRaw(1);
            final int last = worker.peers() - 1;
            final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
            if (worker.index() == 0) {
                back.close();
                isClosed.set(true);
                for (int i = 0; i < count; i++) {
                    while (there.pusher(last).push(message, 0, MESSAGE_LENGTH) == PushResult.REFUSED) {
                        assertThat(worker.awaitRoom(Duration.ofSeconds(20))).isTrue();
                    }
                }
            } else if (worker.index() == last) {
                Jvm.await("worker 0 has closed", isClosed::get);
                for (int i = 0; i < count; i++) {
                    back.pusher(0).push(message, 0, MESSAGE_LENGTH);
                }
                LocalClusterTest.poll(worker, there, count, IGNORE);
            }
            return null;
        });
    }

    /** A receiver that is behind holds up the channel that would be one too many, and nothing is lost. */
    @ParameterizedTest
    @CsvSource({"TWO_PROCESSES,100", "THREE_PROCESSES,100", "THREE_PROCESSES,3000"})
    void shouldWaitForARoomyLinkWhenChannelsFollowQuickly(final Arrangement arrangement, final int length)
            throws Exception {
        final int channels = 200;
        final AtomicReference<Thread> sender = new AtomicReference<>();
        final List<Integer> received =
                arrangement.run(builder -> Arrangement.tight(builder).channelLimit(1), worker -> {
                    final int last = worker.peers() - 1;
                    final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
                    int count = 0;
                    if (worker.index() == last) {
                        Jvm.await("worker 0 starts", () -> sender.get() != null);
                        Jvm.awaitParked(sender.get());
                    }
                    for (int id = 0; id < channels; id++) {
                        if (worker.index() == 0) {
                            final RawChannel channel = worker.allocateRaw(id);
                            sender.set(Thread.currentThread());
                            message.putInt(0, id);
                            channel.pusher(last).push(message, 0, length);
                            channel.close();
                        } else if (worker.index() == last) {
                            final RawChannel channel = worker.allocateRaw(id);
                            final int expected = id;
                            count += LocalClusterTest.poll(
                                    worker,
                                    channel,
                                    1,
                                    (buffer, offset, n, source) ->
                                            assertThat(buffer.getInt(offset)).isEqualTo(expected));
                            channel.close();
                        }
                    }
                    return count;
                });
        assertThat(received).endsWith(channels);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatIsClosed(final Arrangement arrangement) throws Exception {
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel raw = worker.allocateRaw(5);
            final Channel<Long> typed = worker.allocate(6, Codecs.int64());
            raw.broadcaster().push(new UnsafeBuffer(new byte[8]), 0, 8);
            raw.close();
            raw.close();
            typed.close();
            assertThatThrownBy(() -> worker.allocateRaw(5))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith("channelId=5");
            assertThatThrownBy(() -> worker.allocate(6, Codecs.int64())).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> raw.pusher(0).claim(1)).hasMessage("the channel is closed: channelId=5");
            assertThatThrownBy(() -> raw.pusher(0).write(1)).hasMessage("the channel is closed: channelId=5");
            assertThatThrownBy(() -> raw.broadcaster().push(new UnsafeBuffer(new byte[8]), 0, 8))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> typed.pusher(0).push(1L)).hasMessage("the channel is closed: channelId=6");
            assertThatThrownBy(() -> raw.puller().poll(IGNORE, 1)).hasMessage("the channel is closed: channelId=5");
            assertThatThrownBy(() -> raw.puller().pollFragments((b, o, l, s, p, w) -> {}, 1))
                    .hasMessage("the channel is closed: channelId=5");
            assertThatThrownBy(typed.puller()::pull).hasMessage("the channel is closed: channelId=6");
            return null;
        });
    }

    @Test
    void shouldStayOpenWhenItCannotBeClosedNow() throws Exception {
        Arrangement.ONE_THREAD.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final int offset = channel.pusher(0).claim(8);
            channel.pusher(0).buffer().putLong(offset, 42);
            assertThatThrownBy(channel::close).hasMessageContaining("claimedChannelId=0");
            assertThatThrownBy(() -> Jvm.inOtherThread(() -> {
                        channel.close();
                        return null;
                    }))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
            channel.pusher(0).commit();
            worker.flush();
            final int polled = channel.puller()
                    .poll(
                            (buffer, at, length, source) ->
                                    assertThat(buffer.getLong(at)).isEqualTo(42),
                            1);
            assertThat(polled).isOne();
            channel.close();
            return null;
        });
    }

    /** L7: what is closed and unread takes the place of an open channel, so that memory has a bound however fast channels follow each other. */
    @ParameterizedTest
    @EnumSource(names = {"THREADS", "TWO_PROCESSES"})
    void shouldCountClosedChannelsUntilTheyAreRead(final Arrangement arrangement) throws Exception {
        final AtomicBoolean isFull = new AtomicBoolean();
        final AtomicBoolean isRead = new AtomicBoolean();
        final List<Integer> last = arrangement.run(Arrangement::tight, worker -> {
            int id = 0;
            if (worker.index() == 0) {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[Arrangement.WINDOW / 4]);
                try {
                    while (id < 1_000) {
                        final RawChannel channel = worker.allocateRaw(id);
                        channel.pusher(1).push(message, 0, message.capacity());
                        channel.close();
                        id++;
                    }
                } catch (final IllegalStateException full) {
                    assertThat(full)
                            .hasMessageContaining("unreadClosedChannels=4")
                            .hasMessageEndingWith("channelId=4 openChannels=0 channelLimit=4");
                }
                assertThat(id).isEqualTo(4);
                isFull.set(true);
                Jvm.await("all is read", isRead::get);
                worker.allocateRaw(id).close();
                for (id = 100; id < 200; id++) { // what is its own nobody else could read
                    final RawChannel channel = worker.allocateRaw(id);
                    channel.pusher(0).push(message, 0, message.capacity());
                    channel.close();
                }
            } else if (worker.index() == 1) {
                Jvm.await("all places are taken", isFull::get);
                for (int i = 0; i < 4; i++) {
                    final RawChannel channel = worker.allocateRaw(i);
                    LocalClusterTest.poll(worker, channel, 1, IGNORE);
                    channel.close();
                }
                isRead.set(true);
            }
            return id;
        });
        assertThat(last).startsWith(200);
    }

    /** What a handler is being shown must not be given back under it. */
    @ParameterizedTest
    @CsvSource({"100", "3000", "8192"})
    void shouldStayOpenWhenItsHandlerClosesIt(final int length) throws Exception {
        Arrangement.ONE_THREAD.run(
                builder ->
                        Arrangement.tight(builder).channelWindowMax(64 * 1024).floatingWindow(FLOATING),
                worker -> {
                    final RawChannel channel = worker.allocateRaw(0);
                    final byte[] bytes = Pattern.message(length, length);
                    for (int i = 0; i < 2; i++) {
                        channel.pusher(0).push(new UnsafeBuffer(bytes), 0, length);
                    }
                    worker.flush();
                    final MessageHandler closing = (buffer, offset, n, source) -> {
                        assertThatThrownBy(channel::close)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageEndingWith("channelId=0");
                        assertThat(new Pattern().matches(length, 0, buffer, offset, n))
                                .isTrue();
                    };
                    assertThat(channel.puller().poll(closing, 1)).isOne();
                    channel.puller()
                            .pollFragments(
                                    (buffer, offset, n, source, at, whole) ->
                                            assertThatThrownBy(channel::close).hasMessageEndingWith("channelId=0"),
                                    1);
                    channel.close();
                    return null;
                });
    }

    /** A handler may find that it has seen enough. */
    @ParameterizedTest
    @EnumSource
    void shouldCloseAfterTheHandlerWithMoreUnread(final Arrangement arrangement) throws Exception {
        for (final int length : new int[] {100, 3 * Arrangement.WINDOW / 8, Arrangement.WINDOW}) {
            arrangement.run(
                    builder -> Arrangement.tight(builder)
                            .channelWindowMax(64 * 1024)
                            .floatingWindow(FLOATING),
                    worker -> {
                        final RawChannel channel = worker.allocateRaw(0);
                        final RawChannel other = worker.allocateRaw(1);
                        final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
                        for (int i = 0; i < 3; i++) {
                            channel.pusher(worker.index()).push(message, 0, length);
                        }
                        other.broadcaster().push(message, 0, 8);
                        worker.flush();
                        assertThat(channel.puller().poll(IGNORE, 1)).isOne();
                        channel.close();
                        LocalClusterTest.poll(worker, other, worker.peers(), IGNORE);
                        return null;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellTheLimitWhenTooManyChannelsAreOpen(final Arrangement arrangement) throws Exception {
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel first = worker.allocateRaw(0);
            worker.allocateRaw(1);
            worker.allocateRaw(2);
            worker.allocate(3, Codecs.int64(), OnFull.REFUSE);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> worker.allocateRaw(4))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("channelLimit of this process")
                        .hasMessageEndingWith("channelId=4 openChannels=4 channelLimit=4");
            }
            first.close();
            worker.allocateRaw(4).close();
            worker.allocateRaw(5);
            assertThatThrownBy(() -> worker.allocateRaw(6)).hasMessageContaining("channelId=6");
            return null;
        });
    }

    /** Case 105: with refusals, retained and unread messages about. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldCloseWithRefusedRetainedAndUnreadMessages(final Arrangement arrangement) throws Exception {
        final AtomicReference<RetainedMessage> retained = new AtomicReference<>();
        final AtomicBoolean isFull = new AtomicBoolean();
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final RawChannel next = worker.allocateRaw(1, OnFull.REFUSE);
            final int last = worker.peers() - 1;
            final UnsafeBuffer message = new UnsafeBuffer(Pattern.message(9, MESSAGE_LENGTH));
            if (worker.index() == 0) {
                while (channel.pusher(last).push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
                    // until it is full
                }
                assertThat(channel.broadcaster().push(message, 0, MESSAGE_LENGTH))
                        .isIn((Object[]) PushResult.values());
                isFull.set(true);
                channel.close();
                assertThat(worker.awaitRoom(Duration.ZERO)).isTrue();
                next.pusher(last).push(message, 0, MESSAGE_LENGTH);
            } else if (worker.index() == last) {
                Jvm.await("the channel is full", isFull::get);
                LocalClusterTest.poll(
                        worker,
                        channel,
                        1,
                        (buffer, offset, length, source) ->
                                retained.set(channel.puller().retain()));
                channel.close();
                LocalClusterTest.poll(worker, next, 1, IGNORE);
                final RetainedMessage kept = retained.get();
                assertThat(new Pattern().matches(9, 0, kept.buffer(), kept.offset(), kept.length()))
                        .isTrue();
                kept.close();
            }
            return null;
        });
    }
}
