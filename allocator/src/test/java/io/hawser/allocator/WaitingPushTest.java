package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Outcome;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels that wait: {@link OnFull#WAIT}. */
@Timeout(60)
class WaitingPushTest {
    private static final int MESSAGE_LENGTH = 200;
    private static final Duration LOSS_BOUND = Duration.ofSeconds(5);

    private final AtomicReference<Thread> pusherThread = new AtomicReference<>();

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** L6, L7, case 100: a consumer that takes one message while the producer makes thousands. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldHoldNoMoreThanTheLimitWhenConsumerIsSlow(final Arrangement arrangement) throws Exception {
        final int count = 20_000;
        final CompletableFuture<Loopback<Long>> started = new CompletableFuture<>();
        final AtomicLong peakBytes = new AtomicLong();
        final WorkerFunction<Long> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            if (worker.index() == 0) {
                pushNumbers(channel, worker.peers() - 1, count);
                return 0L;
            }
            if (worker.index() != worker.peers() - 1) {
                return 0L;
            }
            final Loopback<Long> cluster = started.join();
            final long[] next = {0};
            while (next[0] < count) {
                peakBytes.accumulateAndGet(
                        cluster.process(cluster.processCount() - 1).liveBytes(), Math::max);
                if (channel.puller().poll(inOrder(next), 1 + (int) (next[0] % 7)) == 0) {
                    worker.park();
                }
            }
            return next[0];
        };
        final AtomicLong limit = new AtomicLong();
        final UnaryOperator<ClusterConfigBuilder> settings = builder -> {
            final ClusterConfig config = Arrangement.tight(builder).build();
            final long rings = (config.processCount() - 1L) * config.workersPerProcess() * config.sendRingLength();
            limit.set(config.receiveMemoryLimit() + rings);
            return builder;
        };
        try (Loopback<Long> cluster = arrangement.start(settings, function)) {
            started.complete(cluster);
            assertThat(cluster.values()).endsWith((long) count);
        }

        assertThat(peakBytes.get()).isPositive().isLessThan(limit.get());
    }

    /** L3: the push of a worker that waits ends with the cluster. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldComeOutOfAWaitingPushWhenPeerPanics(final Arrangement arrangement) throws Exception {
        assertComesOut(arrangement, true);
    }

    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldComeOutOfAWaitingPushWhenClusterIsAborted(final Arrangement arrangement) throws Exception {
        assertComesOut(arrangement, false);
    }

    /** Case 103, the shortest circle: nothing was sent, and the channel goes on. */
    @ParameterizedTest
    @EnumSource
    void shouldNotWaitForItself(final Arrangement arrangement) throws Exception {
        arrangement.run(Arrangement::tight, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            final Pusher<byte[]> self = channel.pusher(worker.index());
            for (int round = 0; round < 3; round++) {
                int pushed = 0;
                try {
                    while (pushed < 1_000) {
                        self.push(Pattern.message(pushed, MESSAGE_LENGTH));
                        pushed++;
                    }
                } catch (final StandstillException expected) {
                    assertThat(expected).hasMessageEndingWith("messageLength=" + MESSAGE_LENGTH);
                }
                assertThat(pushed)
                        .isBetween(Arrangement.WINDOW / 2 / MESSAGE_LENGTH, Arrangement.WINDOW / MESSAGE_LENGTH);
                assertThatThrownBy(() -> self.push(new byte[MESSAGE_LENGTH])).isInstanceOf(StandstillException.class);
                final List<byte[]> received = LocalClusterTest.pull(worker, channel, pushed);
                for (int i = 0; i < pushed; i++) {
                    assertThat(received.get(i)).isEqualTo(Pattern.message(i, MESSAGE_LENGTH));
                }
                assertThat(channel.puller().pull()).isNull();
            }
            return null;
        });
    }

    /** The same for a message that is longer than the window: not even a part of it may go. */
    @ParameterizedTest
    @EnumSource
    void shouldSendNoPartOfALargeMessageToItself(final Arrangement arrangement) throws Exception {
        arrangement.run(Arrangement::tight, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            final Pusher<byte[]> self = channel.pusher(worker.index());
            for (int length = Arrangement.WINDOW / 2 - 200; length < 3 * Arrangement.WINDOW; length += 300) {
                final byte[] message = Pattern.message(length, length);
                boolean isPushed = false;
                try {
                    self.push(message);
                    isPushed = true;
                } catch (final StandstillException expected) {
                    assertThat(expected).hasMessageContaining("messageLength=" + length);
                }
                assertThat(isPushed).isEqualTo(length < Arrangement.WINDOW / 2 || isPushed);
                self.push(new byte[] {1});
                if (isPushed) {
                    assertThat(LocalClusterTest.pull(worker, channel, 1).get(0)).isEqualTo(message);
                }
                assertThat(LocalClusterTest.pull(worker, channel, 1).get(0)).containsExactly(1);
            }
            return null;
        });
    }

    /** A broadcast includes the worker itself: either all get it or none. */
    @ParameterizedTest
    @EnumSource
    void shouldBroadcastToAllOrNoneWhenItWouldWaitForItself(final Arrangement arrangement) throws Exception {
        final AtomicBoolean isOver = new AtomicBoolean();
        final AtomicLong expectedBytes = new AtomicLong(-1);
        final List<Long> received = arrangement.run(Arrangement::tight, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            long bytes = 0;
            long sum = 0;
            if (worker.index() == worker.peers() - 1) { // whose turn comes last
                for (int length = 100; length < 2 * Arrangement.WINDOW; length += 411) {
                    for (int i = 0; i < 3; i++) {
                        try {
                            channel.broadcaster().push(new byte[length]);
                            bytes += length;
                        } catch (final StandstillException expected) {
                            // nobody gets it
                        }
                    }
                    for (byte[] message = pullNow(worker, channel);
                            message != null;
                            message = channel.puller().pull()) {
                        sum += message.length;
                    }
                }
                expectedBytes.set(bytes);
                worker.flush();
                isOver.set(true);
            }
            while (!isOver.get() || sum < expectedBytes.get()) {
                final byte[] message = channel.puller().pull();
                if (message != null) {
                    sum += message.length;
                } else if (!isOver.get()) {
                    Thread.onSpinWait();
                } else if (sum < expectedBytes.get()) {
                    worker.park();
                }
            }
            assertThat(channel.puller().pull()).isNull();
            return sum;
        });
        assertThat(received).hasSize(arrangement.workerCount()).containsOnly(expectedBytes.get());
    }

    /** L6, case 29: many times the window for a channel that is opened after all others have begun. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldDeliverFromTheStartWhenChannelIsAllocatedLate(final Arrangement arrangement) throws Exception {
        final int count = 50 * Arrangement.WINDOW / MESSAGE_LENGTH;
        final List<Long> received = arrangement.run(Arrangement::tight, worker -> {
            if (worker.index() == 0) {
                pusherThread.set(Thread.currentThread());
                pushNumbers(worker.allocateRaw(7), worker.peers() - 1, count);
            }
            if (worker.index() < worker.peers() - 1) {
                return 0L;
            }
            Jvm.await("worker 0 starts", () -> pusherThread.get() != null);
            Jvm.awaitParked(pusherThread.get());
            final long[] next = {0};
            LocalClusterTest.poll(worker, worker.allocateRaw(7), count, inOrder(next));
            return next[0];
        });
        assertThat(received).endsWith((long) count);
    }

    /** Case 109: who is slow holds up the broadcast, and nothing else: what the others are sent besides arrives. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldKeepBroadcastsInOrderWhenOneWorkerIsSlow(final Arrangement arrangement) throws Exception {
        final int count = 3_000;
        final AtomicLong fastest = new AtomicLong();
        final List<Long> received = arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final long[] next = {0};
            if (worker.index() == 0) {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
                for (long i = 0; i < count; i++) {
                    message.putLong(0, i);
                    channel.broadcaster().push(message, 0, MESSAGE_LENGTH);
                    channel.puller().poll(inOrder(next), 10);
                }
            }
            final boolean isSlow = worker.index() == worker.peers() - 1;
            while (next[0] < count) {
                if (channel.puller().poll(inOrder(next), isSlow ? 1 : 1_000) == 0) {
                    worker.park();
                }
                if (isSlow) {
                    final long lead = fastest.get() - next[0];
                    assertThat(lead).isLessThan(4L * Arrangement.WINDOW / MESSAGE_LENGTH);
                } else {
                    fastest.accumulateAndGet(next[0], Math::max);
                }
            }
            return next[0];
        });
        assertThat(received).containsOnly((long) count);
    }

    private void assertComesOut(final Arrangement arrangement, final boolean isPanic) throws Exception {
        final AtomicLong lostAtNs = new AtomicLong();
        final AtomicLong outAtNs = new AtomicLong();
        final WorkerFunction<Object> function = worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            if (worker.index() == 0) {
                pusherThread.set(Thread.currentThread());
                try {
                    pushNumbers(channel, worker.peers() - 1, Integer.MAX_VALUE);
                } finally {
                    outAtNs.set(System.nanoTime());
                }
            } else if (worker.index() == worker.peers() - 1) {
                Jvm.await("worker 0 starts", () -> pusherThread.get() != null);
                Jvm.awaitParked(pusherThread.get());
                lostAtNs.set(System.nanoTime());
                if (isPanic) {
                    throw new FaultyCodec.Fault();
                }
                Jvm.await("the cluster is lost", () -> worker.health().isLost());
            }
            return null;
        };
        try (Loopback<Object> cluster = arrangement.start(Arrangement::tight, function)) {
            if (!isPanic) {
                Jvm.await("worker 0 waits", () -> lostAtNs.get() != 0);
                cluster.process(cluster.processCount() - 1).abort("test");
            }
            final List<Outcomes<Object>> outcomes = cluster.join();
            final Outcome<Object> pusher = outcomes.get(0).perWorker().get(0);
            assertThat(pusher).isInstanceOf(Outcome.Failed.class);
            assertThat(outAtNs.get() - lostAtNs.get()).isLessThan(LOSS_BOUND.toNanos());
        }
    }

    private static byte[] pullNow(final Worker worker, final Channel<byte[]> channel) {
        worker.flush();
        return channel.puller().pull();
    }

    private static void pushNumbers(final RawChannel channel, final int target, final int count) {
        final RawPusher pusher = channel.pusher(target);
        for (long number = 0; number < count; number++) {
            final int offset = pusher.claim(MESSAGE_LENGTH);
            pusher.buffer().putLong(offset, number);
            pusher.commit();
        }
        channel.flush();
    }

    private static MessageHandler inOrder(final long[] next) {
        return (buffer, offset, length, source) -> {
            assertThat(length).isEqualTo(MESSAGE_LENGTH);
            assertThat(source).isZero();
            assertThat(buffer.getLong(offset)).isEqualTo(next[0]++);
        };
    }
}
