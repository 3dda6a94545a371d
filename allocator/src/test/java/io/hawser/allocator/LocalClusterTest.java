package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.transport.ClusterConfig;
import io.hawser.transport.MessageTooLargeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One process: channels between its threads, or with itself. */
class LocalClusterTest {
    private static final String PREFIX = "hawser-";

    @AfterEach
    void shouldLeaveNoThread() {
        assertThat(Jvm.threads(PREFIX)).isEmpty();
    }

    /** L6, in one process. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldDeliverAllInOrderWhenEverybodySendsToEverybody(final int workers) throws Exception {
        final Outcomes<Long> outcomes = run(workers, new Exchange(10_000));

        assertThat(outcomes.isClean()).isTrue();
        assertThat(outcomes.values()).hasSize(workers).allMatch(count -> count == 10_000L * workers);
    }

    @Test
    void shouldTellEachWorkerWhoItIs() throws Exception {
        final Outcomes<String> outcomes = run(
                2,
                worker -> worker.index() + " " + worker.localIndex() + " " + worker.peers() + " "
                        + worker.processIndex() + " " + worker.processCount() + " " + worker.generation() + " "
                        + Thread.currentThread().getName());

        assertThat(outcomes.values())
                .containsExactly(
                        "0 0 2 0 1 1 hawser-hawser-p0-g1-worker-0", "1 1 2 0 1 1 hawser-hawser-p0-g1-worker-1");
        assertThat(outcomes.generation()).isEqualTo(1);
    }

    @Test
    void shouldShowBroadcastToAllInOrderWithTheRest() throws Exception {
        final Outcomes<List<String>> outcomes = run(3, worker -> {
            final Channel<String> channel = worker.allocate(0, Codecs.utf8());
            if (worker.index() == 1) {
                channel.broadcaster().push("all");
                channel.pushers().get(0).push("zero");
                channel.pusher(2).push("two");
                channel.broadcaster().push("all again");
                channel.flush();
            }
            return pull(worker, channel, worker.index() == 1 ? 2 : 3);
        });

        assertThat(outcomes.values())
                .containsExactly(
                        List.of("all", "zero", "all again"),
                        List.of("all", "all again"),
                        List.of("all", "two", "all again"));
    }

    /** G1. */
    @Test
    void shouldDeliverMessageWhenItIsEmpty() throws Exception {
        final Outcomes<Integer> outcomes = run(2, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            if (worker.index() == 0) {
                channel.pusher(1).claim(0);
                channel.pusher(1).commit();
                channel.broadcaster().push(new UnsafeBuffer(0, 0), 0, 0);
                channel.flush();
            }
            final int expected = worker.index() == 0 ? 1 : 2;
            return poll(worker, channel, expected, (buffer, offset, length, source) -> {
                assertThat(length).isZero();
                assertThat(source).isZero();
            });
        });

