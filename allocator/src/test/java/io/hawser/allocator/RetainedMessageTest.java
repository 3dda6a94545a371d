package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are kept beyond the handler. */
@Timeout(60)
class RetainedMessageTest {
    private static final int SLAB_LENGTH = 64 * 1024;
    private static final int FRAME_LIMIT = 32 * 1024;
    private static final int WINDOW = 128 * 1024;

    /** Enough of a slab to be left where it lies. */
    private static final int MESSAGE_LENGTH = 17_000;

    private final Queue<RetainedMessage> retained = new ConcurrentLinkedQueue<>();

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** L7: what is retained holds up its sender; given back by another thread, it lets it go on. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldGiveBackCreditWhenClosedByAnotherThread(final Arrangement arrangement) throws Exception {
        final AtomicInteger pushed = new AtomicInteger();
        final AtomicBoolean isRefused = new AtomicBoolean();
        final AtomicBoolean isOver = new AtomicBoolean();
        final WorkerFunction<Object> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final int last = worker.peers() - 1;
            if (worker.index() == 0) {
                final UnsafeBuffer message = new UnsafeBuffer(Pattern.message(0, MESSAGE_LENGTH));
                while (channel.pusher(last).push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
                    worker.flush();
                    pushed.incrementAndGet();
                }
                assertThat(worker.awaitRoom(Duration.ofMillis(20))).isFalse();
                isRefused.set(true);
                assertThat(worker.awaitRoom(Duration.ofSeconds(20))).isTrue();
                assertThat(channel.pusher(last).push(message, 0, MESSAGE_LENGTH))
                        .isEqualTo(PushResult.PUSHED);
                worker.flush();
                isOver.set(true);
            } else if (worker.index() == last) {
                final int[] count = {0};
                while (!isOver.get() || count[0] <= pushed.get()) {
                    channel.puller()
                            .poll(
                                    (buffer, offset, length, source) -> {
                                        count[0]++;
                                        if (!isRefused.get() || count[0] <= pushed.get()) {
                                            retained.add(channel.puller().retain());
                                        }
                                    },
                                    10);
                }
            }
            return null;
        };
        try (Loopback<Object> cluster = arrangement.start(RetainedMessageTest::small, function)) {
            Jvm.await("the channel is full of what is retained", isRefused::get);
            assertThat(isOver.get()).isFalse();
            Jvm.await("all is retained", () -> retained.size() == pushed.get());
            final Pattern pattern = new Pattern();
            for (final RetainedMessage message : retained) {
                assertThat(message.length()).isEqualTo(MESSAGE_LENGTH);
                assertThat(message.sourceWorker()).isZero();
                assertThat(pattern.matches(0, 0, message.buffer(), message.offset(), message.length()))
                        .isTrue();
                message.close();
                message.close();
            }
            cluster.values();
        }
        assertThat(retained).isNotEmpty();
    }

    /** What outlives its worker, and the cluster, keeps its memory until it is given back, and is whole till then. */
    @ParameterizedTest
    @EnumSource
    void shouldKeepMemoryBeyondTheEndUntilClosed(final Arrangement arrangement) throws Exception {
        final int[] lengths = {0, 1, 150, 500, MESSAGE_LENGTH, 3 * WINDOW / 8};
        final WorkerFunction<Object> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final int next = (worker.index() + 1) % worker.peers();
            for (int round = 0; round < 20; round++) {
                for (final int length : lengths) {
                    final UnsafeBuffer message = new UnsafeBuffer(Pattern.message(length, length));
                    channel.pusher(next).push(message, 0, length);
                    final boolean isKept = round % 10 == 3;
                    LocalClusterTest.poll(worker, channel, 1, (buffer, offset, count, source) -> {
                        if (isKept) {
                            retained.add(channel.puller().retain());
                        }
                    });
                }
            }
            return null;
        };
        // half of the window is what a push can count on: it has to hold what is retained, and what three workers that
        // push before they pull may have under way on one lane
        final UnaryOperator<ClusterConfigBuilder> settings =
                builder -> small(builder).channelWindow(4 * WINDOW).channelWindowMax(4 * WINDOW);
        try (Loopback<Object> cluster = arrangement.start(settings, function)) {
            cluster.ended();
            assertThat(retained).hasSize(2 * lengths.length * arrangement.workerCount());
            long liveBytes = cluster.liveBytes();
            assertThat(liveBytes).isPositive();
            final Pattern pattern = new Pattern();
            final List<RetainedMessage> inOrder = new ArrayList<>(retained);
            for (int i = inOrder.size() - 1; i >= 0; i--) {
                final RetainedMessage message = inOrder.get(i);
                assertThat(pattern.matches(message.length(), 0, message.buffer(), message.offset(), message.length()))
                        .isTrue();
                message.close();
                assertThatThrownBy(message::buffer)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("length=" + message.length());
                assertThat(cluster.liveBytes()).isLessThanOrEqualTo(liveBytes);
                liveBytes = cluster.liveBytes();
            }
            assertThat(liveBytes).isZero();
        }
    }

    private static ClusterConfigBuilder small(final ClusterConfigBuilder builder) {
        return Arrangement.tight(builder)
                .slabLength(SLAB_LENGTH)
                .frameLimit(FRAME_LIMIT)
                .sendRingLength(4 * FRAME_LIMIT)
                .channelWindow(WINDOW)
                .channelWindowMax(WINDOW);
    }

    /** Two retain the same message, and the next one lies in the same row. */
    @Test
    void shouldGiveBackWithTheLastHolder() throws Exception {
        final WorkerFunction<Object> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            for (int i = 0; i < 3; i++) {
                channel.pusher(0).push(new UnsafeBuffer(Pattern.message(i, 8_000)), 0, 8_000);
            }
            worker.flush();
            channel.puller()
                    .poll(
                            (buffer, offset, length, source) -> {
                                retained.add(channel.puller().retain());
                                retained.add(channel.puller().retain());
                            },
                            2);
            channel.puller().poll((buffer, offset, length, source) -> {}, 2);
            final Pattern pattern = new Pattern();
            retained.poll().close();
            assertThat(pattern.matches(
                            0, 0, retained.peek().buffer(), retained.peek().offset(), 8_000))
                    .isTrue();
            retained.poll().close();
            assertThat(pattern.matches(
                            1, 0, retained.peek().buffer(), retained.peek().offset(), 8_000))
                    .isTrue();
            retained.poll().close();
            retained.poll().close();
            return null;
        };
        Arrangement.ONE_THREAD.run(RetainedMessageTest::small, function);
    }

    /** A row's credit comes back once, however often it was held, and by however many threads it is let go. */
    @Test
    void shouldBalanceWhenManyThreadsGiveBack() throws Exception {
        final int count = 2_000;
        final Queue<RetainedMessage> queue = retained;
        final AtomicBoolean isOver = new AtomicBoolean();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            final Thread thread = new Thread(
                    () -> {
                        while (!isOver.get() || !queue.isEmpty()) {
                            final RetainedMessage message = queue.poll();
                            if (message != null) {
                                message.close();
                            } else {
                                LockSupport.parkNanos(50_000);
                            }
                        }
                    },
                    "test-giving-back-" + i);
            thread.start();
            threads.add(thread);
        }
        final WorkerFunction<Object> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            if (worker.index() == 0) {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
                for (int i = 0; i < count; i++) {
                    (i % 2 == 0 ? channel.pusher(3) : channel.broadcaster()).push(message, 0, MESSAGE_LENGTH);
                    channel.puller().poll((b, o, l, s) -> {}, 10);
                }
            } else {
                final int expected = worker.index() == 3 ? count : count / 2;
                LocalClusterTest.poll(
                        worker,
                        channel,
                        expected,
                        (buffer, offset, length, source) ->
                                queue.add(channel.puller().retain()));
            }
            return null;
        };
        try (Loopback<Object> cluster = Arrangement.TWO_PROCESSES.start(RetainedMessageTest::small, function)) {
            assertThat(cluster.ended()).allMatch(Outcomes::isClean);
            isOver.set(true);
            for (final Thread thread : threads) {
                thread.join(20_000);
                assertThat(thread.isAlive()).isFalse();
            }
            assertThat(cluster.liveBytes()).isZero();
        } finally {
            isOver.set(true);
        }
    }

    @ParameterizedTest
    @CsvSource({"100", "5000"})
    void shouldRefuseToRetainWhatIsNotBeingShown(final int length) throws Exception {
        Arrangement.THREADS.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            assertThatThrownBy(channel.puller()::retain)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("channelId=0");
            final int next = (worker.index() + 1) % worker.peers();
            channel.pusher(next).push(new UnsafeBuffer(new byte[length]), 0, length);
            worker.flush();
            final long[] received = {0};
            while (received[0] < length) {
                final int polled = channel.puller()
                        .pollFragments(
                                (buffer, offset, count, source, position, whole) -> {
                                    if (whole > count) {
                                        assertThatThrownBy(channel.puller()::retain)
                                                .isInstanceOf(IllegalStateException.class);
                                    }
                                    received[0] += count;
                                },
                                1);
                if (polled == 0) {
                    worker.park();
                }
            }
            assertThatThrownBy(channel.puller()::retain).isInstanceOf(IllegalStateException.class);
            return null;
        });
    }
}
