package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is queued of a stopped scope is skipped wherever it lies, and its room comes back (L8, L10; case 94). */
@Timeout(30)
class SendRingScopeTest {
    private static final int FRAME_LIMIT = 1_024;
    private static final SendRoute ROUTE = new SendRoute(3, 8, 4);
    private static final long ID = 9;

    private final LaneTerms terms = Hellos.unbounded(ROUTE);
    private final StoppedScopes stopped = terms.lanes().stopped();
    private final MemoryAccount account = new MemoryAccount();
    private final Health health = Health.root("test");
    private final List<String> received = new ArrayList<>();
    private final SendRing ring = new SendRing(
            4 * FRAME_LIMIT, FRAME_LIMIT, true, ROUTE, terms, health, account, (published, isUrgent) -> {});
    private final RingConsumer consumer = new RingConsumer(
            ring.drain(),
            FRAME_LIMIT,
            true,
            (header, buffer, offset, length) -> received.add(header.scopeId() + " " + buffer.getInt(offset)));
    private int roomCount;

    @AfterEach
    void shouldLeaveNoMemory() {
        ring.close();
        ring.drain().release();
        assertThat(account.liveBytes()).isZero();
    }

    private SendLane lane(final long scopeId) {
        return ring.openLane(scopeId, 5, 8, 1);
    }

    private boolean push(final long scopeId, final int value, final int length) {
        final int index = ring.tryClaim(lane(scopeId), length);
        if (index >= 0) {
            ring.buffer().putInt(index, value);
            ring.commit();
            ring.flush();
        }
        return index >= 0;
    }

    private void push(final long... scopeIds) {
        for (int i = 0; i < scopeIds.length; i++) {
            assertThat(push(scopeIds[i], i, 4)).isTrue();
        }
    }

    @Test
    void shouldSkipFramesAtTheStart() {
        push(ID, ID, 0, 7);
        stopped.add(ID);
        consumer.pollAll();
        assertThat(received).containsExactly("0 2", "7 3");
        consumer.assertWhole();
    }

    @Test
    void shouldSkipFramesInTheMiddle() {
        push(0, ID, 7, ID, ID, 0);
        stopped.add(ID);
        consumer.pollAll();
        assertThat(received).containsExactly("0 0", "7 2", "0 5");
        consumer.assertWhole();
    }

    @Test
    void shouldSkipFramesAtTheEnd() {
        push(0, 7, ID, ID);
        stopped.add(ID);
        consumer.pollAll();
        assertThat(received).containsExactly("0 0", "7 1");
        assertThat(ring.drain().isDrained()).isTrue();
        assertThat(ring.drain().passedPosition()).isEqualTo(ring.publishedPosition());
        consumer.assertWhole();
    }

    @Test
    void shouldSkipFramesOfSeveralScopes() {
        push(ID, 7, 0, 7, ID);
        stopped.add(ID);
        stopped.add(7);
        consumer.pollAll();
        assertThat(received).containsExactly("0 2");
    }

    /** A frame that has been numbered is missed if it does not come. */
    @Test
    void shouldSendWhatWasNumberedBeforeTheStop() {
        push(ID, ID, ID);
        final int length = consumer.seal(60);
        assertThat(length).isEqualTo(56);
        stopped.add(ID);
        assertThat(consumer.seal(Integer.MAX_VALUE)).isEqualTo(56);
        consumer.take(16);
        assertThat(consumer.seal(Integer.MAX_VALUE)).isEqualTo(40);
        consumer.take(40);
        assertThat(consumer.pollAll()).isZero();
        assertThat(received).containsExactly("9 0");
        assertThat(ring.drain().isDrained()).isTrue();
        consumer.assertWhole();
    }

    @Test
    void shouldSkipFramesBeforeAndBehindTheWrapMarker() {
        for (final boolean isFirstStopped : new boolean[] {false, true}) {
            final long before = isFirstStopped ? ID : 0;
            final long behind = isFirstStopped ? 0 : ID;
            moveTo(3_600);
            received.clear();
            assertThat(push(before, 1, 200)).isTrue(); // ends at 3,864
            assertThat(push(behind, 2, 400)).isTrue(); // does not fit there
            assertThat(push(before, 3, 4)).isTrue();
            stopped.add(ID);
            consumer.pollAll();
            assertThat(received).containsExactlyElementsOf(isFirstStopped ? List.of("0 2") : List.of("0 1", "0 3"));
            assertThat(ring.drain().isDrained()).isTrue();
            stopped.remove(ID);
        }
        consumer.assertWhole();
    }

