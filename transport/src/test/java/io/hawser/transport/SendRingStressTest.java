package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Health;
import io.hawser.fate.HealthLostException;
import io.hawser.framing.FrameHeaderFlyweight;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two threads on one ring. Both park without a time-out, so that a wake-up lost is a test that misses its deadline. */
class SendRingStressTest {
    private static final long SEED = Long.getLong("hawser.seed", 20_261_129);
    private static final int FACTOR = Boolean.getBoolean("hawser.soak") ? 100 : 1;
    private static final long DEADLINE_MS = 30_000L * FACTOR;
    private static final int FRAME_LIMIT = 1_024;
    private static final SendRoute ROUTE = new SendRoute(0, 0, 1);

    private final MemoryAccount account = new MemoryAccount();
    private final Health health = Health.root("test");
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @AfterEach
    void shouldLeaveNoMemory() {
        assertThat(failure.get()).as("seed=%d", SEED).isNull();
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldKeepOrderAndContentWhenBothSidesAreFast() throws InterruptedException {
        run(64 * 1_024, 16 * 1_024, 400_000 * FACTOR, 64, 1_000);
    }

    @Test
    void shouldLoseNoWakeUpWhenTheRingIsSmallAndEachMessageIsFlushed() throws InterruptedException {
        run(2 * FRAME_LIMIT, FRAME_LIMIT, 30_000 * FACTOR, 900, 1);
    }

    @Test
    void shouldLoseNoWakeUpWhenSizesAndFlushesAreMixed() throws InterruptedException {
        run(8 * FRAME_LIMIT, FRAME_LIMIT, 100_000 * FACTOR, 300, 7);
    }

    @Test
    void shouldComeOutOfAwaitSpaceWhenHealthIsLostAtAnyMoment() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            final Health scope = health.child("round-" + round);
            final SendRing ring = ring(2 * FRAME_LIMIT, FRAME_LIMIT, scope, (published, isUrgent) -> {});
            final AtomicReference<Throwable> seen = new AtomicReference<>();
            final Thread worker = start(() -> {
                try {
                    fillForEver(ring);
                } catch (final HealthLostException lost) {
                    seen.set(lost);
                } finally {
                    ring.close();
                }
            });
            if (round % 2 == 0) {
                awaitParked(worker);
            }
            lose(scope);
            join(worker);
            assertThat(seen.get()).as("round=%d", round).isInstanceOf(HealthLostException.class);
            ring.drain().release();
        }
    }

    @Test
    void shouldComeOutWithTheVerdictWhenTheConsumerLetsGoBeforeIt() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            final Health scope = health.child("round-" + round);
            final SendRing ring = ring(2 * FRAME_LIMIT, FRAME_LIMIT, scope, (published, isUrgent) -> {});
            final AtomicReference<Throwable> seen = new AtomicReference<>();
            final Thread worker = start(() -> {
                try {
                    fillForEver(ring);
                } catch (final HealthLostException lost) {
                    seen.set(lost);
                } finally {
                    ring.close();
                }
            });
            if (round % 2 == 0) {
                awaitParked(worker);
            }
            ring.drain().release();
            lose(scope);
            join(worker);
            assertThat(seen.get()).as("round=%d", round).isInstanceOf(HealthLostException.class);
        }
    }

    @Test
    void shouldWaitOnWhenInterruptedAndKeepTheInterrupt() throws InterruptedException {
        final SendRing ring = ring(2 * FRAME_LIMIT, FRAME_LIMIT, health, (published, isUrgent) -> {});
        final RingConsumer consumer = new RingConsumer(ring.drain(), FRAME_LIMIT, true, (h, b, o, l) -> {});
        final AtomicReference<Boolean> isInterrupted = new AtomicReference<>();
        final Thread worker = start(() -> {
            final SendLane lane = ring.openLane(0, 0, 0, 1);
            while (ring.tryClaim(lane, ring.recordLimit()) != SendRing.FULL) {
                ring.commit();
            }
            ring.await(lane, SendRing.FULL);
            isInterrupted.set(Thread.currentThread().isInterrupted());
            ring.close();
        });
        awaitParked(worker);
        worker.interrupt();
        awaitParked(worker);
        consumer.pollAll();
        join(worker);
        assertThat(isInterrupted.get()).isTrue();
        ring.drain().release();
    }

    private void run(
            final int ringLength, final int frameLimit, final int messages, final int maxLength, final int flushEvery)
            throws InterruptedException {
        final Sleeper sleeper = new Sleeper();
        final SendRing ring = ring(ringLength, frameLimit, health, sleeper);
        final Thread sender = start(() -> send(ring, messages, maxLength, flushEvery));
        final Thread receiver =
                new Thread(guarded(() -> receive(ring.drain(), frameLimit, messages, maxLength, sleeper)));
        sleeper.thread = receiver;
        receiver.setDaemon(true);
        receiver.start();
        join(sender);
        join(receiver);
    }

    private static void send(final SendRing ring, final int messages, final int maxLength, final int flushEvery) {
        final Random random = new Random(SEED);
        final SendLane often = ring.openLane(0, 0, 0, 1);
        final SendLane rare = ring.openLane(0, 1, 0, 1);
        for (int number = 0; number < messages; number++) {
            final int length = Long.BYTES + random.nextInt(maxLength);
            final SendLane lane = random.nextInt(64) == 0 ? rare : often;
            int index;
            while ((index = ring.tryClaim(lane, length)) == SendRing.FULL) {
                ring.await(lane, SendRing.FULL);
            }
            ring.buffer().putLong(index, number);
            ring.buffer().setMemory(index + Long.BYTES, length - Long.BYTES, (byte) number);
            if (random.nextInt(32) == 0) {
                ring.abort();
                number--;
            } else {
                ring.commit();
            }
            if (random.nextInt(flushEvery) == 0) {
                ring.flush();
            }
        }
        ring.close();
    }

    private static void receive(
            final SendRingDrain drain,
            final int frameLimit,
            final int messages,
            final int maxLength,
            final Sleeper sleeper) {
        final Random random = new Random(SEED + 1);
        final Checker checker = new Checker(maxLength);
        final RingConsumer consumer = new RingConsumer(drain, frameLimit, true, checker::onMessage);
        while (!drain.isEnded()) {
            final int length = consumer.seal(1 + random.nextInt(2 * frameLimit));
            if (length > 0) {
                consumer.take(random.nextInt(4) == 0 ? random.nextInt(length + 1) : length);
            } else {
                sleeper.sleepUnless(drain);
            }
        }
        consumer.assertWhole();
        assertThat(checker.next).isEqualTo(messages);
        drain.release();
    }

    private static void fillForEver(final SendRing ring) {
        final SendLane lane = ring.openLane(0, 0, 0, 1);
        while (true) {
            if (ring.tryClaim(lane, 100) == SendRing.FULL) {
                ring.await(lane, SendRing.FULL);
            } else {
                ring.commit();
            }
        }
    }

    private SendRing ring(final int length, final int frameLimit, final Health scope, final SendWaker waker) {
        return new SendRing(length, frameLimit, true, ROUTE, Hellos.unbounded(ROUTE), scope, account, waker);
    }

    private Thread start(final Runnable task) {
        final Thread thread = new Thread(guarded(task));
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private Runnable guarded(final Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (final Throwable failed) {
                failure.compareAndSet(null, failed);
            }
        };
    }

    private static void join(final Thread thread) throws InterruptedException {
        thread.join(DEADLINE_MS);
        if (thread.isAlive()) {
            final AssertionError hung = new AssertionError("still running after " + DEADLINE_MS + " ms, seed=" + SEED);
            hung.setStackTrace(thread.getStackTrace());
            throw hung;
        }
    }

    private static void awaitParked(final Thread thread) {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        while (thread.getState() != Thread.State.WAITING || thread.isInterrupted()) {
            assertThat(System.nanoTime() - deadlineNs).isNegative();
            Thread.onSpinWait();
        }
    }

    private static void lose(final Health scope) {
        scope.lose(Cause.builder(CauseKind.PEER_LOST)
                .subjectProcess(1)
                .observerProcess(0)
                .generation(1)
                .build());
    }

    /** Sleeps as a send thread does. */
    private static final class Sleeper implements SendWaker {
        private volatile boolean isAsleep;
        private volatile Thread thread;

        void sleepUnless(final SendRingDrain drain) {
            isAsleep = true;
            if (drain.isDrained() && !drain.isEnded()) {
                LockSupport.park(this);
            }
            isAsleep = false;
        }

        @Override
        public void onPublished(final SendRingDrain ring, final boolean isUrgent) {
            if (isAsleep) {
                LockSupport.unpark(thread);
            }
        }
    }

    private static final class Checker {
        private final int maxLength;
        private long next;

        Checker(final int maxLength) {
            this.maxLength = maxLength;
        }

        void onMessage(
                final FrameHeaderFlyweight header, final DirectBuffer buffer, final int offset, final int length) {
            if (buffer.getLong(offset) != next || length < Long.BYTES || length >= Long.BYTES + maxLength) {
                throw new AssertionError("number=" + buffer.getLong(offset) + " expected=" + next + " " + header);
            }
            for (int i = Long.BYTES; i < length; i++) {
                if (buffer.getByte(offset + i) != (byte) next) {
                    throw new AssertionError("number=" + next + " differs at byte " + i);
                }
            }
            next++;
        }
    }
}
