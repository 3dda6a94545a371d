package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.ScopeOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lanes of a stopped scope are forgotten on both sides, and their places are free again, once each (L7, L10; cases 94, 104). */
class LaneScopeTest {
    private static final long WINDOW = 8_192;
    private static final int CHANNELS = 4;
    private static final long ID = 9;

    private final LanePair pair = new LanePair(1, WINDOW, CHANNELS);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);

    @AfterEach
    void shouldLeaveNoMemory() {
        pair.close();
    }

    private boolean push(final SendLane lane) {
        final int index = pair.ring().tryClaim(lane, 64);
        if (index < 0) {
            return false;
        }
        pair.ring().buffer().putBytes(index, message, 0, 64);
        pair.ring().commit();
        pair.ring().flush();
        return true;
    }

    private List<SendLane> fill(final long scopeId) {
        final List<SendLane> lanes = new ArrayList<>();
        for (int channel = 0; channel < CHANNELS; channel++) {
            final SendLane lane = pair.lane(scopeId, channel);
            assertThat(push(lane)).as("channel %d", channel).isTrue();
            lanes.add(lane);
        }
        return lanes;
    }

    /** All places can be taken, and not one more. */
    private void assertAllPlacesFree(final long scopeId) {
        pair.carryAll();
        final List<SendLane> lanes = fill(scopeId);
        final SendLane excess = pair.lane(scopeId, CHANNELS);
        assertThat(push(excess)).isFalse();
        pair.ring().tryClose(excess);
        pair.carryAll();
        lanes.forEach(lane -> assertThat(pair.ring().tryClose(lane)).isTrue());
        pair.settle();
    }

    @Test
    void shouldFreeThePlacesOfLanesThatAreLetGoOfBeforeTheStopIsTold() {
        final List<SendLane> lanes = fill(ID);
        pair.carryAll();
        pair.cancel(ID);
        lanes.forEach(pair.ring()::drop);
        assertThat(push(pair.lane(1, 0))).as("the peer still counts them").isFalse();
        pair.tell();
        assertThat(pair.receiverSession().receiveLanes().all()).isEmpty();
        assertAllPlacesFree(1);
        assertAllPlacesFree(2);
    }

    @Test
    void shouldFreeThePlacesOfLanesThatAreLetGoOfAfterTheStopIsTold() {
        final List<SendLane> lanes = fill(ID);
        pair.carryAll();
        pair.cancel(ID);
        pair.tell();
        assertThat(push(pair.lane(1, 0))).as("the worker still holds them").isFalse();
        lanes.forEach(pair.ring()::drop);
        lanes.forEach(pair.ring()::drop);
        assertAllPlacesFree(1);
    }

    /** It was closed, so nobody drops it, and the peer that has forgotten it tells nothing more of it. */
    @Test
    void shouldFreeThePlaceOfALaneThatWasClosedBeforeTheStop() {
        final List<SendLane> lanes = fill(ID);
        pair.ring().tryClose(lanes.get(0));
        pair.carryAll();
        pair.cancel(ID);
        lanes.subList(1, CHANNELS).forEach(pair.ring()::drop);
        pair.tell();
        pair.stopped().remove(ID);
        pair.session().sendLanes().forget(ID, true);
        assertThat(pair.session().sendLanes().all()).isEmpty();
        assertAllPlacesFree(1);
    }

    @Test
    void shouldFreeThePlaceOfALaneThatIsClosedAfterTheStop() {
        final List<SendLane> lanes = fill(ID);
        pair.carryAll();
        pair.cancel(ID);
        pair.tell();
        lanes.forEach(pair.ring()::tryClose);
        pair.carryAll();
        pair.stopped().remove(ID);
        pair.session().sendLanes().forget(ID, true);
        assertAllPlacesFree(1);
    }

    /** The last credit for a closed lane crosses the stop. */
    @Test
    void shouldFreeAPlaceOnceWhenItsLastCreditCrossesTheStop() {
        final List<SendLane> lanes = fill(ID);
        lanes.forEach(pair.ring()::tryClose);
        pair.carryAll();
        pair.consumeAll();
        pair.cancel(ID);
        pair.grant();
        pair.tell();
        lanes.forEach(pair.ring()::drop);
        pair.stopped().remove(ID);
        pair.session().sendLanes().forget(ID, true);
        assertAllPlacesFree(1);
    }

    @Test
    void shouldForgetAScopeBeforeItsStopIsTold() {
        final List<SendLane> lanes = fill(ID);
        pair.carryAll();
        pair.cancel(ID);
        lanes.forEach(pair.ring()::drop);
        pair.stopped().remove(ID);
        pair.session().sendLanes().forget(ID, true);
        assertThat(push(pair.lane(1, 0))).as("the peer still counts them").isFalse();
        pair.tell();
        assertAllPlacesFree(1);
    }

    @Test
    void shouldKeepClosedLanesOfACompletedScopeUntilTheyAreConsumed() {
        final List<SendLane> lanes = fill(ID);
        lanes.forEach(pair.ring()::tryClose);
        pair.carryAll();
        pair.session().sendLanes().forget(ID, false);
        assertThat(pair.session().sendLanes().all()).hasSize(CHANNELS);
        pair.settle();
        assertThat(pair.session().sendLanes().all()).isEmpty();
        assertAllPlacesFree(1);
    }

    @Test
    void shouldTakeNothingOfTheDroppedFrameAlong() {
        final SendLane dropped = pair.lane(ID, 0);
        final int index = pair.ring().tryClaim(dropped, 64);
        assertThat(index).isNotNegative();
        pair.ring().commit();
        pair.cancel(ID);
        pair.ring().drop(dropped);
        pair.ring().flush();
        pair.tell();
        assertThat(push(pair.lane(1, 0))).isTrue();
        pair.carryAll();
        assertThat(pair.deliveries).hasSize(1);
        assertThat(pair.deliveries.get(0).address().scopeId()).isOne();
    }

    /** Data that is stuck does not leave, and what it waited for is not wanted any more. */
    @Test
    void shouldKeepDataOfAStoppedScopeBack() {
        fill(ID);
        pair.cancel(ID);
        pair.tell();
        pair.carryAll();
        assertThat(pair.deliveries).isEmpty();
        assertThat(pair.words).hasSize(1);
        assertThat(pair.words.get(0).cancel()).isEqualTo(new ScopeOutcome.Cancelled(1, -1, "enough"));
        assertThat(pair.ring().drain().isDrained()).isTrue();
        assertThat(pair.receiverSession().receiveLanes().all()).isEmpty();
    }

    /** Credit that the peer had granted before it heard of the stop comes for lanes that are gone. */
    @Test
    void shouldIgnoreCreditThatCrossesTheStop() {
        final SendLane lane = pair.lane(ID, 0);
        while (push(lane)) {
            pair.carryAll();
        }
        pair.consumeAll();
        pair.cancel(ID);
        pair.ring().drop(lane);
        pair.grant();
        pair.tell();
        pair.grant();
        assertAllPlacesFree(1);
    }

    /** Scopes come and go in all orders, among lanes of the cluster; the books stay right (case 104). */
    @Test
    void shouldLoseNoPlaceWhateverIsDoneWhen() {
        for (long seed = 1; seed <= 40; seed++) {
            final Random random = new Random(seed);
            for (long id = 100 * seed; id < 100 * seed + 25; id++) {
                live(random, id);
            }
            pair.settle();
            assertAllPlacesFree(100 * seed + 99);
        }
        assertThat(pair.session().sendLanes().all()).isEmpty();
    }

    private void live(final Random random, final long id) {
        final List<SendLane> lanes = new ArrayList<>();
        for (int i = random.nextInt(3 * CHANNELS); i > 0; i--) {
            final int channel = random.nextInt(CHANNELS);
            final SendLane lane = lanes.stream()
                    .filter(one -> one.address().channelId() == channel)
                    .findFirst()
                    .orElseGet(() -> pair.lane(id, channel));
            if (!lanes.contains(lane)) {
                lanes.add(lane);
            }
            if (!lane.isClosed() && push(lane) && random.nextInt(4) == 0) {
                pair.ring().tryClose(lane);
            }
            if (random.nextInt(3) == 0) {
                pair.carryAll();
            }
            if (random.nextInt(3) == 0) {
                pair.consumeAll();
                pair.grant();
            }
        }
        if (random.nextInt(3) == 0) {
            pair.carryAll();
        }
        pair.cancel(id);
        if (random.nextBoolean()) {
            pair.tell();
        }
        lanes.stream().filter(lane -> !lane.isClosed() || random.nextBoolean()).forEach(pair.ring()::drop);
        pair.carryAll(); // past it
        if (random.nextBoolean()) {
            pair.consumeAll();
        }
        if (random.nextBoolean()) {
            pair.grant();
        }
        if (random.nextBoolean()) {
            pair.tell();
        }
        pair.stopped().remove(id);
        pair.session().sendLanes().forget(id, true);
        pair.tell();
    }
}
