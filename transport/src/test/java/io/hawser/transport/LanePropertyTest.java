package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FragmentDescriptor;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.RecordIterator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Lanes between two processes, random in everything: how many, window, ring, messages, when they are moved, consumed, granted, closed. In flight is
 * never more than the window, nothing is ever stuck while consumers consume, all arrives byte for byte, and at the end all books balance (L6, L7;
 * cases 29, 104). A failure prints its seed; {@code -Dhawser.seed} repeats it.
 */
@Timeout(120)
class LanePropertyTest {
    private static final long SEED = Long.getLong("hawser.seed", 20_261_130);
    private static final int RUNS =
            System.getProperty("hawser.seed") != null ? 1 : Boolean.getBoolean("hawser.soak") ? 20_000 : 150;
    private static final int STEPS = 1_500;
    private static final long MS = 1_000_000;

    @Test
    void shouldKeepTheBooksWhateverIsDone() {
        long grants = 0;
        long fragments = 0;
        long widened = 0;
        for (long seed = SEED; seed < SEED + RUNS; seed++) {
            Run run = null;
            try {
                run = new Run(seed);
                run.run();
            } catch (Throwable failed) {
                throw new AssertionError("repeat with -Dhawser.seed=" + seed + (run == null ? "" : " " + run), failed);
            }
            grants += run.pair.creditFrames;
            fragments += run.fragments;
            widened += run.widened;
        }
        if (RUNS > 1) { // the runs are worth something
            assertThat(grants).isGreaterThan(5L * RUNS);
            assertThat(fragments).isGreaterThan(5L * RUNS);
            assertThat(widened).isGreaterThan(RUNS);
        }
    }

    /** One lane as its worker sees it. */
    private static final class Sending {
        final SendLane lane;
        final long id;
        int lack;
        long pushed;
        int length;
        int done = -1; // no message is being cut
        boolean isClosing;

        Sending(SendLane lane, long id) {
            this.lane = lane;
            this.id = id;
        }
    }

    /** What one target of one lane has read so far. */
    private static final class Reading {
        long next;
        UnsafeBuffer message;
        int filled;
        long consumed;
    }

    private record Pending(LanePair.Delivery delivery, int worker) {}

    private static final class Run {
        final Random random;
        final LanePair pair;
        final int workers;
        final long channelWindow;
        final long floating;
        final List<List<Sending>> byWorker = new ArrayList<>();
        final Map<LaneAddress, Sending> all = new HashMap<>();
        final Map<LaneAddress, Map<Integer, Reading>> readings = new HashMap<>();
        final List<Pending> pending = new ArrayList<>();
        int channels;
        long fragments;
        long widened;

