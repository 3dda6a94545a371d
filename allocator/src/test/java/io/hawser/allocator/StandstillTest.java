package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Standstill;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** A listener, and the thread for it, are no reason for a worker to fail. */
    @ParameterizedTest
    @CsvSource({"NULL", "THROWING", "UNSTARTABLE", "LISTENER"})
    void shouldGoOnWhenTheListenerCannotBeCalled(final String fault) throws Exception {
        final AtomicBoolean isFaulty = new AtomicBoolean();
        final Queue<String> names = new ConcurrentLinkedQueue<>();
        final ThreadFactory factory = body -> {
            if (!isFaulty.get() || "LISTENER".equals(fault)) {
                return new Thread(body);
            }
            if ("THROWING".equals(fault)) {
                throw new FaultyCodec.Fault();
            }
            return "NULL".equals(fault) ? null : new Unstartable(body);
        };
        try (Loopback<Void> cluster = Arrangement.THREADS.start(
                builder -> settings(builder).threadFactory(factory).onStandstill(standstill -> {
                    names.add(Thread.currentThread().getName());
                    throw new FaultyCodec.Fault();
                }),
                worker -> {
                    final RawChannel channel = worker.allocateRaw(CHANNEL);
                    isFaulty.set(true);
                    if (worker.index() == 0) {
                        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
                        for (int i = 0; i < 500; i++) {
                            channel.pusher(1).push(message, 0, 100);
                        }
                    } else if (worker.index() == 1) {
                        Jvm.await("it is told", isDone::get);
                        LocalClusterTest.poll(worker, channel, 500, (buffer, offset, length, source) -> {});
                    }
                    return null;
                })) {
            final Cluster<Void> process = cluster.process(0);
            Jvm.await("it is known", () -> !process.standstills().isEmpty());
            if ("LISTENER".equals(fault)) {
                Jvm.await("it is told", () -> !names.isEmpty());
                assertThat(names.peek()).matches("hawser-loopback-p0-g\\d+-standstill");
            }
            isDone.set(true);
            assertThat(cluster.join()).allMatch(Outcomes::isClean);
        } finally {
            isDone.set(true);
        }
    }

    private static final class Unstartable extends Thread {
        Unstartable(final Runnable body) {
            super(body);
        }

        @Override
        public synchronized void start() {
            throw new OutOfMemoryError("no thread");
        }
    }

    /** What was spilled goes on its way, if slowly: each step is a wait of its own, and none of them is long. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void shouldSayNothingWhenWhatWasSpilledMoves(final boolean isClosed) throws Exception {
        final int count = 150;
        try (Loopback<Void> cluster = Loopback.start(
                1, 2, builder -> settings(builder).standstillTimeout(TIMEOUT.multipliedBy(3)), worker -> {
                    final RawChannel channel = worker.allocateRaw(CHANNEL, OnFull.SPILL);
                    if (worker.index() == 0) {
                        final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);
                        for (int i = 0; i < count; i++) {
                            channel.pusher(1).push(message, 0, 200);
                        }
                        if (isClosed) {
                            channel.close();
                        }
                        return null;
                    }
                    for (int i = 0;
                            i < count;
                            i++) { // half of a window takes longer than a worker waits without a word
                        LocalClusterTest.poll(worker, channel, 1, (buffer, offset, length, source) -> {});
                        LockSupport.parkNanos(IDLE.toNanos());
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