    private void moveTo(final int index) {
        while ((ring.publishedPosition() & 4 * FRAME_LIMIT - 1) != index) {
            final int rest = (int) (index - (ring.publishedPosition() & 4 * FRAME_LIMIT - 1) & 4 * FRAME_LIMIT - 1);
            assertThat(push(0, 0, rest >= 56 + 56 && rest < 600 ? rest - 52 : rest > 600 ? 148 : 4))
                    .isTrue();
            consumer.pollAll();
        }
    }

    @Test
    void shouldMakeRoomForWhoeverWaitsWhenWhatFillsTheRingIsSkipped() {
        while (push(ID, 0, 200)) {
            // until it is full
        }
        ring.roomListener(() -> roomCount++);
        final SendLane other = lane(0);
        assertThat(ring.tryClaim(other, 200)).isEqualTo(SendRing.FULL);
        assertThat(ring.want(other, SendRing.FULL)).isFalse();
        stopped.add(ID);
        assertThat(roomCount).isZero();
        assertThat(consumer.pollAll()).isZero();
        assertThat(roomCount).isOne();
        assertThat(push(0, 1, 200)).isTrue();
        consumer.pollAll();
        assertThat(received).containsExactly("0 1");
    }

    @Test
    void shouldEndWhenAllThatIsLeftIsSkipped() {
        push(ID, ID);
        ring.close();
        assertThat(ring.drain().isEnded()).isFalse();
        stopped.add(ID);
        assertThat(consumer.pollAll()).isZero();
        assertThat(ring.drain().isEnded()).isTrue();
    }

    @Test
    void shouldLeaveNothingOfADroppedLanesOpenFrame() {
        final SendLane dropped = lane(ID);
        ring.tryClaim(dropped, 4);
        ring.commit();
        ring.drop(dropped);
        ring.flush();
        assertThat(ring.publishedPosition()).isZero();
        push(0);
        consumer.pollAll();
        assertThat(received).containsExactly("0 0");
        assertThatThrownBy(() -> ring.tryClaim(dropped, 4)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldKeepAnotherLanesOpenFrameWhenOneIsDropped() {
        final SendLane dropped = lane(ID);
        ring.tryClaim(dropped, 4);
        ring.commit();
        final int index = ring.tryClaim(lane(0), 4);
        ring.buffer().putInt(index, 42);
        ring.commit();
        stopped.add(ID);
        ring.drop(dropped);
        ring.flush();
        consumer.pollAll();
        assertThat(received).containsExactly("0 42");
    }

    @Test
    void shouldRefuseToDropWhileAClaimIsOpen() {
        final SendLane claimed = lane(ID);
        ring.tryClaim(claimed, 4);
        assertThatThrownBy(() -> ring.drop(claimed)).isInstanceOf(IllegalStateException.class);
        ring.abort();
        ring.drop(claimed);
    }

    /** Any frames, any stretches, any moment: what comes is all of the others, and of the stopped ones what came before. */
    @Test
    void shouldSendExactlyWhatIsNotStopped() {
        final List<String> expected = new ArrayList<>();
        final Random random = new Random(3);
        for (int round = 0; round < 3_000; round++) {
            final long stop = 1 + random.nextInt(3);
            final int from = received.size();
            expected.clear();
            for (int i = random.nextInt(8); i > 0; i--) {
                final long scopeId = random.nextInt(4);
                final int value = random.nextInt();
                if (push(scopeId, value, 4 + random.nextInt(300)) && scopeId != stop) {
                    expected.add(scopeId + " " + value);
                }
            }
            if (random.nextInt(4) == 0) {
                final int length = consumer.seal(1 + random.nextInt(500));
                consumer.take(length == 0 ? 0 : random.nextInt(length + 1)); // maybe in the middle of a frame
            }
            stopped.add(stop);
            while (!ring.drain().isDrained()) {
                consumer.poll(1 + random.nextInt(2_000));
            }
            final List<String> came = new ArrayList<>(received.subList(from, received.size()));
            came.removeIf(message -> message.startsWith(stop + " "));
            assertThat(came).as("round %d", round).isEqualTo(expected);
            assertThat(ring.drain().passedPosition()).isEqualTo(ring.publishedPosition());
            stopped.remove(stop);
        }
        consumer.assertWhole();
    }
}
