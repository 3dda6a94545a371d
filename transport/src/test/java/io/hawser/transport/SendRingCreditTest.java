package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.RecordIterator;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a ring sends is what its receiver has granted, no more (L7); closing and lane slots (cases 29, 104, 105). */
@Timeout(30)
class SendRingCreditTest {
    private static final int WINDOW = 8 * 1_024;

    /** Makes a frame of 1 KiB that is charged 1,088. */
    private static final int LENGTH = 1_024 - 48 - 4;

    private static final int CHARGE = 1_024 + 64;
    private static final long DEADLINE_S = 20;

    private final UnsafeBuffer source = new UnsafeBuffer(new byte[4 * WINDOW]);
    private LanePair pair = new LanePair(1, WINDOW, 2);

    @AfterEach
    void shouldLeaveNoMemory() {
        pair.close();
    }

    private SendRing ring() {
        return pair.ring();
    }

    private int fill(SendLane lane) {
        int frames = 0;
        while (ring().tryClaim(lane, LENGTH) >= 0) {
            ring().commit();
            ring().flush();
            pair.carryAll();
            frames++;
        }
        return frames;
    }

    @Test
    void shouldHaveNoCreditAtTheWindowWhateverRoomThereIs() {
        SendLane lane = pair.lane(1);
        int frames = fill(lane);

        assertThat(ring().tryClaim(lane, LENGTH)).isEqualTo(SendRing.NO_CREDIT);
        assertThat(frames).isEqualTo((WINDOW - 112) / CHARGE);
        assertThat(lane.sent()).isEqualTo((long) frames * CHARGE);
        assertThat(lane.creditBytes()).isEqualTo(WINDOW - 112 - 64 - lane.sent());
        assertThat(ring().tryClaim(lane, 0)).as("a smaller one").isNotNegative();
        ring().abort();
    }

    @Test
    void shouldBeInNobodysWayWithoutCredit() {
        SendLane full = pair.lane(1);
        SendLane other = pair.lane(2);
        fill(full);

        ring().push(other, source, 0, LENGTH);
        ring().flush();
        assertThat(pair.carry(Integer.MAX_VALUE)).isEqualTo(1_024);
        assertThat(ring().tryClaim(full, LENGTH)).isEqualTo(SendRing.NO_CREDIT);
    }

    @Test
    void shouldEndAFrameWhereCreditEnds() {
        SendLane lane = pair.lane(1);
        int messages = 0;
        while (ring().tryClaim(lane, 100) >= 0) {
            ring().commit();
            messages++;
        }
        ring().flush();
        pair.carryAll();

        assertThat(ring().tryClaim(lane, 100)).isEqualTo(SendRing.NO_CREDIT);
        assertThat(lane.sent()).isBetween(WINDOW - 112L - 64 - 160, WINDOW - 112L);
        assertThat(messages).isGreaterThan(70);
        assertThat(pair.deliveries).hasSizeBetween(2, 3);
    }

    @Test
    void shouldGoOnOnceMoreIsGranted() {
        SendLane lane = pair.lane(1);
        int frames = fill(lane);
        pair.deliveries.subList(0, frames / 2 + 1).forEach(LanePair.Delivery::consume);
        pair.grant();

        assertThat(pair.creditFrames).isOne();
        assertThat(lane.consumed()).isEqualTo((frames / 2 + 1L) * CHARGE);
        assertThat(lane.limit()).isEqualTo(lane.consumed() + WINDOW);
        assertThat(fill(lane)).isEqualTo(frames / 2 + 1);
    }

    @Test
    void shouldSayAtOnceThatCreditHasComeSinceItWasRefused() {
        SendLane lane = pair.lane(1);
        fill(lane);
        assertThat(ring().want(lane, SendRing.NO_CREDIT)).isFalse();
        pair.consumeAll();
        pair.grant();

        assertThat(ring().want(lane, SendRing.NO_CREDIT)).isTrue();
        ring().await(lane, SendRing.NO_CREDIT);
        assertThat(ring().tryClaim(lane, LENGTH)).isNotNegative();
        ring().abort();
    }

