package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.transport.MessageTooLargeException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels that refuse: {@link OnFull#REFUSE}. */
@Timeout(60)
class RefusingPushTest {
    private static final int MESSAGE_LENGTH = 200;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final MessageHandler IGNORE = (buffer, offset, length, source) -> {};

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** L6: to one and to all in random turn, whatever is done until there is room; nothing is lost, or comes twice. */
    @ParameterizedTest
    @EnumSource
    void shouldLoseNothingWhenPushesAreRefusedAtRandom(final Arrangement arrangement) throws Exception {
        final long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        final int perWorker = 4_000;
        final List<Long> refusals = arrangement.run(Arrangement::tight, worker -> {
            final SplittableRandom random = new SplittableRandom(seed + worker.index());
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final Received received = new Received(worker.peers());
            final long[] sent = new long[worker.peers()];
            final UnsafeBuffer message = new UnsafeBuffer(new byte[1_900]);
            long refused = 0;
            for (int i = 0; i < perWorker; i++) {
                final int target = random.nextInt(worker.peers() + 1);
                final boolean isForAll = target == worker.peers();
                final RawPusher pusher = isForAll ? channel.broadcaster() : channel.pusher(target);
                final int length = 16 + random.nextInt(random.nextInt(10) == 0 ? 1_884 : 200);
                message.putLong(0, isForAll ? 1 : 0);
                for (int to = 0; to < worker.peers(); to++) {
                    if (isForAll || to == target) {
                        sent[to]++;
                    }
                }
                Pattern.fill(i, 0, message, 8, length - 8);
                message.putLong(8, i);
                while (pusher.push(message, 0, length) == PushResult.REFUSED) {
                    refused++;
                    pause(worker, channel, received, random.nextInt(4));
                }
                if (random.nextInt(20) == 0) {
                    channel.puller().poll(received, random.nextInt(20));
                }
            }
            for (int to = 0; to < worker.peers(); to++) {
                final int offset = claim(worker, channel, received, to);
                channel.pusher(to).buffer().putLong(offset, 2);
                channel.pusher(to).buffer().putLong(offset + 8, sent[to]);
                channel.pusher(to).commit();
            }
            while (received.endedCount < worker.peers()) {
                worker.park();
                channel.puller().poll(received, Integer.MAX_VALUE);
            }
            assertThat(channel.puller().poll(received, 1)).isZero();
            return refused;
        });
        assertThat(refusals).allMatch(count -> count > 0);
    }

    /** Case 103: each sends twice the window, and more, before it receives. */
    @ParameterizedTest
    @EnumSource
    void shouldCompleteACircleWhenWorkersPullWhileRefused(final Arrangement arrangement) throws Exception {
        final int count = 20 * Arrangement.WINDOW / MESSAGE_LENGTH;
        final List<Long> received = arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final long[] sum = {0};
            final MessageHandler counter = (buffer, offset, length, source) -> sum[0]++;
            final RawPusher next = channel.pusher((worker.index() + 1) % worker.peers());
            final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
            for (int i = 0; i < count; ) {
                if (next.push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
                    i++;
                } else {
                    worker.park();
                    channel.puller().poll(counter, 1);
                }
            }
            LocalClusterTest.poll(worker, channel, count - (int) sum[0], counter);
            return sum[0];
        });
        assertThat(received).containsOnly((long) count);
    }

    /** Unread messages keep a park awake; this wait is for room, and nothing else. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldAwaitRoomWhenMessagesWaitUnread(final Arrangement arrangement) throws Exception {
        final AtomicBoolean isToRead = new AtomicBoolean();
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final int last = worker.peers() - 1;
            if (worker.index() == 0) {
                while (!worker.park(LONG)) {
                    // until the unread message is here
                }
                final int count = pushUntilRefused(channel.pusher(last));
                assertThat(worker.awaitRoom(Duration.ZERO)).isFalse();
                assertThat(worker.awaitRoom(Duration.ofMillis(5))).isFalse();
                isToRead.set(true);
                assertThat(worker.awaitRoom(LONG)).isTrue();
                assertThat(worker.awaitRoom(Duration.ZERO)).isTrue();
                final int offset = channel.pusher(last).claim(8);
                assertThat(offset).isNotNegative();
                channel.pusher(last).buffer().putLong(offset, -1L - count);
                channel.pusher(last).commit();
                assertThat(channel.puller().poll(IGNORE, 2)).isOne();
            } else if (worker.index() == last) {
                final UnsafeBuffer unread = new UnsafeBuffer(new byte[8]);
                channel.pusher(0).push(unread, 0, 8);
                worker.flush();
                Jvm.await("worker 0 waits for room", isToRead::get);
                pollUntilMark(worker, channel);
            }
            return null;
        });
    }

    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldReturnFromParkWhenThereIsRoom(final Arrangement arrangement) throws Exception {
        final AtomicBoolean isToRead = new AtomicBoolean();
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final int last = worker.peers() - 1;
            if (worker.index() == 0) {
                final int count = pushUntilRefused(channel.pusher(last));
                assertThat(worker.park(Duration.ofMillis(5))).isFalse();
                isToRead.set(true);
                assertThat(worker.park(LONG)).isTrue();
                final int offset = channel.pusher(last).claim(8);
                assertThat(offset).isNotNegative();
                channel.pusher(last).buffer().putLong(offset, -1L - count);
                channel.pusher(last).commit();
            } else if (worker.index() == last) {
                Jvm.await("worker 0 waits for room", isToRead::get);
                pollUntilMark(worker, channel);
            }
            return null;
        });
    }

    /** Who ends gives back what it has not read: whoever was refused by it is not told that the stream has ended, but that there is room. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldReturnFromParkWhenAllOthersHaveEnded(final Arrangement arrangement) throws Exception {
        final AtomicBoolean isRefused = new AtomicBoolean();
        final AtomicInteger running = new AtomicInteger(arrangement.workerCount() - 1);
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            if (worker.index() > 0) {
                Jvm.await("worker 0 is refused", isRefused::get);
                running.decrementAndGet();
                return null;
            }
            for (int target = 1; target < worker.peers(); target++) {
                pushUntilRefused(channel.pusher(target));
            }
            isRefused.set(true);
            Jvm.await("the others end", () -> running.get() == 0);
            for (int target = 1; target < worker.peers(); target++) {
                while (channel.pusher(target).claim(8) == RawPusher.REFUSED) {
                    assertThat(target % 2 == 0 ? worker.awaitRoom(LONG) : worker.park(LONG))
                            .isTrue();
                }
                channel.pusher(target).commit();
            }
            while (worker.awaitRoom(Duration.ZERO) && isParkedForNothing(worker)) {
                // refusals of before
            }
            return null;
        });
    }

    /** A message for all is taken for all or for none. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldRefuseABroadcastWhole(final Arrangement arrangement) throws Exception {
        final AtomicInteger pushed = new AtomicInteger(-1);
        final AtomicBoolean isToRead = new AtomicBoolean();
        final List<Integer> received = arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final int[] count = {0};
            final MessageHandler counter = (buffer, offset, length, source) -> count[0]++;
            final int last = worker.peers() - 1;
            if (worker.index() == 0) {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
                int taken = 0;
                while (channel.broadcaster().push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
                    taken++;
                    channel.puller().poll(counter, 10);
                }
                for (int i = 0; i < 100; i++) {
                    worker.flush();
                    channel.puller().poll(counter, 10);
                    if (channel.broadcaster().push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
                        taken++; // what the flush sent has been read by the others, not by the last one
                    }
                }
                worker.flush();
                pushed.set(taken);
            }
            if (worker.index() == last) {
                Jvm.await("worker 0 has pushed", () -> pushed.get() >= 0);
            }
            while (pushed.get() < 0 || count[0] < pushed.get()) {
                if (channel.puller().poll(counter, 10) == 0 && pushed.get() < 0) {
                    Thread.onSpinWait();
                } else if (count[0] < pushed.get()) {
                    worker.park(Duration.ofMillis(1));
                }
            }
            assertThat(channel.puller().poll(counter, 10)).isZero();
            return count[0];
        });
        assertThat(received).hasSize(arrangement.workerCount()).containsOnly(pushed.get());
        assertThat(pushed.get()).isLessThan(2 * Arrangement.WINDOW / MESSAGE_LENGTH);
    }

    /** What is within the limit fits sooner or later; what is not never does, and says so. */
    @ParameterizedTest
    @EnumSource
    void shouldTellTheLimitWhenMessageCanNeverFit(final Arrangement arrangement) throws Exception {
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final int length = 1_000_000;
            final int target = (worker.index() + 1) % worker.peers();
            for (final RawPusher pusher : List.of(channel.pusher(target), channel.broadcaster())) {
                final int limit = limitOf(pusher, length);
                assertThat(limit).isBetween(1_000, Arrangement.WINDOW / 2);
                assertThatThrownBy(() -> pusher.claim(limit + 1))
                        .hasMessageEndingWith("messageLength=" + (limit + 1) + " limit=" + limit);
                int left = 10;
                while (left > 0) {
                    pushUntilRefused(pusher);
                    int offset = pusher.claim(limit);
                    while (offset == RawPusher.REFUSED) {
                        worker.park();
                        channel.puller().poll(IGNORE, 1);
                        offset = pusher.claim(limit);
                    }
                    pusher.buffer().putLong(offset, 0);
                    pusher.commit();
                    left--;
                }
            }
            return null;
        });
    }

    /** A writer on a channel that refuses, which goes on without waiting; then the channel is closed, and there is no lane to ask about. */
    @ParameterizedTest
    @EnumSource
    void shouldForgetTheRefusalWhenWriterIsDoneAndChannelClosed(final Arrangement arrangement) throws Exception {
        final AtomicInteger refusedWorkers = new AtomicInteger();
        arrangement.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final RawChannel other = worker.allocateRaw(1);
            final int length = 4 * Arrangement.WINDOW;
            final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
            final MessageWriter writer =
                    channel.pusher((worker.index() + 1) % worker.peers()).write(length);
            final long[] received = {0};
            boolean isRefused = false;
            while (writer.remaining() > 0) {
                final int count = (int) writer.remaining();
                if (writer.write(message, length - count, count) < count && !isRefused) {
                    isRefused = true;
                    refusedWorkers.incrementAndGet();
                }
                worker.flush();
                if (refusedWorkers.get() == worker.peers()) { // before that nobody pulls, so that all are refused once
                    channel.puller().pollFragments((b, o, n, s, position, whole) -> received[0] += n, 1);
                }
            }
            assertThat(isRefused).isTrue();
            worker.flush();
            while (received[0] < length) {
                if (channel.puller().pollFragments((b, o, n, s, position, whole) -> received[0] += n, 9) == 0) {
                    Thread.onSpinWait();
                }
            }
            channel.close();
            assertThat(worker.awaitRoom(Duration.ofMillis(1))).isTrue();
            other.broadcaster().push(message, 0, 8);
            LocalClusterTest.poll(worker, other, worker.peers(), IGNORE);
            return null;
        });
    }

    /** The last bytes of a short message wait for room for all of it, without turning round and round. */
    @Test
    void shouldWaitForAllOfAMessageThatIsWrittenInPieces() throws Exception {
        Arrangement.ONE_THREAD.run(Arrangement::tight, worker -> {
            final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
            final RawPusher self = channel.pusher(0);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[1_000]);
            while (self.push(message, 0, 500) == PushResult.PUSHED) {
                // until not even half of it fits
            }
            final MessageWriter writer = self.write(1_000);
            assertThat(writer.write(message, 0, 999)).isEqualTo(999);
            assertThat(writer.write(message, 0, 1)).isZero();
            assertThat(writer.remaining()).isOne();
            assertThat(worker.awaitRoom(Duration.ofMillis(1))).isFalse();
            while (writer.write(message, 0, 1) == 0) {
                channel.puller().poll(IGNORE, 1);
            }
            assertThatThrownBy(() -> writer.write(message, 0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            writer.close();
            return null;
        });
    }

    /** What has arrived, from each source in the order of its numbers. */
    private static final class Received implements MessageHandler {
        private final long[] next;
        private final long[] count;
        private final Pattern pattern = new Pattern();
        private int endedCount;

        Received(final int peers) {
            next = new long[peers];
            count = new long[peers];
        }

        @Override
        public void onMessage(final DirectBuffer buffer, final int offset, final int length, final int source) {
            final long number = buffer.getLong(offset + 8);
            if (buffer.getLong(offset) == 2) {
                assertThat(count[source]).isEqualTo(number);
                endedCount++;
                return;
            }
            assertThat(number).isGreaterThanOrEqualTo(next[source]);
            assertThat(pattern.matches(number, 8, buffer, offset + 16, length - 16))
                    .isTrue();
            next[source] = number + 1;
            count[source]++;
        }
    }

    private static int claim(final Worker worker, final RawChannel channel, final Received received, final int target) {
        int offset = channel.pusher(target).claim(16);
        while (offset == RawPusher.REFUSED) {
            worker.park();
            channel.puller().poll(received, Integer.MAX_VALUE);
            offset = channel.pusher(target).claim(16);
        }
        return offset;
    }

    private static void pause(final Worker worker, final RawChannel channel, final Received received, final int kind) {
        switch (kind) {
            case 0 -> worker.park();
            case 1 -> worker.awaitRoom(Duration.ofNanos(100_000));
            case 2 -> worker.flush();
            default -> {
                worker.flush();
                channel.puller().poll(received, Integer.MAX_VALUE);
            }
        }
    }

    private static boolean isParkedForNothing(final Worker worker) {
        try {
            return worker.park(Duration.ofMillis(1));
        } catch (final EndOfStreamException expected) {
            return false;
        }
    }

    private static int limitOf(final RawPusher pusher, final int length) {
        try {
            pusher.claim(length);
        } catch (final MessageTooLargeException e) {
            assertThat(e).hasMessageContaining("messageLength=" + length);
            return Integer.parseInt(e.getMessage().replaceAll(".* limit=", ""));
        }
        throw new AssertionError("claimed: length=" + length);
    }

    private static int pushUntilRefused(final RawPusher pusher) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        int count = 0;
        while (pusher.push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
            count++;
        }
        return count;
    }

    /** Reads up to a message that tells how many were before it. */
    private static void pollUntilMark(final Worker worker, final RawChannel channel) {
        final int[] count = {0};
        final boolean[] isMarked = {false};
        final MessageHandler handler = (buffer, offset, length, source) -> {
            if (length == 8) {
                assertThat(buffer.getLong(offset)).isEqualTo(-1L - count[0]);
                isMarked[0] = true;
            } else {
                count[0]++;
            }
        };
        while (!isMarked[0]) {
            if (channel.puller().poll(handler, 1) == 0) {
                worker.park();
            }
        }
    }
}
