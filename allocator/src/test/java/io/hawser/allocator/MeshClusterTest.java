package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.MessageTooLargeException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several processes over loopback, the clean way. */
class MeshClusterTest {
    @AfterEach
    void shouldLeaveNoThread() {
        assertThat(Jvm.threads("hawser-")).isEmpty();
    }

    /** L6: with rings of one frame and slabs of two, every edge is met again and again. */
    @ParameterizedTest
    @CsvSource({"2,1", "2,2", "3,2"})
    void shouldDeliverAllInOrderWhenEverybodySendsToEverybody(final int processes, final int workers) throws Exception {
        final int perPair = 20_000;
        try (Loopback<Long> cluster =
                Loopback.start(processes, workers, MeshClusterTest::tight, new Exchange(perPair))) {
            assertThat(cluster.values())
                    .hasSize(processes * workers)
                    .allMatch(count -> count == (long) perPair * processes * workers);
        }
    }

    @Test
    void shouldShareBroadcastInOneFrameForEachProcess() throws Exception {
        try (Loopback<List<String>> cluster = Loopback.start(2, 2, worker -> {
            final Channel<String> channel = worker.allocate(0, Codecs.utf8());
            if (worker.index() == 0) {
                channel.broadcaster().push("all");
                channel.pusher(3).push("three");
                channel.broadcaster().push("again");
                channel.flush();
            }
            return LocalClusterTest.pull(worker, channel, worker.index() == 3 ? 3 : 2);
        })) {
            assertThat(cluster.values())
                    .containsExactly(
                            List.of("all", "again"),
                            List.of("all", "again"),
                            List.of("all", "again"),
                            List.of("all", "three", "again"));
            assertThat(cluster.process(0).stats(1).framesOut()).isEqualTo(3);
            assertThat(cluster.process(1).stats(0).framesIn()).isEqualTo(3);
        }
    }

    /** G1 and case 29, from afar. */
    @Test
    void shouldDeliverFromTheStartWhenChannelIsAllocatedLate() throws Exception {
        final AtomicBoolean isSent = new AtomicBoolean();
        try (Loopback<List<Integer>> cluster = Loopback.start(2, 1, worker -> {
            if (worker.index() == 0) {
                final Channel<byte[]> channel = worker.allocate(5, Codecs.bytes());
                IntStream.range(0, 100).forEach(i -> channel.pusher(1).push(new byte[i]));
                channel.flush();
                isSent.set(true);
                return List.<Integer>of();
            }
            Jvm.await("worker 0 has sent", isSent::get);
            final Channel<byte[]> channel = worker.allocate(5, Codecs.bytes());
            return LocalClusterTest.pull(worker, channel, 100).stream()
                    .map(m -> m.length)
                    .toList();
        })) {
            assertThat(cluster.values().get(1))
                    .isEqualTo(IntStream.range(0, 100).boxed().toList());
        }
    }

    @Test
    void shouldKeepToSmallerLimitWhenProcessesDisagree() throws Exception {
        try (Loopback<Integer> cluster = Loopback.start(2, 1, MeshClusterTest::ownMessageLimit, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            final int limit = 3_000;
            for (int target = 0; target < 2; target++) {
                final Pusher<byte[]> pusher = channel.pusher(target);
                assertThatThrownBy(() -> pusher.push(new byte[limit + 1]))
                        .isInstanceOf(MessageTooLargeException.class)
                        .hasMessageEndingWith("messageLength=" + (limit + 1) + " messageLimit=" + limit);
                pusher.push(new byte[limit]);
            }
            return LocalClusterTest.pull(worker, channel, 2).get(1).length;
        })) {
            assertThat(cluster.values()).containsExactly(3_000, 3_000);
        }
    }

    /** Case 105, in rings. */
    @Test
    void shouldSendNothingWhenCodecThrows() throws Exception {
        try (Loopback<List<Long>> cluster = Loopback.start(2, 1, MeshClusterTest::tight, worker -> {
            final Channel<Long> channel = worker.allocate(0, new FaultyCodec());
            if (worker.index() == 0) {
                for (long i = 0; i < 30_000; i++) {
                    final Pusher<Long> pusher = i % 2 == 0 ? channel.pusher(1) : channel.broadcaster();
                    final long message = -1 - i % 3;
                    assertThatThrownBy(() -> pusher.push(message)).isInstanceOf(FaultyCodec.Fault.class);
                }
                channel.pusher(1).push(1L);
                channel.broadcaster().push(2L);
                return List.<Long>of();
            }
            final List<Long> received = LocalClusterTest.pull(worker, channel, 2);
            assertThatThrownBy(worker::park).isInstanceOf(EndOfStreamException.class);
            return received;
        })) {
            assertThat(cluster.values().get(1)).containsExactly(1L, 2L);
        }
    }

    /** Case 84: pushed, not flushed, returned. */
    @Test
    void shouldDeliverEverythingWhenSenderReturnsAtOnce() throws Exception {
        final int messages = 2_000;
        try (Loopback<Integer> cluster = Loopback.start(2, 1, worker -> {
            final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
            if (worker.index() == 0) {
                for (int i = 0; i < messages; i++) {
                    channel.pusher(1).push(new byte[10_000]);
                }
                return 0;
            }
            return LocalClusterTest.pull(worker, channel, messages).size();
        })) {
            assertThat(cluster.values()).containsExactly(0, messages);
        }
    }

    @Test
    void shouldSayEndOfStreamWhenOtherProcessesHaveHungUp() throws Exception {
        try (Loopback<String> cluster = Loopback.start(3, 1, worker -> {
            final Channel<String> channel = worker.allocate(0, Codecs.utf8());
            if (worker.index() > 0) {
                channel.pusher(0).push("bye");
                return "";
            }
            final List<String> received = LocalClusterTest.pull(worker, channel, 2);
            assertThatThrownBy(worker::park).isInstanceOf(EndOfStreamException.class);
            return String.join(" ", received);
        })) {
            assertThat(cluster.values()).containsExactly("bye bye", "", "");
        }
    }

    /** Case 85 (a): nobody joins, nobody closes, and still nothing is left. */
    @Test
    void shouldEndCleanlyByItselfWhenWorkersReturn() throws Exception {
        final Loopback<Object> cluster = Loopback.start(3, 2, worker -> null);

        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());

        assertThat(cluster.process(0).liveBytes()).isZero();
        assertThat(cluster.join()).allMatch(Outcomes::isClean);
    }

    private static ClusterConfigBuilder tight(final ClusterConfigBuilder builder) {
        return builder.frameLimit(1_024).sendRingLength(2_048).slabLength(64 * 1_024);
    }

    private static int processIndex(final ClusterConfigBuilder builder) {
        return builder.build().processIndex();
    }

    private static ClusterConfigBuilder ownMessageLimit(final ClusterConfigBuilder builder) {
        return builder.frameLimit(1_024).messageLimit(processIndex(builder) == 0 ? 4_096 : 3_000);
    }
}
