package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The clean end, a handshake with totals (L1, L6; cases 84, 85). */
class SessionHangUpTest {
    /** The frame length of a message of 10 bytes: header, prefix, padded message. */
    private static final long LENGTH = FrameHeaderFlyweight.HEADER_LENGTH + 16;

    private final ScriptedPeer peer = new ScriptedPeer(Session.Role.DIALLER, 0);
    private final Session session = peer.session();

    @ParameterizedTest
    @EnumSource(Session.Role.class)
    void shouldCloseWhenBothSidesHaveConfirmedTheTotals(Session.Role role) {
        ScriptedPeer other = new ScriptedPeer(role, 0).open();
        other.sessionSendsData(10);
        other.sessionSendsData(10);
        other.sendData(10);
        other.session().hangUp();
        assertThat(other.poll()).isEqualTo(FrameType.HANGUP);
        assertThat(other.polledHangUp().framesSent()).isEqualTo(2);
        assertThat(other.polledHangUp().bytesSent()).isEqualTo(2 * LENGTH);
        assertThat(other.sendData(10)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(other.sendHangUp()).isEqualTo(Session.Verdict.PEER_HUNG_UP);
        other.session().confirm();
        assertThat(other.poll()).isEqualTo(FrameType.HANGUP);
        assertThat(other.polledHeader().hasFlags(FrameFlags.CONFIRM)).isTrue();
        assertThat(other.polledHangUp().framesSent()).isEqualTo(2);
        assertThat(other.polledHangUp().framesReceived()).isEqualTo(2);
        assertThat(other.polledHangUp().bytesReceived()).isEqualTo(2 * LENGTH);
        assertThat(other.session().isSendingDone()).isTrue();
        assertThat(other.sendConfirm()).isEqualTo(Session.Verdict.PEER_CONFIRMED);
        assertThat(other.session().state()).isEqualTo(Session.State.CLOSED);
        assertThat(other.session().onEndOfStream()).isEqualTo(Session.Verdict.ENDED);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 128", "2, 127", "2, 129", "3, 128", "9223372036854775807, 9223372036854775807"})
    void shouldFindATotalWrongWhenThePeerHangsUp(long frames, long bytes) {
        peer.open().sendData(10);
        peer.sendData(10);
        assertThat(peer.sendHangUp(frames, bytes)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation())
                .contains("dataFrames=" + frames, "dataBytes=" + bytes)
                .contains("dataFrames=2 dataBytes=" + 2 * LENGTH + " arrived");
        assertThat(session.state()).isEqualTo(Session.State.OPEN);
    }

    /** Sent: 1 frame by us, 2 by the peer. */
    @ParameterizedTest
    @CsvSource({"2, 128, 0, 0", "2, 128, 2, 64", "2, 128, 1, 63", "1, 128, 1, 64", "2, 127, 1, 64", "0, 0, 0, 0"})
    void shouldFindATotalWrongWhenThePeerConfirms(long framesSent, long bytesSent, long framesHeard, long bytesHeard) {
        closingWithData();
        assertThat(peer.sendConfirm(framesSent, bytesSent, framesHeard, bytesHeard))
                .isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).startsWith("HANGUP");
        assertThat(session.onEndOfStream()).isEqualTo(Session.Verdict.LOST);
    }

    @Test
    void shouldTakeTheRightTotalsWhenThePeerConfirms() {
        closingWithData();
        assertThat(peer.sendConfirm(2, 2 * LENGTH, 1, LENGTH)).isEqualTo(Session.Verdict.PEER_CONFIRMED);
    }

    private void closingWithData() {
        peer.open().sendData(10);
        peer.sendData(10);
        peer.sessionSendsData(10);
        session.hangUp();
        peer.poll();
        assertThat(peer.sendHangUp()).isEqualTo(Session.Verdict.PEER_HUNG_UP);
    }

    @Test
    void shouldHangUpOnlyWhenAllThatWasPushedIsSent() {
        peer.open();
        session.hangUp();
        assertThat(session.isHangUpWanted()).isTrue();
        assertThat(peer.poll(false)).isNull();
        peer.sessionSendsData(10);
        assertThat(peer.poll(true)).isEqualTo(FrameType.HANGUP);
        assertThat(peer.polledHangUp().framesSent()).isEqualTo(1);
    }

    @Test
    void shouldHangUpLaterWhenItWasAskedBeforeTheStart() {
        peer.greeted();
        session.hangUp();
        assertThat(peer.poll()).isNull();
        session.readyUp();
        assertThat(peer.poll()).isEqualTo(FrameType.READY);
        assertThat(peer.poll()).isNull();
        peer.sendReady();
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
    }

    /** Every link of the process first, so that as long as anybody works all can tell all of a death. */
    @Test
    void shouldConfirmOnlyWhenAskedTo() {
        closingWithData();
        assertThat(peer.poll()).isNull();
        session.confirm();
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
    }

    @Test
    void shouldNotConfirmBeforeThePeerHasHungUp() {
        peer.open();
        session.hangUp();
        session.confirm();
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
        assertThat(peer.polledHeader().hasFlags(FrameFlags.CONFIRM)).isFalse();
        assertThat(peer.poll()).isNull();
    }

    @Test
    void shouldSendNothingAfterItsConfirmWhateverHappens() {
        closingWithData();
        session.confirm();
        peer.poll();
        session.abort(ScriptedPeer.cause(0, 1));
        session.settle(ScriptedPeer.cause(0, 0), ScriptedPeer.cause(0, 0));
        session.hangUp();
        session.confirm();
        assertThat(peer.advance(10 * Hellos.INTERVAL_NS).poll()).isNull();
        assertThat(session.isSendingDone()).isTrue();
        assertThat(session.state()).isEqualTo(Session.State.CLOSING);
    }

    @Test
    void shouldReadNothingAfterThePeersConfirm() {
        closingWithData();
        peer.sendConfirm();
        assertThat(peer.sendHeartbeat()).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("after the last frame");
    }

    /** Case 85 (c). */
    @Test
    void shouldTakeDataAfterTheHangUpForAViolation() {
        peer.open().sendHangUp();
        assertThat(peer.sendData(10)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("DATA is not legal in state HUNG_UP_REMOTE");
    }

    /** Case 85 (b), (d), (e): anything but CONFIRM as the last frame is an unclean end. */
    @Test
    void shouldBeLostWhenTheStreamEndsBeforeTheConfirm() {
        peer.open();
        assertThat(session.onEndOfStream()).isEqualTo(Session.Verdict.LOST);
        peer.sendHangUp();
        assertThat(session.onEndOfStream()).isEqualTo(Session.Verdict.LOST);
        session.hangUp();
        peer.poll();
        assertThat(session.onEndOfStream()).isEqualTo(Session.Verdict.LOST);
        session.confirm();
        peer.poll();
        assertThat(session.onEndOfStream()).isEqualTo(Session.Verdict.LOST);
        peer.sendConfirm();
        assertThat(session.onEndOfStream()).isEqualTo(Session.Verdict.ENDED);
    }

    @Test
    void shouldNotOweBytesOnceConfirmed() {
        closingWithData();
        peer.sendConfirm();
        assertThat(session.onTick(peer.nowNs() + 100 * Hellos.TIMEOUT_NS)).isEqualTo(Session.Verdict.CONTINUE);
    }
}
