package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.transport.ClusterConfigBuilder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many channels at once, with tiny messages, and channels that close while what came on them is given back elsewhere. */
@Timeout(120)
class ManyChannelsTest {
    private static final int CHANNELS = 1_000;
    private static final boolean IS_SOAK = Boolean.getBoolean("hawser.soak");

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** Case 42: numbers of 8 bytes, each on the next channel, so that each is a frame of its own; then messages around the lengths of frame and slab. */
    @Test
    void shouldCarryTinyMessagesOverManyChannelsAndThenLargeOnesCase42() throws Exception {
        final long count = IS_SOAK ? 10_000_000 : 300_000;
        final int[] lengths = {1_024 - 53, 1_024 - 52, 1_024 - 51, 1_024, 65_535, 65_536, 65_537};
        try (Loopback<Long> cluster = Loopback.start(2, 1, ManyChannelsTest::small, worker -> {
            final RawChannel[] channels = new RawChannel[CHANNELS];
            for (int i = 0; i < CHANNELS; i++) {
                channels[i] = worker.allocateRaw(i);
            }
            return worker.index() == 0 ? pushAll(channels, count, lengths) : pullAll(worker, channels, count, lengths);
        })) {
            assertThat(cluster.values()).containsExactly(0L, count);
        }
    }

    private static long pushAll(final RawChannel[] channels, final long count, final int[] lengths) {
        final UnsafeBuffer number = new UnsafeBuffer(new byte[Long.BYTES]);
        for (long i = 0; i < count; i++) {
            number.putLong(0, i);
            channels[(int) (i % CHANNELS)].pusher(1).push(number, 0, Long.BYTES);
        }
        for (final int length : lengths) {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
            message.setMemory(0, length, (byte) length);
            channels[0].pusher(1).push(message, 0, length);
        }
        return 0;
    }

    private static long pullAll(
            final Worker worker, final RawChannel[] channels, final long count, final int[] lengths) {
        final long[] next = new long[CHANNELS];
        final long[] pulled = {0};
        final int[] large = {0};
        while (pulled[0] < count || large[0] < lengths.length) {
            final long before = pulled[0] + large[0];
            for (int i = 0; i < CHANNELS; i++) {
                final int channel = i;
                channels[i]
                        .puller()
                        .poll(
                                (buffer, offset, length, source) -> {
                                    if (length == Long.BYTES) {
                                        assertThat(buffer.getLong(offset))
                                                .isEqualTo(next[channel]++ * CHANNELS + channel);
                                        pulled[0]++;
                                    } else {
                                        assertThat(length).isEqualTo(lengths[large[0]++]);
                                        assertThat(buffer.getByte(offset + length - 1))
                                                .isEqualTo((byte) length);
                                    }
                                },
                                Integer.MAX_VALUE);
            }
            if (pulled[0] + large[0] == before) {
                worker.park();
            }
        }
        return pulled[0];
    }

    /** Case 107: channels are closed on both sides while another thread gives back what came on them. */
    @Test
    void shouldCloseChannelsWhileAnotherThreadGivesBackMessagesCase107() throws Exception {
        final int rounds = IS_SOAK ? 100_000 : 2_000;
        final BlockingQueue<RetainedMessage> kept = new LinkedBlockingQueue<>();
        final Thread releaser = new Thread(() -> {
            try {
                for (RetainedMessage message = kept.take(); message.length() > 0; message = kept.take()) {
                    message.close();
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        releaser.start();
        try (Loopback<Long> cluster = Loopback.start(2, 1, ManyChannelsTest::small, worker -> {
            final Deque<RawChannel> open = new ArrayDeque<>();
            long pulled = 0;
            for (int round = 0; round < rounds; round++) {
                final RawChannel channel = worker.allocateRaw(round);
                open.add(channel);
                pushSome(channel, 1 - worker.index());
                worker.flush();
                pulled += keepSome(channel, kept);
                if (open.size() > 20) {
                    open.poll().close();
                }
            }
            return pulled;
        })) {
            cluster.values();
        } finally {
            final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
            kept.add(new RetainedMessage(nothing, 0, 0, -1, null));
            releaser.join();
        }
    }

    private static void pushSome(final RawChannel channel, final int target) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        for (int i = 0; i < 5; i++) {
            channel.pusher(target).push(message, 0, 100);
        }
    }

    private static int keepSome(final RawChannel channel, final BlockingQueue<RetainedMessage> kept) {
        return channel.puller()
                .poll(
                        (buffer, offset, length, source) ->
                                kept.add(channel.puller().retain()),
                        Integer.MAX_VALUE);
    }

    private static ClusterConfigBuilder small(final ClusterConfigBuilder builder) {
        return builder.frameLimit(1_024)
                .sendRingLength(64 * 1_024)
                .slabLength(64 * 1_024)
                .channelWindow(8 * 1_024)
                .channelLimit(CHANNELS);
    }
}