        assertThat(outcomes.values()).containsExactly(1, 2);
    }

    @Test
    void shouldReadAndWriteInPlaceWhenRaw() throws Exception {
        final Outcomes<Long> outcomes = run(1, worker -> {
            final RawChannel channel = worker.allocateRaw(3);
            final RawPusher self = channel.pusher(0);
            for (int i = 1; i <= 100; i++) {
                final int offset = self.claim(i);
                self.buffer().setMemory(offset, i, (byte) i);
                if (i % 10 == 0) {
                    self.abort();
                } else {
                    self.commit();
                }
            }
            channel.flush();
            final long[] sum = new long[1];
            assertThat(poll(worker, channel, 90, (buffer, offset, length, source) -> {
                        assertThat(buffer.getByte(offset + length - 1)).isEqualTo((byte) length);
                        sum[0] += length;
                    }))
                    .isEqualTo(90);
            assertThat(channel.puller().poll((buffer, offset, length, source) -> {}, 10))
                    .isZero();
            return sum[0];
        });

        assertThat(outcomes.values()).containsExactly(5_050L - 550);
    }

    /** Case 29. */
    @Test
    void shouldDeliverFromTheStartWhenChannelIsAllocatedLate() throws Exception {
        final Outcomes<List<Long>> outcomes = run(2, worker -> {
            final Channel<Long> early = worker.allocate(0, Codecs.int64());
            if (worker.index() == 0) {
                final Channel<Long> late = worker.allocate(1, Codecs.int64());
                for (long i = 0; i < 5; i++) {
                    late.pusher(1).push(i);
                }
                early.pusher(1).push(-1L);
                worker.flush();
                return List.of();
            }
            assertThat(pull(worker, early, 1)).containsExactly(-1L);
            return pull(worker, worker.allocate(1, Codecs.int64()), 5);
        });

        assertThat(outcomes.values().get(1)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void shouldRefuseMessageWhenItIsTooLarge() throws Exception {
        final int limit = 10_000;
        final ClusterConfig config = ClusterConfig.builder()
                .frameLimit(1_024)
                .messageLimit(limit)
                .workersPerProcess(2)
                .build();
        final Outcomes<Integer> outcomes = run(config, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            if (worker.index() == 0) {
                assertThatThrownBy(() -> channel.pusher(1).push(new byte[limit + 1]))
                        .isInstanceOf(MessageTooLargeException.class)
                        .hasMessageEndingWith("messageLength=" + (limit + 1) + " messageLimit=" + limit);
                channel.broadcaster().push(new byte[limit]);
            }
            return pull(worker, channel, 1).get(0).length;
        });

        assertThat(outcomes.values()).containsExactly(limit, limit);
    }

    /** Case 105: at byte 0, in the middle and at the end. */
    @Test
    void shouldSendNothingWhenCodecThrows() throws Exception {
        final Outcomes<List<Long>> outcomes = run(2, worker -> {
            final Channel<Long> channel = worker.allocate(0, new FaultyCodec());
            if (worker.index() == 0) {
                for (long i = 0; i < 30_000; i++) {
                    final long message = -1 - i % 3;
                    assertThatThrownBy(() -> channel.pusher(1).push(message)).isInstanceOf(FaultyCodec.Fault.class);
                }
                channel.pusher(1).push(1L);
                assertThatThrownBy(() -> channel.broadcaster().push(-2L)).isInstanceOf(FaultyCodec.Fault.class);
                channel.pusher(1).push(2L);
                channel.flush();
                return List.of();
            }
            final List<Long> received = pull(worker, channel, 2);
            assertThat(channel.puller().pull()).isNull();
            return received;
        });

        assertThat(outcomes.values().get(1)).containsExactly(1L, 2L);
    }

    @Test
    void shouldHurtNobodyWhenCodecMiscounts() throws Exception {
        final Outcomes<List<Long>> outcomes = run(1, worker -> {
            final Channel<Long> channel = worker.allocate(0, new FaultyCodec());
            channel.pusher(0).push(1L);
            assertThatThrownBy(() -> channel.pusher(0).push(FaultyCodec.TOO_LONG))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            channel.pusher(0).push(2L);
            return pull(worker, channel, 2);
        });

        assertThat(outcomes.values().get(0)).containsExactly(1L, 2L);
    }

    @Test
    void shouldGoOnWithNextMessageWhenHandlerOrDecoderThrows() throws Exception {
        final Outcomes<List<Long>> outcomes = run(1, worker -> {
            final Channel<Long> channel = worker.allocate(0, new FaultyCodec());
            channel.pusher(0).push(FaultyCodec.UNDECODABLE);
            channel.pusher(0).push(1L);
            channel.flush();
            assertThatThrownBy(channel.puller()::pull).isInstanceOf(FaultyCodec.Fault.class);
            final RawChannel raw = worker.allocateRaw(1);
            raw.pusher(0).push(new UnsafeBuffer(new byte[8]), 0, 1);
            raw.pusher(0).push(new UnsafeBuffer(new byte[8]), 0, 2);
            raw.flush();
            assertThatThrownBy(() -> raw.puller()
                            .poll(
                                    (buffer, offset, length, source) -> {
                                        throw new FaultyCodec.Fault();
                                    },
                                    2))
                    .isInstanceOf(FaultyCodec.Fault.class);
            assertThat(raw.puller()
                            .poll(
                                    (buffer, offset, length, source) ->
                                            assertThat(length).isEqualTo(2),
                                    2))
                    .isEqualTo(1);
            return pull(worker, channel, 1);
        });

        assertThat(outcomes.values().get(0)).containsExactly(1L);
    }

    @Test
    void shouldRefuseMisuse() throws Exception {
        run(1, worker -> {
            final RawChannel channel = worker.allocateRaw(0);
            final RawPusher self = channel.pusher(0);
            final Channel<Long> typed = worker.allocate(1, Codecs.int64());
            assertThatThrownBy(() -> worker.allocateRaw(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> worker.allocateRaw(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> channel.pusher(1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> self.claim(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(self::commit).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(self::abort).isInstanceOf(IllegalStateException.class);
            self.claim(8);
            assertThatThrownBy(() -> self.claim(8)).hasMessageContaining("claimedChannelId=0");
            assertThatThrownBy(() -> typed.pusher(0).push(1L)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(worker::flush).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(worker::park).isInstanceOf(IllegalStateException.class);
            self.commit();
            channel.flush();
            channel.puller()
                    .poll(
                            (buffer, offset, length, source) -> assertThatThrownBy(
                                            () -> channel.puller().poll((b, o, l, s) -> {}, 1))
                                    .isInstanceOf(IllegalStateException.class),
                            1);
            assertThatThrownBy(() -> Jvm.inOtherThread(() -> {
                        worker.flush();
                        return null;
                    }))
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasStackTraceContaining("workerThread=hawser-hawser-p0-g1-worker-0 callingThread=test-other");
            return null;
        });
    }

    @Test
    void shouldRefuseChannelWhenWorkerHasEnded() throws Exception {
        final Outcomes<RawChannel> outcomes = run(1, worker -> worker.allocateRaw(4));
        final RawChannel channel = outcomes.values().get(0);

        assertThatThrownBy(() -> channel.pusher(0).claim(1)).hasMessage("the worker has ended: channelId=4");
        assertThatThrownBy(() -> channel.puller().poll((buffer, offset, length, source) -> {}, 1))
                .hasMessage("the worker has ended: channelId=4");
        assertThatThrownBy(channel::flush).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldGrowProgressWhenWorkerCalls() throws Exception {
        run(1, worker -> {
            final Channel<Long> channel = worker.allocate(0, Codecs.int64());
            long before = worker.progress();
            for (final Runnable call : List.<Runnable>of(
                    () -> channel.pusher(0).push(1L), channel::flush, channel.puller()::pull, worker::flush)) {
                call.run();
                assertThat(worker.progress()).isGreaterThan(before);
                before = worker.progress();
            }
            return null;
        });
    }

    @Test
    void shouldEndWaitWhenNothingCanArriveAnyMore() throws Exception {
        final Outcomes<String> outcomes = run(3, worker -> {
            final Channel<String> channel = worker.allocate(0, Codecs.utf8());
            if (worker.index() != 2) {
                channel.pusher(2).push("last words");
                return "";
            }
            final List<String> received = pull(worker, channel, 2);
            assertThatThrownBy(worker::park).isInstanceOf(EndOfStreamException.class);
            assertThatThrownBy(() -> worker.park(Duration.ofDays(1))).isInstanceOf(EndOfStreamException.class);
            channel.pusher(2).push("to myself");
            worker.park();
            return received.get(0) + ", " + channel.puller().pull();
        });

        assertThat(outcomes.values().get(2)).isEqualTo("last words, to myself");
    }

    @Test
    void shouldWakeForEndOfStreamWhenLastOtherWorkerEnds() throws Exception {
        final Thread[] waiting = new Thread[1];
        final Outcomes<Object> outcomes = run(2, worker -> {
            if (worker.index() == 0) {
                waiting[0] = Thread.currentThread();
                assertThatThrownBy(worker::park).isInstanceOf(EndOfStreamException.class);
            } else {
                Jvm.await("worker 0 starts", () -> waiting[0] != null);
                Jvm.awaitParked(waiting[0]);
            }
            return null;
        });

        assertThat(outcomes.isClean()).isTrue();
    }

    @Test
    void shouldDropMessagesWhenTheirTargetHasEnded() throws Exception {
        final Outcomes<Object> outcomes = run(2, worker -> {
            if (worker.index() == 0) {
                return null;
            }
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            for (int i = 0; i < 1_000; i++) {
                channel.pusher(0).push(new byte[10_000]);
            }
            return null;
        });

        assertThat(outcomes.isClean()).isTrue();
    }

    static <T> List<T> pull(final Worker worker, final Channel<T> channel, final int count) {
        final List<T> messages = new ArrayList<>();
        while (messages.size() < count) {
            final T message = channel.puller().pull();
            if (message == null) {
                worker.park();
            } else {
                messages.add(message);
            }
        }
        return messages;
    }

    static int poll(final Worker worker, final RawChannel channel, final int count, final MessageHandler handler) {
        int polled = channel.puller().poll(handler, count);
        while (polled < count) {
            worker.park();
            polled += channel.puller().poll(handler, count - polled);
        }
        return polled;
    }

    private static <R> Outcomes<R> run(final int workers, final WorkerFunction<R> function) throws Exception {
        return run(ClusterConfig.local(workers), function);
    }

    private static <R> Outcomes<R> run(final ClusterConfig config, final WorkerFunction<R> function) throws Exception {
        try (Cluster<R> cluster = Cluster.execute(config, function)) {
            final Outcomes<R> outcomes = cluster.join();
            outcomes.values();
            assertThat(cluster.liveBytes()).isZero();
            return outcomes;
        }
    }
}
