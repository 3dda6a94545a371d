package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Standstill;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Case 103: pushes that wait for long say who waits for whom; a circle is named as one. */
@Timeout(60)
class StandstillTest {
    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final Duration IDLE = Duration.ofMillis(20);
    private static final int CHANNEL = 3;

    private final Queue<Standstill> told = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isDone = new AtomicBoolean();

    @AfterEach
    void shouldLeaveNoThread() {
        Jvm.await("all threads end", () -> Jvm.threads("hawser-").isEmpty());
    }

    /** Each pushes to the next without pulling, and the last to the first. */
    @ParameterizedTest
    @EnumSource(names = "ONE_THREAD", mode = EnumSource.Mode.EXCLUDE)
    void shouldNameTheCircleWhenAllWaitForEachOther(final Arrangement arrangement) throws Exception {
        try (Loopback<Void> cluster = arrangement.start(this::settings, worker -> {
            final RawChannel channel = worker.allocateRaw(CHANNEL);
            pushForEver(channel.pusher((worker.index() + 1) % worker.peers()));
            return null;
        })) {
            final int workers = arrangement.workerCount();
            Jvm.await("the circle is told", () -> told.stream().anyMatch(report -> isWholeCircle(report, workers)));
            for (int process = 0; process < cluster.processCount(); process++) {
                final Cluster<Void> member = cluster.process(process);
                Jvm.await(
                        "process knows the circle",
                        () -> member.standstills().stream().anyMatch(report -> isWholeCircle(report, workers)));
            }
            final Standstill circle = told.stream()
                    .filter(report -> isWholeCircle(report, workers))
                    .findFirst()
                    .orElseThrow();
            assertThat(circle.describe()).contains("worker 0", "channel " + CHANNEL);
            cluster.process(0).abort("it has been told");
            assertThat(cluster.join()).allMatch(outcomes -> !outcomes.isClean());
        }
    }

    /** No circle: the one that is waited for computes, and moves. */
    @Test
    void shouldTellOfASlowConsumerThatItMoves() throws Exception {
        try (Loopback<Void> cluster = Loopback.start(2, 1, this::settings, worker -> {
            final RawChannel channel = worker.allocateRaw(CHANNEL);
            if (worker.index() == 0) {
                pushForEver(channel.pusher(1));
            }
            while (!isDone.get()) {
                worker.health().check();
                worker.flush(); // steps, and pulls nothing
                LockSupport.parkNanos(IDLE.toNanos());
            }
            return null;
        })) {
            Jvm.await(
                    "the slow one is named",
                    () -> told.stream()
                            .anyMatch(report -> !report.isCycle()
                                    && report.consumers().stream()
                                            .anyMatch(consumer -> consumer.worker() == 1
                                                    && consumer.progress() == Standstill.Progress.MOVED)));
            assertThat(cluster.process(1).standstills())
                    .as("nobody waits there")
                    .isEmpty();
            cluster.process(0).abort("it has been told");
            isDone.set(true);
            cluster.join();
        }
    }

    /** A push that goes on in time is nobody's business. */
    @Test
    void shouldSayNothingWhenPushesGoOn() throws Exception {
        try (Loopback<Void> cluster = Loopback.start(2, 1, this::settings, worker -> {
            final RawChannel channel = worker.allocateRaw(CHANNEL);
            if (worker.index() == 0) {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
                for (int i = 0; i < 20_000; i++) {
                    channel.pusher(1).push(message, 0, 100);
                }
                return null;
            }
            int count = 0;
            while (count < 20_000) {
                final int pulled = channel.puller().poll((buffer, offset, length, source) -> {}, 50);
                count += pulled;
                if (pulled == 0) {
                    worker.park();
                }
            }
            return null;
        })) {
            assertThat(cluster.join()).allMatch(Outcomes::isClean);
            assertThat(told).isEmpty();
        }
    }

    private ClusterConfigBuilder settings(final ClusterConfigBuilder builder) {
        return Arrangement.tight(builder)
                .heartbeatInterval(Duration.ofMillis(50))
                .standstillTimeout(TIMEOUT)
                .onStandstill(told::add);
    }

    private static boolean isWholeCircle(final Standstill report, final int workers) {
        return report.isCycle() && report.cycle().size() == workers;
    }

    private static void pushForEver(final RawPusher pusher) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        while (true) {
            pusher.push(message, 0, 100);
        }
    }
}
