package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Health;
import io.hawser.fate.HealthLostException;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SendRingTest {
    private static final int FRAME_LIMIT = 1_024;
    private static final int MESSAGE_LIMIT = FRAME_LIMIT - 48 - 4;
    private static final SendRoute ROUTE = new SendRoute(3, 8, 4);
    private final LaneTerms terms = Hellos.unbounded(ROUTE);

    private final MemoryAccount account = new MemoryAccount();
    private final Health health = Health.root("test");
    private final List<String> received = new ArrayList<>();
    private final UnsafeBuffer zeros = new UnsafeBuffer(new byte[FRAME_LIMIT]);
    private int wakeCount;
    private final SendRing ring = new SendRing(
            4 * FRAME_LIMIT, FRAME_LIMIT, true, ROUTE, terms, health, account, (published, isUrgent) -> wakeCount++);
    private final SendLane lane = ring.openLane(0, 5, 8, 1);
    private final RingConsumer consumer = new RingConsumer(ring.drain(), FRAME_LIMIT, true, this::onMessage);

    @AfterEach
    void shouldLeaveNoMemory() {
        ring.close();
        ring.drain().release();
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldShowNothingBeforeFlush() {
        send(5, 8, 1, "a");

        assertThat(consumer.pollAll()).isZero();
        assertThat(ring.drain().isDrained()).isTrue();
        assertThat(wakeCount).isZero();

        ring.flush();

        assertThat(ring.drain().isDrained()).isFalse();
        assertThat(consumer.pollAll()).isEqualTo(48 + 8);
        assertThat(ring.drain().isDrained()).isTrue();
        assertThat(received).containsExactly("5>8+1 a");
        assertThat(wakeCount).isOne();
    }

    @Test
    void shouldDoNothingWhenThereIsNothingToFlush() {
        ring.flush();
        send(5, 8, 1, "a");
        ring.flush();
        ring.flush();

        consumer.pollAll();
        assertThat(consumer.sealedFrames()).isOne();
        assertThat(wakeCount).isOne();
    }

    @Test
    void shouldLayTheFrameAsOnTheWire() {
        final int index = ring.tryClaim(ring.openLane(77, 6, 8, 4), 5);
        ring.buffer().putStringWithoutLengthAscii(index, "hello");
        ring.commit();
        ring.flush();
        consumer.seal(Integer.MAX_VALUE);
        final FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(ring.buffer(), 0);

        assertThat(header.type()).isEqualTo(FrameType.DATA);
        assertThat(header.flags()).isEqualTo(FrameFlags.RECORDS | FrameFlags.CHECKED);
        assertThat(header.frameLength()).isEqualTo(48 + 4 + 8);
        assertThat(header.scopeId()).isEqualTo(77);
        assertThat(header.channelId()).isEqualTo(6);
        assertThat(header.sourceWorker()).isEqualTo(3);
        assertThat(header.firstTargetWorker()).isEqualTo(8);
        assertThat(header.targetWorkerCount()).isEqualTo(4);
        assertThat(ring.drain().stretch().remaining()).isEqualTo(64);
        assertThat(ring.drain().stretchOffset()).isZero();
    }

    @Test
    void shouldExtendTheFrameWhileAddressStaysTheSame() {
        send(5, 8, 1, "a");
        send(5, 8, 1, "");
        send(5, 8, 1, "b");
        ring.flush();

        consumer.pollAll();
        assertThat(consumer.sealedFrames()).isOne();
        assertThat(received).containsExactly("5>8+1 a", "5>8+1 ", "5>8+1 b");
    }

    @Test
    void shouldOpenAnotherFrameWhenAnyPartOfTheAddressChanges() {
        send(5, 8, 1, "a");
        send(6, 8, 1, "b");
        send(6, 9, 1, "c");
        send(6, 8, 4, "d");
        final int index = ring.tryClaim(ring.openLane(1, 7, 8, 4), 1);
        ring.buffer().putByte(index, (byte) 'e');
        ring.commit();
        ring.flush();

        consumer.pollAll();
        assertThat(consumer.sealedFrames()).isEqualTo(5);
        assertThat(received).containsExactly("5>8+1 a", "6>8+1 b", "6>9+1 c", "6>8+4 d", "7>8+4 e");
    }

    @Test
    void shouldTellOfShortFramesTogetherWhenEnoughIsPublished() {
        int frames = 0;
        while (wakeCount == 0) {
            send(5 + frames % 2, 8, 1, "a");
            frames++;
        }
        assertThat((frames - 1) * 56).isBetween(FRAME_LIMIT / 2, FRAME_LIMIT / 2 + 55); // the last one is still open

        send(7, 8, 1, "b");
        assertThat(wakeCount).isOne();
        ring.flush();
        assertThat(wakeCount).isEqualTo(2);
        consumer.pollAll();
        assertThat(received).hasSize(frames + 1);
    }

    @Test
    void shouldTellOfAllThatIsPublishedOnceWhenThereIsNoRoom() {
        for (int i = 0; i < 3; i++) {
            ring.push(lane, zeros, 0, MESSAGE_LIMIT);
        }
        send(6, 8, 1, "a");
        send(7, 8, 1, "b");
        assertThat(wakeCount).isEqualTo(3);

        assertThat(ring.tryClaim(lane, MESSAGE_LIMIT)).isEqualTo(SendRing.FULL);
        assertThat(wakeCount).isEqualTo(4);
        assertThat(ring.tryClaim(lane, MESSAGE_LIMIT)).isEqualTo(SendRing.FULL);
        assertThat(wakeCount).isEqualTo(4);
        consumer.pollAll();
        assertThat(received).hasSize(5);
    }

    @Test
    void shouldLeaveNoTraceWhenAborted() {
        ring.tryClaim(lane, 100);
        ring.abort();
        ring.flush();
        assertThat(consumer.pollAll()).isZero();

        send(5, 8, 1, "a");
        ring.tryClaim(lane, 100);
        ring.buffer().setMemory(60, 40, (byte) -1);
        ring.abort();
        send(5, 8, 1, "b");
        ring.tryClaim(ring.openLane(0, 6, 8, 1), 100);
        ring.abort();
        ring.flush();

        consumer.pollAll();
        assertThat(received).containsExactly("5>8+1 a", "5>8+1 b");
    }

    @Test
    void shouldPublishWhatIsCommittedWhenFull() {
        while (ring.tryClaim(lane, MESSAGE_LIMIT) != SendRing.FULL) {
            ring.commit();
        }

        assertThat(consumer.pollAll()).isEqualTo(4 * FRAME_LIMIT);
        assertThat(received).hasSize(4);
        assertThat(ring.tryClaim(lane, MESSAGE_LIMIT)).isGreaterThanOrEqualTo(0);
        ring.abort();
    }

    @Test
    void shouldReturnAtOnceFromAwaitSpaceWhenThereIsRoom() {
        ring.await(lane, SendRing.FULL);
        while (ring.tryClaim(lane, MESSAGE_LIMIT) != SendRing.FULL) {
            ring.commit();
        }
        consumer.poll(1);
        ring.await(lane, SendRing.FULL);

        assertThat(ring.tryClaim(lane, MESSAGE_LIMIT)).isNotEqualTo(SendRing.FULL);
        ring.abort();
    }

    @Test
    void shouldFitTheLargestMessageAndRefuseOneByteMoreBeforeWritingAnything() {
        assertThat(ring.recordLimit()).isEqualTo(MESSAGE_LIMIT);
        ring.push(lane, zeros, 0, MESSAGE_LIMIT);

        assertThatThrownBy(() -> ring.tryClaim(lane, MESSAGE_LIMIT + 1))
                .isInstanceOfSatisfying(MessageTooLargeException.class, tooLarge -> {
                    assertThat(tooLarge.messageLength()).isEqualTo(MESSAGE_LIMIT + 1);
                    assertThat(tooLarge.messageLimit()).isEqualTo(MESSAGE_LIMIT);
                })
                .hasMessageEndingWith("messageLength=973 recordLimit=972");
        assertThatThrownBy(() -> ring.tryClaim(lane, Integer.MAX_VALUE)).isInstanceOf(MessageTooLargeException.class);
        ring.flush();

        assertThat(consumer.pollAll()).isEqualTo(FRAME_LIMIT);
        assertThat(received).hasSize(1);
    }

    @Test
    void shouldRefuseWhereTheRingDoesNotLead() {
        assertThatThrownBy(() -> ring.openLane(0, -1, 8, 1)).hasMessageContaining("channelId=-1");
        assertThatThrownBy(() -> ring.openLane(0, 5, 7, 1)).hasMessageContaining("firstTarget=7");
        assertThatThrownBy(() -> ring.openLane(0, 5, 11, 2)).hasMessageContaining("targetCount=2");
        assertThatThrownBy(() -> ring.openLane(0, 5, 8, 0)).hasMessageContaining("targetCount=0");
        assertThatThrownBy(() -> ring.openLane(0, 5, 8, Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ring.tryClaim(lane, -1)).hasMessageContaining("length=-1");
        ring.flush();
        assertThat(consumer.pollAll()).isZero();
    }

    @Test
    void shouldRefuseCallsOutOfOrder() {
        assertThatThrownBy(ring::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(ring::abort).isInstanceOf(IllegalStateException.class);
        ring.tryClaim(lane, 1);
        assertThatThrownBy(() -> ring.tryClaim(lane, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(ring::flush).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ring.await(lane, SendRing.FULL)).isInstanceOf(IllegalStateException.class);
        ring.abort();
    }

    @Test
    void shouldRefuseClaimsAfterCloseAndSendWhatWasCommitted() {
        send(5, 8, 1, "last");
        ring.tryClaim(lane, 1);
        assertThat(ring.drain().isEnded()).isFalse();
        ring.close();
        ring.close();

        assertThatThrownBy(() -> ring.tryClaim(lane, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(ring::flush).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ring.await(lane, SendRing.FULL)).isInstanceOf(IllegalStateException.class);
        assertThat(ring.drain().isEnded()).isFalse();
        consumer.pollAll();
        assertThat(received).containsExactly("5>8+1 last");
        assertThat(ring.drain().isEnded()).isTrue();
    }

    @Test
    void shouldFreeTheMemoryWhenBothSidesHaveLetGo() {
        ring.close();
        assertThat(account.liveBytes()).isEqualTo(4 * FRAME_LIMIT);
        ring.drain().release();
        ring.drain().release();
        assertThat(account.liveBytes()).isZero();
        assertThatThrownBy(() -> consumer.poll(1)).isInstanceOf(IllegalStateException.class);

        final SendRing other =
                new SendRing(2_048, FRAME_LIMIT, true, ROUTE, terms, health, account, (published, isUrgent) -> {});
        other.drain().release();
        assertThat(account.liveBytes()).isEqualTo(2_048);
        other.close();
        assertThat(account.liveBytes()).isZero();
    }

    @Test
    void shouldSealAStretchWithinTheLimitButAtLeastOneFrame() {
        for (int i = 0; i < 3; i++) {
            send(5, 8, 1, "1234");
            ring.flush();
        }

        assertThat(consumer.seal(1)).isEqualTo(56);
        assertThat(consumer.seal(1)).isEqualTo(56);
        assertThat(consumer.sealedFrames()).isOne();
        assertThat(consumer.seal(112)).isEqualTo(112);
        assertThat(consumer.seal(167)).isEqualTo(112);
        assertThat(consumer.seal(Integer.MAX_VALUE)).isEqualTo(168);
        assertThat(consumer.sealedFrames()).isEqualTo(3);
    }

    @Test
    void shouldGoOnInsideAFrameWhenOnlyPartOfAStretchWasTaken() {
        send(5, 8, 1, "1234");
        ring.flush();
        send(5, 8, 1, "5678");
        ring.flush();
        consumer.seal(Integer.MAX_VALUE);

        consumer.take(13);
        assertThat(consumer.seal(1)).isEqualTo(112 - 13);
        assertThat(ring.drain().stretchOffset()).isEqualTo(13);
        assertThat(ring.drain().isDrained()).isFalse();
        consumer.take(112 - 13);

        assertThat(ring.drain().isDrained()).isTrue();
        assertThat(received).containsExactly("5>8+1 1234", "5>8+1 5678");
        consumer.assertWhole();
        assertThatThrownBy(() -> ring.drain().consumed(1)).hasMessageContaining("bytes=1");
    }

    @Test
    void shouldThrowWhenHealthIsLost() {
        while (ring.tryClaim(lane, MESSAGE_LIMIT) != SendRing.FULL) {
            ring.commit();
        }
        loseHealth();

        assertThatThrownBy(() -> ring.await(lane, SendRing.FULL)).isInstanceOf(HealthLostException.class);
        assertThatThrownBy(() -> ring.tryClaim(lane, MESSAGE_LIMIT)).isInstanceOf(HealthLostException.class);
        assertThatThrownBy(() -> ring.push(lane, zeros, 0, 1)).isInstanceOf(HealthLostException.class);
    }

    /** The send thread may end before the verdict about its link (L2): the worker must not take that for a failure of its own. */
    @Test
    @Timeout(10)
    void shouldWaitForTheVerdictWhenTheConsumerHasLetGo() {
        while (ring.tryClaim(lane, MESSAGE_LIMIT) != SendRing.FULL) {
            ring.commit();
        }
        ring.drain().release();
        final Thread worker = Thread.currentThread();
        final Thread verdict = new Thread(() -> {
            while (worker.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            loseHealth();
        });
        verdict.setDaemon(true);
        verdict.start();

        assertThatThrownBy(() -> ring.await(lane, SendRing.FULL)).isInstanceOf(HealthLostException.class);
    }

    @Test
    void shouldNotWaitWhenTheClusterHasEnded() {
        while (ring.tryClaim(lane, MESSAGE_LIMIT) != SendRing.FULL) {
            ring.commit();
        }
        health.end();
        ring.drain().release();

        assertThatThrownBy(() -> ring.await(lane, SendRing.FULL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith("health=ENDED");
    }

    @Test
    void shouldWriteNoPayloadCheckWhenNoneIsAgreed() {
        final SendRing unchecked =
                new SendRing(2_048, FRAME_LIMIT, false, ROUTE, terms, health, account, (published, isUrgent) -> {});
        unchecked.push(unchecked.openLane(0, 5, 9, 1), zeros, 0, 10);
        unchecked.flush();
        final RingConsumer other = new RingConsumer(unchecked.drain(), FRAME_LIMIT, false, this::onMessage);

        other.pollAll();

        assertThat(received).hasSize(1);
        unchecked.close();
        unchecked.drain().release();
    }

    @Test
    void shouldRefuseImpossibleRings() {
        assertThatThrownBy(() -> new SendRing(
                        1_024, FRAME_LIMIT, true, ROUTE, terms, health, account, (published, isUrgent) -> {}))
                .hasMessageContaining("length=1024 frameLimit=1024");
        assertThatThrownBy(() -> new SendRing(
                        3_000, FRAME_LIMIT, true, ROUTE, terms, health, account, (published, isUrgent) -> {}))
                .hasMessageContaining("length=3000");
    }

    private void send(final int channelId, final int firstTarget, final int targetCount, final String text) {
        final UnsafeBuffer source = new UnsafeBuffer(text.getBytes(StandardCharsets.US_ASCII));
        ring.push(ring.openLane(0, channelId, firstTarget, targetCount), source, 0, source.capacity());
    }

    private void loseHealth() {
        health.lose(Cause.builder(CauseKind.PEER_LOST)
                .subjectProcess(1)
                .observerProcess(0)
                .generation(1)
                .build());
    }

    private void onMessage(
            final FrameHeaderFlyweight header, final DirectBuffer buffer, final int offset, final int length) {
        received.add(header.channelId() + ">" + header.firstTargetWorker() + "+" + header.targetWorkerCount() + " "
                + buffer.getStringWithoutLengthAscii(offset, length));
    }
}