        Run(long seed) {
            random = new Random(seed);
            workers = 1 + random.nextInt(3);
            channelWindow = 4_096 + 512L * workers + 8L * random.nextInt(random.nextInt(3) == 0 ? 8_000 : 200);
            floating = random.nextBoolean() ? 0 : random.nextLong(20 * channelWindow);
            pair = new LanePair(
                    workers,
                    channelWindow,
                    1 + random.nextInt(3),
                    floating,
                    channelWindow << random.nextInt(5),
                    2 * LanePair.FRAME_LIMIT << random.nextInt(4));
            for (int i = 0; i < workers; i++) {
                byWorker.add(new ArrayList<>());
            }
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(12)) {
                    case 0 -> openLane();
                    case 1, 2, 3, 4 -> work();
                    case 5 -> pair.rings.get(random.nextInt(workers)).flush();
                    case 6, 7 -> carry(random.nextInt(3 * LanePair.FRAME_LIMIT));
                    case 8 -> consumeSome();
                    case 9 -> pair.grant();
                    case 10 -> pair.nowNs += random.nextLong(random.nextInt(20) == 0 ? 900 * MS : 3 * MS);
                    default -> startClosing();
                }
                checkWindows();
            }
            finish();
        }

        private void openLane() {
            int worker = random.nextInt(workers);
            boolean isBroadcast = random.nextInt(4) == 0;
            int channel = random.nextInt(3) == 0 ? channels++ : random.nextInt(channels + 1);
            channels = Math.max(channels, channel + 1);
            int count = isBroadcast ? workers : 1;
            int target = isBroadcast ? 0 : random.nextInt(workers);
            LaneAddress address =
                    new LaneAddress(0, channel, pair.session().own().firstWorker() + worker, target, count);
            if (!all.containsKey(address)) { // a channel is not used again once it is closed
                SendLane lane = pair.rings.get(worker).openLane(0, channel, target, count);
                Sending sending = new Sending(lane, all.size());
                all.put(address, sending);
                byWorker.get(worker).add(sending);
            }
        }

        private void work() {
            int worker = random.nextInt(workers);
            List<Sending> lanes = byWorker.get(worker);
            if (!lanes.isEmpty()) {
                int first = random.nextInt(lanes.size());
                for (int i = 0; i < 1 + random.nextInt(5); i++) {
                    advance(pair.rings.get(worker), lanes.get((first + random.nextInt(2)) % lanes.size()));
                }
            }
        }

        /** One step of one lane; returns whether it got on. */
        private boolean advance(SendRing ring, Sending sending) {
            if (sending.lane.isClosed()) {
                return false;
            }
            if (sending.isClosing && sending.done < 0) {
                return ring.tryClose(sending.lane);
            }
            if (sending.done < 0) {
                sending.length = sending.lack == 0 ? randomLength() : sending.length;
                int record = 52 + ((sending.length + 3) & -4);
                boolean isWhole = record <= LanePair.FRAME_LIMIT && record <= sending.lane.wholeFrameLimit();
                if (!isWhole && sending.lane.address().targetCount() > 1) {
                    sending.length = random.nextInt(100); // what is for several workers is never cut
                } else if (!isWhole) {
                    sending.done = 0;
                }
            }
            return sending.done < 0 ? pushWhole(ring, sending) : pushPart(ring, sending);
        }

        private boolean pushWhole(SendRing ring, Sending sending) {
            int index = ring.tryClaim(sending.lane, sending.length);
            sending.lack = Math.min(0, index);
            if (index < 0) {
                return false;
            }
            for (int i = 0; i < sending.length; i++) {
                ring.buffer().putByte(index + i, byteOf(sending, i));
            }
            if (random.nextInt(16) == 0) {
                ring.abort();
            } else {
                ring.commit();
                sending.pushed++;
            }
            return true;
        }

        private boolean pushPart(SendRing ring, Sending sending) {
            int rest = sending.length - sending.done;
            int offered = random.nextInt(4) == 0 ? 1 + random.nextInt(rest) : rest;
            byte[] bytes = new byte[offered];
            for (int i = 0; i < offered; i++) {
                bytes[i] = byteOf(sending, sending.done + i);
            }
            int taken =
                    ring.tryFragment(sending.lane, sending.length, sending.done, new UnsafeBuffer(bytes), 0, offered);
            sending.lack = Math.min(0, taken);
            if (taken < 0) {
                return false;
            }
            assertThat(taken).isBetween(1, offered);
            sending.done += taken;
            if (sending.done == sending.length) {
                sending.done = -1;
                sending.pushed++;
            }
            return true;
        }

        private int randomLength() {
            return switch (random.nextInt(10)) {
                case 0 -> 0;
                case 1 -> 1 + random.nextInt((int) (4 * channelWindow));
                case 2, 3 -> 1 + random.nextInt(2 * LanePair.FRAME_LIMIT);
                default -> random.nextInt(300);
            };
        }

        private static byte byteOf(Sending sending, int i) {
            return byteOf(sending.id, sending.pushed, i);
        }

        private static byte byteOf(long id, long number, int i) {
            return (byte) (id * 101 + number * 31 + i * 7 + (i >> 8));
        }

        private void startClosing() {
            List<Sending> lanes = byWorker.get(random.nextInt(workers));
            if (!lanes.isEmpty() && random.nextInt(3) == 0) {
                lanes.get(random.nextInt(lanes.size())).isClosing = true;
            }
        }

        // ---- the receiver

        private void carry(int maxBytes) {
            pair.carry(maxBytes);
            for (LanePair.Delivery delivery : pair.deliveries) {
                LaneAddress address = delivery.address();
                for (int i = 0; i < address.targetCount(); i++) {
                    int worker = address.firstTarget() + i;
                    read(delivery, worker);
                    pending.add(new Pending(delivery, worker));
                }
            }
            pair.deliveries.clear();
        }

        private void read(LanePair.Delivery delivery, int worker) {
            LaneAddress address = delivery.address();
            Sending from = all.get(address);
            Reading reading = readings.computeIfAbsent(address, any -> new HashMap<>())
                    .computeIfAbsent(worker, any -> new Reading());
            UnsafeBuffer payload = new UnsafeBuffer(delivery.payload());
            if (FrameFlags.isRecords(delivery.flags())) {
                RecordIterator records = new RecordIterator().wrap(payload, 0, payload.capacity());
                while (records.next()) {
                    check(from, reading, payload, records.messageOffset(), records.messageLength());
                }
                return;
            }
            fragments++;
            int at = 0;
            if ((delivery.flags() & FrameFlags.BEGIN) != 0) {
                reading.message = new UnsafeBuffer(new byte[(int) FragmentDescriptor.messageLength(payload, 0)]);
                reading.filled = 0;
                at = FragmentDescriptor.PREFIX_LENGTH;
            }
            reading.message.putBytes(reading.filled, payload, at, payload.capacity() - at);
            reading.filled += payload.capacity() - at;
            if ((delivery.flags() & FrameFlags.END) != 0) {
                assertThat(reading.filled).isEqualTo(reading.message.capacity());
                check(from, reading, reading.message, 0, reading.filled);
            }
        }

        private static void check(Sending from, Reading reading, UnsafeBuffer buffer, int offset, int length) {
            for (int i = 0; i < length; i++) {
                if (buffer.getByte(offset + i) != byteOf(from.id, reading.next, i)) {
                    throw new AssertionError(from.lane.address() + ": message " + reading.next + " of " + length
                            + " bytes differs at byte " + i);
                }
            }
            reading.next++;
        }

        /** Whoever consumes does it in any order, and broadcasts for each worker by itself. */
        private void consumeSome() {
            for (int i = random.nextInt(20); i > 0 && !pending.isEmpty(); i--) {
                Pending one = pending.remove(random.nextInt(pending.size()));
                consume(one);
            }
        }

        private void consume(Pending one) {
            readings.get(one.delivery.address()).get(one.worker).consumed += one.delivery.charge();
            one.delivery.consume(one.worker);
        }

        /** By our own count: what the slowest of a lane's workers has let go of. */
        private long leastConsumed(LaneAddress address) {
            Map<Integer, Reading> byTarget = readings.getOrDefault(address, Map.of());
            return byTarget.values().stream()
                    .mapToLong(reading -> reading.consumed)
                    .min()
                    .orElse(0);
        }

        // ---- laws

        private void checkWindows() {
            for (ReceiveLane lane : pair.receiveLanes) {
                long consumed = leastConsumed(lane.address()) + closingCharge(lane);
                assertThat(lane.leastConsumed()).isEqualTo(consumed);
                assertThat(lane.received() - consumed).isLessThanOrEqualTo(lane.window());
                assertThat(lane.granted() - consumed).isLessThanOrEqualTo(lane.window());
                widened += lane.window() > channelWindow ? 1 : 0;
                Sending from = all.get(lane.address());
                assertThat(lane.received()).isLessThanOrEqualTo(from.lane.sent());
                assertThat(from.lane.sent()).isLessThanOrEqualTo(from.lane.limit());
                assertThat(from.lane.limit()).isLessThanOrEqualTo(lane.granted());
            }
            assertThat(pair.pool.freeBytes()).isBetween(0L, floating);
        }

        /** The closing frame is consumed as it comes. */
        private long closingCharge(ReceiveLane lane) {
            SendLane from = all.get(lane.address()).lane;
            boolean hasComeWhole = from.isClosed() && lane.received() == from.sent();
            return hasComeWhole ? Lanes.charge(48, lane.address().targetCount()) : 0;
        }

        private void finish() {
            int idle = 0;
            while (idle < 3) {
                boolean hasMoved = false;
                for (int worker = 0; worker < workers; worker++) {
                    SendRing ring = pair.rings.get(worker);
                    for (Sending sending : byWorker.get(worker)) {
                        sending.isClosing = true;
                        while (advance(ring, sending)) {
                            hasMoved = true;
                        }
                    }
                    ring.flush();
                }
                carry(Integer.MAX_VALUE);
                hasMoved |= !pending.isEmpty();
                for (Iterator<Pending> all = pending.iterator(); all.hasNext(); ) {
                    Pending one = all.next();
                    consume(one);
                    all.remove();
                }
                pair.grant();
                checkWindows();
                idle = hasMoved ? 0 : idle + 1;
            }
            for (Sending sending : all.values()) {
                assertThat(sending.lane.isClosed())
                        .as("stuck: %s", sending.lane.address())
                        .isTrue();
                assertThat(sending.lane.consumed()).isEqualTo(sending.lane.sent());
                readings.getOrDefault(sending.lane.address(), Map.of())
                        .values()
                        .forEach(reading -> assertThat(reading.next).isEqualTo(sending.pushed));
            }
            for (ReceiveLane lane : pair.receiveLanes) {
                assertThat(lane.isForgotten()).isTrue();
                assertThat(lane.leastConsumed()).isEqualTo(lane.received());
                assertThat(lane.received())
                        .isEqualTo(all.get(lane.address()).lane.sent());
            }
            assertThat(pair.session().sendLanes().all()).isEmpty();
            assertThat(pair.pool.freeBytes()).isEqualTo(floating);
            pair.close();
        }

        @Override
        public String toString() {
            return "workers=" + workers + " channelWindow=" + channelWindow + " floating=" + floating + " lanes="
                    + all.size() + " open="
                    + pair.session().sendLanes().all().stream()
                            .map(lane -> lane.address() + " sent=" + lane.sent() + " limit=" + lane.limit()
                                    + " consumed=" + lane.consumed())
                            .toList();
        }
    }
}
