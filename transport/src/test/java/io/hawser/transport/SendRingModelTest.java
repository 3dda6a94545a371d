package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Health;
import io.hawser.framing.FrameHeaderFlyweight;
import java.util.ArrayDeque;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ring against a model of it, a plain queue: what is committed comes out, in order, once, in frames that a peer accepts. */
@Timeout(60)
class SendRingModelTest {
    private static final int RUNS = Boolean.getBoolean("hawser.soak") ? 100_000 : 300;
    private static final int STEPS = 400;
    private static final SendRoute ROUTE = new SendRoute(1, 4, 4);

    /** What one message has to look like; the bytes follow from the number. */
    private record Expected(long number, long scopeId, int channelId, int firstTarget, int targetCount, int length) {}

    @Test
    void shouldBehaveLikeAQueueWhateverIsDone() {
        final long baseSeed = Long.getLong("hawser.seed", 20_261_129);
        for (int run = 0; run < RUNS; run++) {
            final long seed = baseSeed + run;
            try {
                new Run(seed).run();
            } catch (final Throwable failed) {
                throw new AssertionError("repeat with -Dhawser.seed=" + seed, failed);
            }
        }
    }

    @Test
    void shouldWrapAtEveryAlignment() {
        final int frameLimit = 1_024;
        final int ringLength = 2 * frameLimit;
        for (int offset = 56; offset <= ringLength; offset += 8) {
            for (final int length : new int[] {0, 1, 4, 5, 500, frameLimit - 53, frameLimit - 52}) {
                final Run run = new Run(offset, ringLength, frameLimit, true);
                run.advanceTo(offset);
                run.send(length);
                run.send(length);
                run.finish();
            }
        }
    }

    /** One ring, one model, one seed. */
    private static final class Run {
        private final Random random;
        private final int frameLimit;
        private final SendRing ring;
        private final RingConsumer consumer;
        private final MemoryAccount account = new MemoryAccount();
        private final ArrayDeque<Expected> queue = new ArrayDeque<>();
        private long number;
        private int wakeCount;

        Run(final long seed) {
            this(new Random(seed));
        }

        private Run(final Random random) {
            this(random, 1_024 + 8 * random.nextInt(129), random.nextBoolean());
        }

        private Run(final Random random, final int frameLimit, final boolean isChecked) {
            this(random, ringLength(frameLimit) << random.nextInt(2), frameLimit, isChecked);
        }

        Run(final long seed, final int ringLength, final int frameLimit, final boolean isChecked) {
            this(new Random(seed), ringLength, frameLimit, isChecked);
        }

        private Run(final Random random, final int ringLength, final int frameLimit, final boolean isChecked) {
            this.random = random;
            this.frameLimit = frameLimit;
            this.ring = new SendRing(
                    ringLength,
                    frameLimit,
                    isChecked,
                    ROUTE,
                    Hellos.unbounded(ROUTE),
                    Health.root("test"),
                    account,
                    (published, isUrgent) -> wakeCount++);
            this.consumer = new RingConsumer(ring.drain(), frameLimit, isChecked, this::onMessage);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(10)) {
                    case 0 -> flush();
                    case 1, 2, 3 -> takeSome();
                    default -> claim(randomLength(), random.nextInt(6) == 0);
                }
            }
            finish();
        }

        void send(final int length) {
            claim(length, false);
            ring.flush();
        }

        /** Moves the end of the ring to an offset that one or two frames reach. */
        void advanceTo(final int offset) {
            int rest = offset;
            while (rest > 0) {
                final int frame = rest <= frameLimit ? rest : Math.min(frameLimit, rest - 56);
                send(frame - 52);
                assertThat(consumer.pollAll()).isEqualTo(frame);
                rest -= frame;
            }
        }

        void finish() {
            ring.flush();
            consumer.pollAll();
            assertThat(queue).isEmpty();
            assertThat(ring.drain().isDrained()).isTrue();
            consumer.assertWhole();
            assertThat((long) wakeCount).isPositive().isLessThanOrEqualTo(consumer.sealedFrames());
            ring.close();
            ring.drain().release();
            assertThat(account.liveBytes()).isZero();
        }

        private void claim(final int length, final boolean isAborted) {
            final long scope = random.nextInt(8) == 0 ? 1 : 0;
            final boolean isBroadcast = random.nextInt(8) == 0;
            final Expected message = new Expected(
                    number++,
                    scope,
                    scope == 0 && random.nextInt(8) == 0 ? 1 : 2 * (int) scope,
                    isBroadcast ? 4 : 4 + (random.nextInt(8) == 0 ? 1 : 0),
                    isBroadcast ? 4 : 1,
                    length);
            int index = tryClaim(message);
            if (index == SendRing.FULL) {
                // everything committed must be there now, and once it is consumed there must be room
                consumer.pollAll();
                assertThat(queue).isEmpty();
                ring.await(laneOf(message), SendRing.FULL);
                index = tryClaim(message);
                assertThat(index).isNotEqualTo(SendRing.FULL);
            }
            fill(index, message);
            if (isAborted) {
                ring.abort();
            } else {
                queue.add(message);
                ring.commit();
            }
        }

        private int tryClaim(final Expected message) {
            return ring.tryClaim(laneOf(message), message.length);
        }

        private SendLane laneOf(final Expected message) {
            return ring.openLane(message.scopeId, message.channelId, message.firstTarget, message.targetCount);
        }

        private void fill(final int index, final Expected message) {
            for (int i = 0; i < message.length; i++) {
                ring.buffer().putByte(index + i, byteOf(message.number, i));
            }
        }

        private void flush() {
            ring.flush();
            if (random.nextBoolean()) {
                consumer.pollAll();
                assertThat(queue).isEmpty();
            }
        }

        private void takeSome() {
            final int length = consumer.seal(random.nextInt(3 * frameLimit));
            if (length > 0) {
                consumer.take(random.nextBoolean() ? length : random.nextInt(length + 1));
            }
        }

        private int randomLength() {
            final int limit = ring.recordLimit();
            return switch (random.nextInt(8)) {
                case 0 -> 0;
                case 1 -> limit - random.nextInt(9);
                case 2 -> limit;
                case 3 -> random.nextInt(limit + 1);
                default -> random.nextInt(40);
            };
        }

        private void onMessage(
                final FrameHeaderFlyweight header, final DirectBuffer buffer, final int offset, final int length) {
            final Expected expected = queue.remove();
            final Expected actual = new Expected(
                    expected.number,
                    header.scopeId(),
                    header.channelId(),
                    header.firstTargetWorker(),
                    header.targetWorkerCount(),
                    length);
            assertThat(actual).isEqualTo(expected);
            for (int i = 0; i < length; i++) {
                if (buffer.getByte(offset + i) != byteOf(expected.number, i)) {
                    throw new AssertionError("message=" + expected + " differs at byte " + i);
                }
            }
        }

        private static byte byteOf(final long number, final int i) {
            return (byte) (number * 31 + i * 7 + 1);
        }

        private static int ringLength(final int frameLimit) {
            return Integer.highestOneBit(2 * frameLimit - 1) << 1;
        }
    }
}
