package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A receiver that drops a channel: its producers learn it, as no failure (L10). */
@Timeout(60)
class DroppedChannelTest {
    private static final int LENGTH = 500;
    private static final int LONG = 40 * 1024;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONG]);

    /** Worker 0 reads a little and drops the channel; all others, which wait for room, stop producing; another channel goes on. */
    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void shouldTellWaitingProducersThatTheReceiverIsGone(final Arrangement arrangement) throws Exception {
        final int workers = arrangement.workerCount();
        final List<Integer> ends = arrangement.run(Arrangement::tight, worker -> {
            final RawChannel dropped = worker.allocateRaw(0);
            final Channel<Long> other = worker.allocate(1, Codecs.int64());
            int count = 0;
            if (worker.index() == 0) {
                if (workers > 1) {
                    while (dropped.puller().poll((buffer, offset, length, source) -> {}, 1) == 0) {
                        worker.park();
                    }
                }
                dropped.drop();
            } else {
                while (dropped.pusher(0).push(message, 0, LENGTH) == PushResult.PUSHED) {
                    count++;
                }
                assertThat(dropped.pusher(0).isReceiverGone()).isTrue();
                assertThat(dropped.pusher(0).push(message, 0, LENGTH)).isEqualTo(PushResult.RECEIVER_GONE);
                final int offset = dropped.pusher(0).claim(8); // a claim goes nowhere, and does no harm
                dropped.pusher(0).buffer().putLong(offset, 1);
                dropped.pusher(0).commit();
                assertThat(dropped.pusher(worker.index()).isReceiverGone()).isFalse();
            }
            exchange(worker, other);
            assertThat(worker.health().isLost()).isFalse();
            dropped.close();
            return count;
        });
        assertThat(ends).hasSize(workers);
        assertThat(ends.subList(1, workers)).allMatch(count -> count > 0);
    }

    private static void exchange(final Worker worker, final Channel<Long> channel) {
        channel.broadcaster().push(1L);
        worker.flush();
        int count = 0;
        while (count < worker.peers()) {
            if (channel.puller().pull() == null) {
                worker.park();
            } else {
                count++;
            }
        }
    }

    /** The message that is just being sent in fragments is sent to its end, and a broadcast goes on until the last has dropped it. */
    @ParameterizedTest
    @EnumSource(
            value = Arrangement.class,
            names = {"THREADS", "TWO_PROCESSES", "THREE_PROCESSES"})
    void shouldEndFragmentsAndBroadcasts(final Arrangement arrangement) throws Exception {
        final int workers = arrangement.workerCount();
        final List<Boolean> ends = arrangement.run(
                builder -> Arrangement.tight(builder).messageLimit(LONG).assemblyLimit(LONG), worker -> {
                    final RawChannel channel = worker.allocateRaw(0);
                    final Channel<Long> other = worker.allocate(1, Codecs.int64());
                    if (worker.index() == 0) {
                        for (int i = 0; i < 5; i++) {
                            channel.pusher(workers - 1).push(message, 0, LONG);
                        }
                        while (!othersAreGone(channel, workers)) {
                            channel.broadcaster().push(message, 0, LENGTH);
                            worker.flush();
                            channel.puller().poll((buffer, offset, length, source) -> {}, 10);
                        }
                        assertThat(channel.broadcaster().isReceiverGone()).isFalse(); // it reads itself
                    } else {
                        worker.park(Duration.ofMillis(5));
                        channel.drop();
                    }
                    exchange(worker, other);
                    return true;
                });
        assertThat(ends).hasSize(workers).containsOnly(true);
    }

    private static boolean othersAreGone(final RawChannel channel, final int workers) {
        for (int worker = 1; worker < workers; worker++) {
            if (!channel.pusher(worker).isReceiverGone()) {
                return false;
            }
        }
        return true;
    }

    /** Dropped before anything is pushed: who pushes later learns it all the same. */
    @ParameterizedTest
    @EnumSource(
            value = Arrangement.class,
            names = {"THREADS", "TWO_PROCESSES", "THREE_PROCESSES"})
    void shouldTellProducersThatComeLater(final Arrangement arrangement) throws Exception {
        final List<Boolean> ends = arrangement.run(Arrangement::tight, worker -> {
            final Channel<Long> other = worker.allocate(1, Codecs.int64());
            if (worker.index() == 0) {
                worker.allocateRaw(0).drop();
            }
            exchange(worker, other);
            if (worker.index() != 0) {
                final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
                PushResult result = PushResult.PUSHED;
                while (result != PushResult.RECEIVER_GONE) {
                    result = channel.pusher(0).push(message, 0, LENGTH);
                    worker.flush();
                }
            }
            exchange(worker, worker.allocate(2, Codecs.int64()));
            return true;
        });
        assertThat(ends).containsOnly(true);
    }
}
