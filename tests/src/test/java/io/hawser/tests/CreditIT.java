package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.Cluster;
import io.hawser.allocator.OnFull;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.PushResult;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.Worker;
import io.hawser.fate.CauseKind;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.FreePorts;
import io.hawser.tests.harness.Pause;
import io.hawser.transport.ClusterConfigBuilder;
import io.hawser.transport.Endpoint;
import io.hawser.transport.LaneState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** L7, L8: data that is limited, and control that is not, over real sockets. */
@Timeout(120)
class CreditIT {
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final Duration HEARTBEAT = Duration.ofMillis(50);
    private static final int MESSAGE_LENGTH = 10_000;

    private List<Integer> ports;

    @BeforeEach
    void takePorts() {
        ports = FreePorts.take(2);
    }

    /** A message of 64 MB on a path of 1 MB/s, for more than three time-outs: no false alarm, and heartbeats between its parts. */
    @Test
    void shouldNotTakeAPeerForDeadBehindBulkOnASlowPathCase52() throws Exception {
        final AtomicLong echoes = new AtomicLong();
        try (FaultProxy proxy = FaultProxy.to(ports.get(0));
                Member receiver = Member.start(config(0).build(), CreditIT::pullForEver);
                Member sender = Member.start(
                        config(1)
                                .address(0, new Endpoint("127.0.0.1", proxy.port()))
                                .socketSendBufferLength(64 * 1024)
                                .build(),
                        CreditIT::pushOneHugeMessage)) {
            final Cluster<Long> receiving = receiver.formed();
            final Cluster<Long> sending = sender.formed();
            proxy.toTarget().trickle(10_000, Duration.ofMillis(10));
            final long startNs = System.nanoTime();
            long lastRoundTripNs = 0;
            while (System.nanoTime() - startNs < 3.5 * SILENCE.toNanos()) {
                final long roundTripNs = sending.stats(0).roundTripNs();
                if (roundTripNs != lastRoundTripNs) {
                    lastRoundTripNs = roundTripNs;
                    echoes.incrementAndGet();
                }
                assertThat(receiving.health().isLost()).isFalse();
                assertThat(sending.health().isLost()).isFalse();
                Pause.of(Duration.ofMillis(5)); // looks on: nothing is waited for but time itself
            }
            assertThat(proxy.toTarget().passedBytes()).isLessThan(16 << 20);
            assertThat(echoes.get()).as("heartbeats that came back").isGreaterThan(10);
            System.out.println("heartbeats answered amid a message on a slow path: " + echoes.get()
                    + ", last round trip ms: " + lastRoundTripNs / 1_000_000);
            receiving.abort("seen enough");
        }
    }

    /** A worker that pulls nothing for ten time-outs stops its producer, and is not taken for dead. */
    @Test
    void shouldKeepAPeerWhoseWorkerDoesNotPullCase55() throws Exception {
        final Duration silence = Duration.ofMillis(400);
        final CountDownLatch isPulling = new CountDownLatch(1);
        final int count = 2_000;
        try (Member receiver = Member.start(
                        config(0).silenceTimeout(silence).abortTimeout(silence).build(),
                        worker -> pullAll(worker, isPulling, count));
                Member sender = Member.start(
                        config(1).silenceTimeout(silence).abortTimeout(silence).build(),
                        worker -> pushAll(worker, count))) {
            final Cluster<Long> receiving = receiver.formed();
            final Cluster<Long> sending = sender.formed();
            final long startNs = System.nanoTime();
            Deadline.await(Member.PATIENCE, "the producer stops", () -> isAtLimit(sending));
            while (System.nanoTime() - startNs < 10 * silence.toNanos()) {
                assertThat(receiving.health().isLost()).isFalse();
                Pause.of(Duration.ofMillis(20)); // looks on
            }
            final LaneState lane = receiving.lanes(1).stream()
                    .filter(state -> !state.isSending())
                    .findFirst()
                    .orElseThrow();
            assertThat(lane.consumed()).isZero();
            assertThat(lane.charged()).isLessThanOrEqualTo(receivingWindow());
            isPulling.countDown();
            assertThat(sender.joined().isClean()).isTrue();
            final Outcomes<Long> outcomes = receiver.joined();
            assertThat(outcomes.isClean()).isTrue();
            assertThat(outcomes.values()).containsExactly((long) count);
        }
    }

    /** All windows full both ways: heartbeats come back, and a failure is known at once. */
    @Test
    void shouldLetControlPassWhenAllWindowsAreFullCase108() throws Exception {
        try (Member first = Member.start(config(0).build(), CreditIT::fillAndStay);
                Member second = Member.start(config(1).build(), CreditIT::fillAndStay)) {
            final Cluster<Long> one = first.formed();
            final Cluster<Long> two = second.formed();
            Deadline.await(Member.PATIENCE, "windows are full", () -> isAtLimit(one) && isAtLimit(two));
            final long heard = one.stats(1).bytesIn();
            Deadline.await(
                    Member.PATIENCE, "heartbeats go on", () -> one.stats(1).bytesIn() > heard + 5 * 96);
            assertThat(one.stats(1).roundTripNs()).isBetween(1L, SILENCE.toNanos() / 2);
            final long startNs = System.nanoTime();
            one.abort("enough");
            assertThat(second.joined().cause().kind()).isEqualTo(CauseKind.CLOSED_BY_USER);
            assertThat(System.nanoTime() - startNs).isLessThan(SILENCE.toNanos());
        }
    }

    private static boolean isAtLimit(final Cluster<Long> cluster) {
        return cluster != null
                && cluster.lanes(1 - cluster.processIndex()).stream()
                        .anyMatch(lane -> lane.isSending() && lane.limit() - lane.charged() < 2 * MESSAGE_LENGTH);
    }

    private long receivingWindow() {
        return config(0).build().channelWindow();
    }

    private ClusterConfigBuilder config(final int index) {
        return Member.config(index, ports).heartbeatInterval(HEARTBEAT).silenceTimeout(SILENCE);
    }

    private static Long pullForEver(final Worker worker) {
        final RawChannel channel = worker.allocateRaw(0);
        while (true) {
            if (channel.puller().pollFragments((buffer, offset, length, source, position, all) -> {}, 100) == 0) {
                worker.park();
            }
        }
    }

    private static Long pushOneHugeMessage(final Worker worker) {
        final RawChannel channel = worker.allocateRaw(0);
        final int length = 64_000_000;
        channel.pusher(0).push(new UnsafeBuffer(new byte[length]), 0, length);
        worker.flush();
        while (true) {
            worker.park();
        }
    }

    private static Long pushAll(final Worker worker, final int count) {
        final RawChannel channel = worker.allocateRaw(0);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        for (int i = 0; i < count; i++) {
            channel.pusher(0).push(message, 0, MESSAGE_LENGTH);
        }
        return (long) count;
    }

    private static Long pullAll(final Worker worker, final CountDownLatch isPulling, final int count) throws Exception {
        final RawChannel channel = worker.allocateRaw(0);
        isPulling.await();
        long pulled = 0;
        while (pulled < count) {
            final int more = channel.puller().poll((buffer, offset, length, source) -> {}, 100);
            pulled += more;
            if (more == 0) {
                worker.park();
            }
        }
        return pulled;
    }

    private static Long fillAndStay(final Worker worker) {
        final RawChannel channel = worker.allocateRaw(0, OnFull.REFUSE);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        while (channel.pusher(1 - worker.index()).push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
            worker.flush();
        }
        while (true) {
            worker.awaitRoom(Duration.ofMillis(100));
        }
    }
}
