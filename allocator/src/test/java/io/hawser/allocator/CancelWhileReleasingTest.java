package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.ScopeCancelledException;
import io.hawser.transport.ClusterConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** L3, L10, case 107: whoever cancels and whoever gives messages back never wait for each other, and nothing is lost between them. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class CancelWhileReleasingTest {
    private static final int ROUNDS = Boolean.getBoolean("hawser.soak") ? 10_000 : 300;
    private static final int DATAFLOWS = 5;
    private static final int PROCESSES = 2;
    private static final int WORKERS = 4;
    private static final int RELEASERS = 3;
    private static final int MESSAGE_LENGTH = 200;
    private static final int MESSAGES = 20;
    private static final int JITTER_MAX = 2_000;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final long seed = Seed.print("CancelWhileReleasingTest");
    private final BlockingQueue<RetainedMessage> kept = new LinkedBlockingQueue<>();
    private final AtomicLong keptCount = new AtomicLong();

    /** How many workers have come to a round, and the rounds before. */
    private final AtomicInteger arrivals = new AtomicInteger();

    @Test
    void shouldNeitherBlockNorLeakWhenAllIsCancelledWhileOthersGiveBackCase107() throws Exception {
        final List<Thread> releasers = new ArrayList<>();
        for (int i = 0; i < RELEASERS; i++) {
            final Random random = new Random(seed + i);
            releasers.add(new Thread(() -> giveBack(random), "test-releaser-" + i));
        }
        releasers.forEach(Thread::start);
        try (Loopback<Boolean> cluster =
                Loopback.start(PROCESSES, WORKERS / PROCESSES, CancelWhileReleasingTest::settings, this::work)) {
            final Random random = new Random(seed - 1);
            for (int round = 0; round < ROUNDS; round++) {
                final int wanted = (round + 1) * WORKERS;
                Jvm.await("all are at work, round " + round, () -> arrivals.get() >= wanted);
                for (int i = 0; i < DATAFLOWS; i++) {
                    jitter(random);
                    cluster.process(random.nextInt(PROCESSES)).cancel(id(round, i), "all are");
                }
            }
            cluster.process(0).join(Duration.ofMinutes(1));
            Jvm.await("all is given back", kept::isEmpty);
            releasers.forEach(releaser -> kept.add(end()));
            for (final Thread releaser : releasers) {
                releaser.join();
            }
            assertThat(cluster.values()).hasSize(WORKERS).containsOnly(true);
        } finally {
            releasers.forEach(Thread::interrupt);
        }
        System.out.println("messages given back by others while their dataflows were cancelled: " + keptCount);
        assertThat(keptCount.get()).isGreaterThan(ROUNDS);
    }

    private boolean work(final Worker worker) {
        final Random random = new Random(seed * 31 + worker.index());
        for (int round = 0; round < ROUNDS; round++) {
            final List<Dataflow> all = new ArrayList<>();
            for (int i = 0; i < DATAFLOWS; i++) {
                all.add(worker.dataflow(id(round, i)));
            }
            arrivals.incrementAndGet();
            for (final Dataflow dataflow : all) {
                try {
                    exchange(worker, dataflow, random);
                } catch (final ScopeCancelledException cancelled) {
                    assertThat(dataflow.isRunning()).isFalse();
                }
            }
            for (final Dataflow dataflow : all) {
                assertThat(dataflow.awaitOutcome(DEADLINE).orElseThrow().isCancelled())
                        .isTrue();
            }
            assertThat(worker.health().isLost()).isFalse();
        }
        return true;
    }

    /** Pushes to all, and hands what it pulls to the releasers, until it is cancelled. */
    private void exchange(final Worker worker, final Dataflow dataflow, final Random random) {
        final RawChannel channel = dataflow.allocateRaw(0, OnFull.REFUSE);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        for (int i = 0; i < MESSAGES; i++) {
            channel.pusher(random.nextInt(worker.peers())).push(message, 0, MESSAGE_LENGTH);
            channel.puller().poll((buffer, offset, length, source) -> keep(channel), 3);
            jitter(random);
        }
        worker.flush();
    }

    private void keep(final RawChannel channel) {
        kept.add(channel.puller().retain());
        keptCount.incrementAndGet();
    }

    private void giveBack(final Random random) {
        try {
            for (RetainedMessage message = kept.take(); message.length() > 0; message = kept.take()) {
                jitter(random);
                message.close();
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static RetainedMessage end() {
        return new RetainedMessage(new UnsafeBuffer(new byte[0]), 0, 0, -1, null);
    }

    private static long id(final int round, final int index) {
        return 1 + (long) round * DATAFLOWS + index;
    }

    private static void jitter(final Random random) {
        for (int i = random.nextInt(JITTER_MAX); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    private static ClusterConfigBuilder settings(final ClusterConfigBuilder builder) {
        return Arrangement.tight(builder).channelLimit(8 * DATAFLOWS);
    }
}