    @Test
    void shouldTellTheRoomListenerOnceForEachTimeItWasAsked() {
        AtomicInteger told = new AtomicInteger();
        ring().roomListener(told::incrementAndGet);
        SendLane lane = pair.lane(1);
        fill(lane);
        assertThat(ring().want(lane, SendRing.NO_CREDIT)).isFalse();
        int before = told.get();
        pair.consumeAll();
        pair.grant();
        assertThat(told.get()).isEqualTo(before + 1);

        fill(lane);
        before = told.get();
        pair.consumeAll();
        pair.grant();
        assertThat(told.get()).as("nobody has asked again").isEqualTo(before);
    }

    @Test
    void shouldWakeWhoAwaitsCredit() throws Exception {
        SendLane lane = pair.lane(1);
        fill(lane);
        FutureTask<Boolean> waiting = awaitInThread(lane);
        pair.consumeAll();
        pair.grant();

        assertThat(waiting.get(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
    }

    /** A thread that has the ring from now on, and is parked when this returns. */
    private FutureTask<Boolean> awaitInThread(SendLane lane) {
        FutureTask<Boolean> waiting = new FutureTask<>(() -> ring().await(lane, SendRing.NO_CREDIT), true);
        Thread thread = new Thread(waiting);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(waiting).isNotDone();
            Thread.onSpinWait();
        }
        return waiting;
    }

    /** Case 105: what was claimed and not committed costs nothing. */
    @Test
    void shouldChargeNothingForClaimsTakenBack() {
        SendLane lane = pair.lane(1);
        for (int i = 0; i < 100_000; i++) {
            ring().tryClaim(lane, i % LENGTH);
            ring().abort();
        }
        assertThat(lane.sent()).isZero();
        assertThat(fill(lane)).isEqualTo((WINDOW - 112) / CHARGE);
    }

    // ---- closing

    @Test
    void shouldCloseWithoutCreditAndBeForgottenByBothOnceAllIsConsumed() {
        SendLane lane = pair.lane(1);
        while (lane.creditBytes() >= 56) {
            ring().push(lane, source, 0, 0);
            ring().flush();
            pair.carryAll();
        }
        assertThat(ring().tryClaim(lane, 0)).isEqualTo(SendRing.NO_CREDIT);

        assertThat(ring().tryClose(lane)).isTrue();
        assertThat(ring().tryClose(lane)).as("again").isTrue();
        pair.carryAll();
        assertThat(lane.sent()).isLessThanOrEqualTo(WINDOW);
        assertThatThrownBy(() -> ring().tryClaim(lane, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("channel 1 from worker 1 to worker 0");
        assertThat(pair.session().sendLanes().all()).containsExactly(lane);

        pair.settle();
        assertThat(lane.consumed()).isEqualTo(lane.sent());
        assertThat(pair.session().sendLanes().all()).isEmpty();
        assertThat(pair.receiveLanes).allMatch(ReceiveLane::isForgotten);
    }

    @Test
    void shouldSayLastWithoutPayloadBehindAllMessages() {
        SendLane lane = pair.lane(1);
        ring().push(lane, source, 0, 10);
        ring().tryClose(lane);
        pair.carryAll();

        assertThat(pair.deliveries).hasSize(1);
        assertThat(pair.deliveries.get(0).flags()).isEqualTo(FrameFlags.RECORDS | FrameFlags.CHECKED);
        assertThat(pair.session().sentDataFrames()).isEqualTo(2);
        assertThat(lane.sent()).isEqualTo(64 + 64 + 48 + 64);
    }

    @Test
    void shouldSendNothingWhenALaneIsClosedThatWasNeverUsed() {
        SendLane lane = pair.lane(1);
        assertThat(ring().tryClose(lane)).isTrue();

        assertThat(pair.carry(Integer.MAX_VALUE)).isZero();
        assertThat(pair.session().sendLanes().all()).isEmpty();
    }

    @Test
    void shouldTryAgainToCloseWhenTheRingIsFull() {
        pair.close();
        pair = new LanePair(1, 8 * WINDOW, 2);
        SendLane lane = pair.lane(1);
        while (ring().tryClaim(lane, LENGTH) >= 0) {
            ring().commit();
            ring().flush();
        }
        assertThat(ring().tryClose(lane)).isFalse();
        assertThat(lane.isClosed()).isFalse();
        pair.carryAll();
        ring().await(lane, SendRing.FULL);
        assertThat(ring().tryClose(lane)).isTrue();
        pair.settle();
        assertThat(pair.session().sendLanes().all()).isEmpty();
    }

    // ---- lane slots

    @Test
    void shouldWaitForASlotWhenThereIsOneLaneTooMany() throws Exception {
        SendLane first = pair.lane(1);
        ring().push(first, source, 0, 10);
        ring().push(pair.lane(2), source, 0, 10);
        SendLane third = pair.lane(3);
        assertThat(ring().laneLimit()).isEqualTo(2);

        assertThat(ring().tryClaim(third, 10)).isEqualTo(SendRing.NO_CREDIT);
        assertThat(ring().want(third, SendRing.NO_CREDIT)).isFalse();
        ring().tryClose(first);
        assertThat(ring().tryClaim(third, 10)).isEqualTo(SendRing.NO_CREDIT);
        pair.carryAll();
        assertThat(ring().tryClaim(third, 10)).isEqualTo(SendRing.NO_CREDIT);
        FutureTask<Boolean> waiting = awaitInThread(third);

        pair.settle();
        waiting.get(DEADLINE_S, TimeUnit.SECONDS);
        ring().push(third, source, 0, 10);
        ring().flush();
        pair.carryAll();
        assertThat(pair.deliveries).hasSize(1);
    }

    /** Case 104: nothing is lost however often channels come and go. */
    @Test
    void shouldHaveAllCreditAndSlotsAfterManyLanesHaveComeAndGone() {
        for (int channel = 0; channel < 20_000; channel++) {
            SendLane lane = pair.lane(channel);
            ring().push(lane, source, 0, channel % LENGTH);
            ring().tryClose(lane);
            pair.settle();
        }
        assertThat(pair.session().sendLanes().all()).isEmpty();
        assertThat(fill(pair.lane(20_000))).isEqualTo((WINDOW - 112) / CHARGE);
        assertThat(fill(pair.lane(20_001))).isEqualTo((WINDOW - 112) / CHARGE);
        assertThat(ring().tryClaim(pair.lane(20_002), 1)).isEqualTo(SendRing.NO_CREDIT);
    }

    // ---- fragments

    @Test
    void shouldCutAMessageAtCreditAndRoom() {
        SendLane lane = pair.lane(1);
        int length = 4 * WINDOW;
        int done = 0;
        while (done < length) {
            int taken = ring().tryFragment(lane, length, done, source, done, length - done);
            if (taken < 0) {
                assertThat(taken).isIn(SendRing.FULL, SendRing.NO_CREDIT);
                pair.settle();
            } else {
                done += taken;
            }
        }
        pair.settle();
        assertThat(lane.sent()).isGreaterThan(length);
        assertThat(pair.receiveLanes).allMatch(received -> received.leastConsumed() == lane.sent());
    }

    /** Not cut below a KiB: a lane that has a little credit waits for more. */
    @Test
    void shouldNotCutCrumbs() {
        SendLane lane = pair.lane(1);
        while (lane.creditBytes() >= 1_024) {
            assertThat(ring().tryFragment(lane, 10L * WINDOW, 10, source, 0, 976))
                    .isEqualTo(976);
        }
        assertThat(ring().tryFragment(lane, 10L * WINDOW, 10, source, 0, 976)).isEqualTo(SendRing.NO_CREDIT);
        assertThat(ring().tryFragment(lane, 10L * WINDOW, 10, source, 0, 8))
                .as("a source that has no more")
                .isEqualTo(8);
    }

    /** Credit may have come meanwhile for the whole of it: then it is a record, not a fragment that is first and last. */
    @Test
    void shouldSendAsARecordWhatTurnsOutToFitWhole() {
        SendLane lane = pair.lane(1);
        source.putInt(0, 4_711);
        assertThat(ring().tryFragment(lane, 1_001, 0, source, 0, 1_001)).isEqualTo(1_001);
        pair.carryAll();

        LanePair.Delivery delivery = pair.deliveries.get(0);
        assertThat(FrameFlags.isRecords(delivery.flags())).isTrue();
        UnsafeBuffer payload = new UnsafeBuffer(delivery.payload());
        RecordIterator records = new RecordIterator().wrap(payload, 0, payload.capacity());
        assertThat(records.next()).isTrue();
        assertThat(records.messageLength()).isEqualTo(1_001);
        assertThat(payload.getInt(records.messageOffset())).isEqualTo(4_711);
        assertThat(records.next()).isFalse();
        assertThat(records.fault()).isEqualTo(FrameFault.NONE);
    }

    @Test
    void shouldRefuseMoreOfAMessageThanItIsLong() {
        SendLane lane = pair.lane(1);
        for (long[] wrong : new long[][] {{1_000, 0, 1_001}, {1_000, 1_000, 1}, {1_000, -1, 10}, {1_000, 0, 0}}) {
            assertThatThrownBy(() -> ring().tryFragment(lane, wrong[0], wrong[1], source, 0, (int) wrong[2]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("messageLength=" + wrong[0], "done=" + wrong[1], "length=" + wrong[2]);
        }
        assertThat(lane.sent()).isZero();
    }

    /** Half a window is what credit always comes for; the rest of a longer one comes when the first half is consumed. */
    @Test
    void shouldCutWhatCreditMayNeverComeForWhenPushed() throws Exception {
        pair.close();
        pair = new LanePair(1, 6 * 1_024, 2);
        SendLane lane = pair.lane(1);
        ring().push(lane, source, 0, 2_700);
        ring().flush();
        pair.settle();
        assertThat(pair.creditFrames).as("less than half is not worth a grant").isZero();

        FutureTask<Boolean> pushing = new FutureTask<>(() -> ring().push(lane, source, 0, 3_500), true);
        Thread worker = new Thread(pushing);
        worker.setDaemon(true);
        worker.start();
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!pushing.isDone()) {
            pair.settle();
            assertThat(System.nanoTime() - deadlineNs)
                    .as("%s", lane.creditBytes())
                    .isNegative();
        }
        assertThat(pushing.get()).isTrue();
        ring().flush();
        pair.settle();
        assertThat(lane.sent()).isBetween(2_700L + 3_500, 2_700L + 3_500 + 600);
    }

    /** Case 37: what the other side would take for a violation never leaves, and whoever else uses the link is not disturbed. */
    @Test
    void shouldRefuseAMessageThatTheOtherSideDoesNotAllow() {
        Hello own = Hellos.spoken(1, 0).shape(2, 1).messages(1 << 20).hello();
        Hello peer = Hellos.spoken(0, 1).shape(2, 1).messages(2_000).hello();
        LaneTerms terms = new LaneTerms(new SendLanes(own, peer, new StoppedScopes()), WINDOW, 2);
        SendRing narrow = new SendRing(
                4 * LanePair.FRAME_LIMIT,
                LanePair.FRAME_LIMIT,
                true,
                new SendRoute(1, 0, 1),
                terms,
                pair.health,
                pair.account,
                (ring, isUrgent) -> {});
        SendLane lane = narrow.openLane(0, 1, 0, 1);

        assertThat(narrow.recordLimit()).isEqualTo(2_000);
        assertThatThrownBy(() -> narrow.tryClaim(lane, 2_001))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageEndingWith("messageLength=2001 messageLimit=2000");
        assertThatThrownBy(() -> narrow.tryFragment(lane, 2_001, 0, source, 0, 100))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageEndingWith("messageLength=2001 messageLimit=2000");
        assertThat(lane.sent()).isZero();
        narrow.push(lane, source, 0, 2_000);
        narrow.close();
        narrow.drain().release();
    }

    // ---- without limits

    @Test
    void shouldStillFillFramesWhenWindowsAreUnbounded() {
        pair.close();
        pair = new LanePair(1, ReceiveLane.UNBOUNDED, 2);
        ring().push(pair.lane(1), source, 0, 3_000);
        SendLane lane = pair.lane(2);
        for (int i = 0; i < 10; i++) {
            ring().push(lane, source, 0, 100);
        }
        ring().flush();
        pair.carryAll();
        assertThat(pair.deliveries).as("frames").hasSize(2);
    }

    // ---- what the receive thread sees while the worker is at it

    /** The worker has said that it closes the lane, but not yet counted the closing frame: all that was counted is consumed. */
    @Test
    void shouldNotTakeALaneForFinishedBeforeItsClosingFrameIsCounted() {
        SendLane lane = pair.lane(1);
        lane.charge(56);
        assertThat(lane.onCredit(WINDOW + 120, 120)).isNull();
        lane.onClosed();
        assertThat(lane.isFinished()).isFalse();
        lane.charge(48);
        assertThat(lane.isFinished()).isFalse();
        assertThat(lane.onCredit(WINDOW + 232, 232)).isNull();
        assertThat(lane.isFinished()).isTrue();
    }

    /** A grant that comes while the worker finds that it has none must not be missed. */
    @Test
    void shouldMissNoGrantAtAnyMoment() throws Exception {
        SendLane lane = pair.lane(1);
        int rounds = 300_000;
        FutureTask<Boolean> pushing = new FutureTask<>(
                () -> {
                    for (int i = 0; i < rounds; i++) {
                        while (ring().tryClaim(lane, LENGTH) < 0) {
                            ring().await(lane, SendRing.NO_CREDIT);
                        }
                        ring().commit();
                        ring().flush();
                    }
                },
                true);
        Thread worker = new Thread(pushing);
        worker.setDaemon(true);
        worker.start();
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        long limit = WINDOW;
        SendRingDrain drain = ring().drain();
        while (!pushing.isDone()) {
            long sent = lane.sent();
            if (limit - 112 - sent < CHARGE) {
                limit = sent + 112 + CHARGE; // for one frame, so that each of them may meet the moment
                assertThat(lane.onCredit(limit, sent)).isNull();
            }
            drain.consumed(drain.sealPublished((buffer, offset, length, check) -> {}, Integer.MAX_VALUE));
            assertThat(System.nanoTime() - deadlineNs)
                    .as("still waiting: sent=%d limit=%d worker=%s", lane.sent(), limit, worker.getState())
                    .isNegative();
        }
        assertThat(pushing.get()).isTrue();
        assertThat(lane.sent()).isEqualTo((long) rounds * CHARGE);
    }

    /** What one lane was refused is not forgotten because another one, which needed no slot, was refused later. */
    @Test
    void shouldKnowForEachLaneWhatHasComeSinceItWasRefused() {
        SendLane first = pair.lane(1);
        SendLane second = pair.lane(2);
        SendLane third = pair.lane(3);
        ring().push(first, source, 0, 10);
        fill(second);
        assertThat(ring().tryClaim(third, 10)).isEqualTo(SendRing.NO_CREDIT);
        ring().tryClose(first);
        pair.carryAll();
        pair.deliveries.stream()
                .filter(delivery -> delivery.address().channelId() == 1)
                .forEach(LanePair.Delivery::consume);
        pair.grant();
        assertThat(ring().tryClaim(second, LENGTH)).isEqualTo(SendRing.NO_CREDIT);

        assertThat(ring().want(second, SendRing.NO_CREDIT)).isFalse();
        assertThat(ring().want(third, SendRing.NO_CREDIT)).isTrue();
    }

    @Test
    void shouldSleepRatherThanSpinWhenAFragmentWaitsForASlot() {
        SendLane first = pair.lane(1);
        ring().push(first, source, 0, 10);
        ring().tryClose(first);
        pair.settle();
        ring().push(pair.lane(2), source, 0, 10);
        ring().push(pair.lane(3), source, 0, 10);
        SendLane other = pair.lane(4);

        assertThat(ring().tryFragment(other, 2L * WINDOW, 0, source, 0, 2 * WINDOW))
                .isEqualTo(SendRing.NO_CREDIT);
        assertThat(ring().want(other, SendRing.NO_CREDIT)).isFalse();
    }
}
