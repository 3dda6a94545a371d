package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hawser.fate.Health;
import io.hawser.framing.FrameEncoder;
import java.lang.management.ManagementFactory;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Nothing is allocated once everything has been used once. */
class SendRingAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final SendRoute ROUTE = new SendRoute(0, 0, 1);
    private static final int WARM_UP = 20_000;
    private static final int MESSAGES = 200_000;
    private static final long DEADLINE_S = 30;

    /** The JVM allocates some when it links a call site late or recompiles; 16 bytes for each frame or wait would be far more than this. */
    private static final long NOISE_BYTES = 4_096;

    private final MemoryAccount account = new MemoryAccount();

    @Test
    void shouldAllocateNothingOnEitherSideWhenMessagesFlowAndBothWait() throws Exception {
        final Consumer consumer = new Consumer();
        final SendRing ring = new SendRing(
                8_192, 4_096, true, ROUTE, Hellos.unbounded(ROUTE), Health.root("test"), account, consumer);
        consumer.drain = ring.drain();
        final FutureTask<Long> sent = new FutureTask<>(() -> send(ring));
        final FutureTask<Long> received = new FutureTask<>(consumer::receive);
        consumer.thread = new Thread(received);
        consumer.thread.start();
        new Thread(sent).start();

        assertThat(sent.get(DEADLINE_S, TimeUnit.SECONDS))
                .as("bytes allocated by the worker")
                .isLessThan(NOISE_BYTES);
        assertThat(received.get(DEADLINE_S, TimeUnit.SECONDS))
                .as("bytes allocated by the send thread")
                .isBetween(0L, NOISE_BYTES);
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldAllocateNothingWhenSlabsGoRound() {
        try (SlabPool pool = new SlabPool(4_096, 2, account)) {
            slabsGoRound(pool, WARM_UP);
            final long before = allocatedBytes();
            slabsGoRound(pool, MESSAGES);
            assertThat(allocatedBytes() - before).isLessThan(NOISE_BYTES);
        }
    }

    /** By this thread; asked twice, since the first time it allocates something itself. */
    private static long allocatedBytes() {
        THREADS.getCurrentThreadAllocatedBytes();
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    private static void slabsGoRound(final SlabPool pool, final int count) {
        for (int i = 0; i < count; i++) {
            final Slab one = pool.acquire();
            final Slab two = pool.acquire();
            one.retain();
            one.release();
            two.release();
            one.release();
        }
    }

    private static long send(final SendRing ring) {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[700]);
        send(ring, source, WARM_UP);
        final long before = allocatedBytes();
        send(ring, source, MESSAGES);
        final long allocated = allocatedBytes() - before;
        ring.close();
        return allocated;
    }

    private static void send(final SendRing ring, final UnsafeBuffer source, final int count) {
        final SendLane one = ring.openLane(0, 0, 0, 1);
        final SendLane other = ring.openLane(0, 64, 0, 1);
        for (int i = 0; i < count; i++) {
            ring.push((i & 64) == 0 ? one : other, source, 0, i % 700);
            if (i % 50 == 0) {
                ring.flush();
            }
        }
    }

    /** A send thread without a socket. */
    private static final class Consumer implements SendWaker, FrameSealer {
        private final FrameEncoder encoder = new FrameEncoder();
        private SendRingDrain drain;
        private long sequence;
        private volatile boolean isAsleep;
        private volatile Thread thread;

        long receive() {
            long before = -1;
            while (!drain.isEnded()) {
                final int length = drain.sealPublished(this, Integer.MAX_VALUE);
                if (length > 0) {
                    drain.consumed(length);
                } else {
                    sleep();
                }
                if (before < 0 && sequence > 5_000) {
                    before = allocatedBytes();
                }
            }
            final long allocated = allocatedBytes() - before;
            drain.release();
            return before < 0 ? -1 : allocated;
        }

        @Override
        public void seal(
                final MutableDirectBuffer buffer, final int offset, final int frameLength, final int payloadCheck) {
            encoder.seal(buffer, offset, sequence++, payloadCheck);
        }

        @Override
        public void onPublished(final SendRingDrain ring, final boolean isUrgent) {
            if (isAsleep) {
                LockSupport.unpark(thread);
            }
        }

        private void sleep() {
            isAsleep = true;
            if (drain.isDrained() && !drain.isEnded()) {
                LockSupport.park(this);
            }
            isAsleep = false;
        }
    }
}
