package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Clock;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The receiver's books: what may come, when more is granted, how windows grow and fall, when lanes are forgotten (L7; cases 29, 104). */
@Timeout(60)
class ReceiveLanesTest {
    private static final int WINDOW = 8 * 1_024;
    private static final int CHANNELS = 2;
    private static final long MS = 1_000_000;
    private static final int LAST_CHARGE = 48 + 64;
    private static final long SEED = Long.getLong("hawser.seed", 20_261_130);
    private static final int FACTOR = Boolean.getBoolean("hawser.soak") ? 50 : 1;

    /** Process 0 has workers 0 and 1, its peer is process 1 with workers 2 and 3. */
    private final Hello own = hello(0);

    private final Hello peer = hello(1);
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[128]);
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private final FrameEncoder encoder = new FrameEncoder();
    private final AtomicInteger due = new AtomicInteger();
    private final Map<Integer, ReceiveLane> known = new HashMap<>();
    private long nowNs;
    private WindowPool pool = pool(0, 0);
    private ReceiveLanes lanes = new ReceiveLanes(own, peer, pool, new ScopeFrames(), due::incrementAndGet);

    private static Hello hello(int process) {
        return Hellos.spoken(process, 1 - process)
                .windows(WINDOW, CHANNELS * 6L * WINDOW)
                .hello();
    }

    private WindowPool pool(long floating, long windowMax) {
        return new WindowPool(floating, windowMax, new VirtualClock(() -> nowNs));
    }

    private void floating(long bytes, long windowMax) {
        pool = pool(bytes, windowMax);
        lanes = new ReceiveLanes(own, peer, pool, new ScopeFrames(), due::incrementAndGet);
    }

    /** A frame has come that is charged so much; null if it is not admitted. */
    private ReceiveLane come(int channel, int source, int target, int count, int charge, boolean isLast) {
        encoder.data(frame, 0, FrameFlags.RECORDS | (isLast ? FrameFlags.LAST : 0));
        encoder.header().channelId(channel).sourceWorker(source).targets(target, count);
        encoder.end(charge - Lanes.targetCharge(count) - FrameHeaderFlyweight.HEADER_LENGTH);
        return lanes.charge(header.wrap(frame, 0));
    }

    private ReceiveLane come(int channel, int charge) {
        return come(channel, 2, 0, 1, charge, false);
    }

    private ReceiveLane comeLast(int channel) {
        return come(channel, 2, 0, 1, LAST_CHARGE, true);
    }

    // ---- admission

    @Test
    void shouldAdmitAWindowAndNotAByteMore() {
        ReceiveLane lane = come(1, WINDOW - 200);
        assertThat(lane.address()).hasToString("channel 1 from worker 2 to worker 0");
        assertThat(come(1, 200)).isSameAs(lane);
        assertThat(lane.received()).isEqualTo(WINDOW);

        assertThat(come(1, 120)).isNull();
        assertThat(lanes.fault(header))
                .startsWith("DATA on channel 1 from worker 2 to worker 0 without credit")
                .contains("received=8192", "granted=8192", "frameLength=56");
        assertThat(lane.received()).as("what is not admitted").isEqualTo(WINDOW);
    }

    @Test
    void shouldAdmitNoFirstFrameOfMoreThanAWindow() {
        assertThat(come(1, WINDOW + 8)).isNull();
        assertThat(lanes.fault(header)).contains("without credit");
    }

    @Test
    void shouldAdmitNothingBehindTheLastFrame() {
        ReceiveLane lane = come(1, 200);
        assertThat(comeLast(1)).isSameAs(lane);
        assertThat(come(1, 200)).isNull();
        assertThat(lanes.fault(header)).contains("channel 1 from worker 2");
    }

    @Test
    void shouldAdmitNoLaneMoreThanAgreedUntilOneIsForgotten() {
        int lane = 0;
        for (int channel = 0; channel < CHANNELS * 3; channel++) {
            for (int source = 2; source < 4; source++) {
                assertThat(come(channel, source, 0, 1, 200, false))
                        .as("lane %d", lane++)
                        .isNotNull();
            }
        }
        assertThat(come(99, 200)).isNull();
        assertThat(lanes.fault(header)).contains("one lane more", "linkWindow=98304", "channelWindow=8192", "lanes=12");

        ReceiveLane closed = comeLast(0);
        assertThat(come(99, 200)).isNull();
        closed.consumed(0, 200);
        assertThat(come(99, 200)).as("before it is told").isNull();
        assertThat(lanes.pollDue()).isSameAs(closed);
        assertThat(come(99, 200)).isNotNull();
        assertThat(come(98, 200)).isNull();
    }

    @Test
    void shouldKeepLanesOfEachPairOfWorkersApart() {
        ReceiveLane[] all = {
            come(1, 2, 0, 1, 200, false),
            come(1, 2, 1, 1, 200, false),
            come(1, 3, 0, 1, 200, false),
            come(1, 2, 0, 2, 200, false),
            come(2, 2, 0, 1, 200, false)
        };
        assertThat(all).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(come(1, 2, 0, 2, 200, false)).isSameAs(all[3]);
        assertThat(all[3].address()).hasToString("channel 1 from worker 2 to workers 0…1");
    }

    // ---- grants

    @Test
    void shouldGrantAtHalfAWindowAndNotBefore() {
        ReceiveLane lane = come(1, WINDOW - 8);
        lane.consumed(0, WINDOW / 2 - 8);
        assertThat(due.get()).isZero();
        assertThat(lanes.hasDue()).isFalse();
        assertThat(lanes.pollDue()).isNull();

        lane.consumed(0, 8);
        assertThat(due.get()).isOne();
        assertThat(lanes.hasDue()).isTrue();
        assertThat(lane.granted()).as("not before the sending half decides").isEqualTo(WINDOW);
        lane.consumed(0, 16);
        assertThat(due.get()).as("it is known already").isOne();
        assertThat(lanes.pollDue()).isSameAs(lane);
        assertThat(lane.granted()).isEqualTo(WINDOW / 2 + 16 + WINDOW);
        assertThat(lane.told()).isEqualTo(WINDOW / 2 + 16);
        assertThat(lanes.pollDue()).isNull();
        assertThat(lanes.hasDue()).isFalse();
    }

    @Test
    void shouldCountTheSlowestWorkerWhenAFrameIsForAll() {
        ReceiveLane lane = come(1, 2, 0, 2, WINDOW, false);
        lane.consumed(1, WINDOW);
        assertThat(lanes.pollDue()).isNull();
        assertThat(lane.leastConsumed()).isZero();

        lane.consumed(0, WINDOW / 2);
        assertThat(lanes.pollDue()).isSameAs(lane);
        assertThat(lane.told()).isEqualTo(WINDOW / 2);
        lane.consumed(0, WINDOW / 2);
        assertThat(lanes.pollDue()).isSameAs(lane);
        assertThat(lane.granted()).isEqualTo(2 * WINDOW);
    }

    @Test
    void shouldPollEveryLaneThatIsDueOnce() {
        List<ReceiveLane> all = new ArrayList<>();
        for (int channel = 0; channel < 12; channel++) {
            all.add(come(channel, WINDOW));
        }
        all.forEach(lane -> lane.consumed(0, WINDOW));
        List<ReceiveLane> polled = new ArrayList<>();
        polled.add(lanes.pollDue());
        all.get(5).consumed(0, 0); // nothing, but it looks
        for (ReceiveLane lane = lanes.pollDue(); lane != null; lane = lanes.pollDue()) {
            polled.add(lane);
        }
        assertThat(polled).containsExactlyInAnyOrderElementsOf(all);
    }

    // ---- windows that grow and fall

    /** A sender that uses all it may, read at once, with so much time for each round. */
    private ReceiveLane readAll(int channel, int rounds, long roundNs) {
        ReceiveLane lane = known.get(channel);
        for (int i = 0; i < rounds; i++) {
            long rest = lane == null ? WINDOW : lane.granted() - lane.received();
            lane = come(channel, (int) rest);
            assertThat(lane).isNotNull();
            nowNs += roundNs;
            lane.consumed(0, (int) rest);
            assertThat(lanes.pollDue()).isSameAs(lane);
        }
        known.put(channel, lane);
        return lane;
    }

    @Test
    void shouldWidenTheWindowWhileItIsReadFastUpToItsMost() {
        floating(1 << 20, 4 * WINDOW);
        assertThat(readAll(1, 1, MS).window()).isEqualTo(2 * WINDOW);
        assertThat(readAll(2, 2, MS).window()).isEqualTo(4 * WINDOW);
        ReceiveLane lane = readAll(3, 9, MS);
        assertThat(lane.window()).isEqualTo(4 * WINDOW);
        assertThat(lane.granted() - lane.told()).isEqualTo(4 * WINDOW);
        assertThat(pool.freeBytes()).isEqualTo((1 << 20) - WINDOW - 3 * WINDOW - 3 * WINDOW);
    }

    @Test
    void shouldNotWidenTheWindowWhenItLastsLongEnough() {
        floating(1 << 20, 4 * WINDOW);
        assertThat(readAll(1, 9, 5 * MS).window()).isEqualTo(WINDOW);
        assertThat(pool.freeBytes()).isEqualTo(1 << 20);
    }

    @Test
    void shouldNotWidenBeyondWhatThePoolHas() {
        floating(3 * WINDOW - 1, 64 * WINDOW);
        assertThat(readAll(1, 5, MS).window()).isEqualTo(2 * WINDOW);
        assertThat(readAll(2, 5, MS).window()).isEqualTo(2 * WINDOW);
        assertThat(readAll(3, 5, MS).window()).isEqualTo(WINDOW);
        assertThat(pool.freeBytes()).isEqualTo(WINDOW - 1);
    }

    @Test
    void shouldNarrowASlowWindowOnlyWhenThePoolIsShort() {
        floating(4 * WINDOW, 4 * WINDOW);
        ReceiveLane lane = readAll(1, 2, MS);
        assertThat(lane.window()).isEqualTo(4 * WINDOW);
        assertThat(pool.freeBytes()).isEqualTo(WINDOW);
        assertThat(readAll(1, 1, 401 * MS).window()).as("a quarter is free").isEqualTo(4 * WINDOW);
        readAll(2, 1, MS);
        assertThat(pool.freeBytes()).isZero();

        assertThat(readAll(1, 1, 399 * MS).window()).as("not that slow").isEqualTo(4 * WINDOW);
        assertThat(readAll(1, 1, 401 * MS).window()).isEqualTo(2 * WINDOW);
        assertThat(lane.granted() - lane.told()).isEqualTo(2 * WINDOW);
        assertThat(pool.freeBytes()).isEqualTo(2 * WINDOW);
        assertThat(readAll(1, 9, 401 * MS).window()).as("no longer short").isEqualTo(2 * WINDOW);
    }

    @Test
    void shouldNeverNarrowBelowTheChannelWindow() {
        floating(2 * WINDOW, 2 * WINDOW);
        ReceiveLane lane = readAll(1, 1, MS);
        readAll(2, 1, MS);
        assertThat(pool.freeBytes()).isZero();
        readAll(1, 1, 401 * MS);
        assertThat(lane.window()).isEqualTo(WINDOW);
        assertThat(pool.tryTake(WINDOW)).isTrue();
        readAll(1, 3, 401 * MS);
        assertThat(lane.window()).isEqualTo(WINDOW);
    }

    @Test
    void shouldGiveBackWhatWasLentWhenTheLaneIsForgotten() {
        floating(1 << 20, 4 * WINDOW);
        ReceiveLane lane = readAll(1, 2, MS);
        assertThat(pool.freeBytes()).isEqualTo((1 << 20) - 3 * WINDOW);
        comeLast(1);
        assertThat(lanes.pollDue()).isSameAs(lane);
        assertThat(lane.isForgotten()).isTrue();
        assertThat(pool.freeBytes()).isEqualTo(1 << 20);
    }

    // ---- forgetting

    /** Whatever the order in which the last frame comes, all is consumed, and the sending half looks. */
    @Test
    void shouldForgetEachLaneExactlyOnceInAnyOrder() {
        for (int run = 0; run < 2_000; run++) {
            Random random = new Random(SEED + run);
            long floating = random.nextInt(4) * WINDOW;
            floating(floating, 2 * WINDOW);
            int count = 1 + random.nextInt(2);
            List<Runnable> steps = new ArrayList<>();
            int frames = random.nextInt(4);
            ReceiveLane[] lane = new ReceiveLane[1];
            int charge = 200 + 8 * random.nextInt(250);
            Deque<Runnable> arrivals = new ArrayDeque<>();
            for (int i = 0; i < frames; i++) {
                arrivals.add(() -> {
                    lane[0] = come(1, 2, 0, count, charge, false);
                    assertThat(lane[0]).isNotNull();
                    for (int worker = 0; worker < count; worker++) {
                        int target = worker;
                        steps.add(random.nextInt(steps.size() + 1), () -> lane[0].consumed(target, charge));
                    }
                });
            }
            arrivals.add(() -> lane[0] = come(1, 2, 0, count, 48 + 64 * count, true));
            int forgotten = 0;
            int polls = 3;
            while (!arrivals.isEmpty() || !steps.isEmpty() || polls > 0) {
                switch (random.nextInt(3)) {
                    case 0 -> {
                        if (!arrivals.isEmpty()) {
                            arrivals.remove().run();
                        }
                    }
                    case 1 -> {
                        if (!steps.isEmpty()) {
                            steps.remove(0).run();
                        }
                    }
                    default -> {
                        ReceiveLane polled = lanes.pollDue();
                        forgotten += polled != null && polled.isForgotten() ? 1 : 0;
                        polls -= arrivals.isEmpty() && steps.isEmpty() ? 1 : 0;
                    }
                }
                nowNs += random.nextLong(3 * MS);
            }
            assertThat(forgotten).as("seed=%d", SEED + run).isOne();
            assertThat(lane[0].told()).isEqualTo(lane[0].received());
            assertThat(pool.freeBytes()).isEqualTo(floating);
            assertThat(lanes.hasDue()).isFalse();
        }
    }

    @Test
    void shouldForgetAtOnceWhenThereIsNoCreditAtAll() {
        Hello mine = Hellos.spoken(0, 1)
                .windows(ReceiveLane.UNBOUNDED, ReceiveLane.UNBOUNDED)
                .hello();
        Hello theirs = Hellos.spoken(1, 0)
                .windows(ReceiveLane.UNBOUNDED, ReceiveLane.UNBOUNDED)
                .hello();
        lanes = new ReceiveLanes(mine, theirs, pool, new ScopeFrames(), due::incrementAndGet);
        ReceiveLane lane = come(1, 1 << 20);
        lane.consumed(0, 1 << 20);
        assertThat(comeLast(1)).isSameAs(lane);
        assertThat(come(1, 200)).as("a lane of that name again").isNotSameAs(lane);
        assertThat(due.get()).isZero();
        assertThat(lanes.pollDue()).isNull();
    }

    // ---- many threads

    /** Someone who holds a frame. */
    private record Held(ReceiveLane lane, int worker, int charge) {}

    /**
     * One thread receives as far as it was told, others consume, another one grants; all park unless something is due. If a grant were lost the first one
     * would never come to its end.
     */
    @Test
    void shouldLoseNothingWhenManyThreadsConsume() throws Exception {
        int laneCount = 6;
        int framesPerLane = 15_000 * FACTOR;
        int consumers = 3;
        pool = new WindowPool(6L * WINDOW, 8 * WINDOW, Clock.system());
        AtomicReference<Thread> granter = new AtomicReference<>();
        lanes = new ReceiveLanes(own, peer, pool, new ScopeFrames(), () -> LockSupport.unpark(granter.get()));
        List<ConcurrentLinkedQueue<Held>> queues = new ArrayList<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicInteger forgotten = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            ConcurrentLinkedQueue<Held> queue = new ConcurrentLinkedQueue<>();
            queues.add(queue);
            Random random = new Random(SEED + i);
            threads.add(new Thread(() -> consume(queue, random, forgotten, laneCount)));
        }
        granter.set(new Thread(() -> grant(forgotten, laneCount)));
        threads.add(granter.get());
        for (Thread thread : threads) {
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((t, error) -> failure.compareAndSet(null, error));
            thread.start();
        }

        receive(laneCount, framesPerLane, queues, failure);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(thread.isAlive())
                    .as("seed=%d forgotten=%s", SEED, forgotten)
                    .isFalse();
        }
        assertThat(failure.get()).isNull();
        assertThat(forgotten.get()).isEqualTo(laneCount);
        assertThat(pool.freeBytes()).isEqualTo(6L * WINDOW);
        assertThat(lanes.hasDue()).isFalse();
    }

    private void receive(
            int laneCount,
            int framesPerLane,
            List<ConcurrentLinkedQueue<Held>> queues,
            AtomicReference<Throwable> failure) {
        Random random = new Random(SEED);
        int[] rest = new int[laneCount];
        ReceiveLane[] known = new ReceiveLane[laneCount];
        Arrays.fill(rest, framesPerLane);
        int open = laneCount;
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20L * FACTOR);
        while (open > 0) {
            int i = random.nextInt(laneCount);
            int count = i % 2 + 1;
            boolean isLast = rest[i] == 0;
            int charge = isLast ? 48 + 64 * count : 200 + 8 * random.nextInt(200);
            boolean hasCredit = known[i] == null
                    || known[i].granted() - known[i].received() >= charge + (isLast ? 0 : 48 + 64 * count);
            if (rest[i] >= 0 && hasCredit) {
                ReceiveLane lane = come(i, 2, 0, count, charge, isLast);
                assertThat(lane).as("%s", lanes.fault(header)).isNotNull();
                known[i] = lane;
                open -= isLast ? 1 : 0;
                rest[i]--;
                for (int worker = 0; worker < count && !isLast; worker++) {
                    queues.get(random.nextInt(queues.size())).add(new Held(lane, worker, charge));
                }
            }
            assertThat(failure.get()).isNull();
            assertThat(System.nanoTime() - deadlineNs)
                    .as("seed=%d stuck: rest=%s", SEED, Arrays.toString(rest))
                    .isNegative();
        }
    }

    private static void consume(
            ConcurrentLinkedQueue<Held> queue, Random random, AtomicInteger forgotten, int laneCount) {
        List<Held> held = new ArrayList<>();
        while (forgotten.get() < laneCount) {
            Held next = queue.poll();
            if (next != null) {
                held.add(next);
            }
            if (next == null || random.nextInt(8) == 0) {
                Collections.shuffle(held, random);
                held.forEach(one -> one.lane.consumed(one.worker, one.charge));
                held.clear();
                Thread.yield();
            }
        }
    }

    private void grant(AtomicInteger forgotten, int laneCount) {
        while (forgotten.get() < laneCount) {
            ReceiveLane lane = lanes.pollDue();
            if (lane == null) {
                LockSupport.park(this);
            } else if (lane.isForgotten()) {
                forgotten.incrementAndGet();
            }
        }
    }
}
