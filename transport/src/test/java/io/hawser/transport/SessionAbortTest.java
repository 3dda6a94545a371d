package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.framing.FrameType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The unclean end: one cause at once, a better one once, then silence (L2; case 73). */
class SessionAbortTest {
    private final ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0);
    private final Session session = peer.session();
    private final Cause late = ScriptedPeer.cause(2, 2_000);
    private final Cause early = ScriptedPeer.cause(2, 1_000);

    @Test
    void shouldSendTheCauseAtTheNextFrame() {
        peer.open();
        session.hangUp();
        session.abort(late);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.polledAbort().sameEvent(late)).isTrue();
        assertThat(session.state()).isEqualTo(Session.State.FAILED);
        assertThat(peer.advance(Hellos.INTERVAL_NS).poll()).isNull();
    }

    @Test
    void shouldKeepItsHalfOpenUntilTheCausesAreSettled() {
        peer.open();
        session.abort(late);
        peer.poll();
        assertThat(session.isSendingDone()).isFalse();
        session.settle(late, late);
        assertThat(peer.poll()).isNull();
        assertThat(session.isSendingDone()).isTrue();
    }

    @Test
    void shouldSendABetterCauseOnceBeforeItsEnd() {
        peer.open();
        session.abort(late);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        session.settle(early, early);
        assertThat(session.isSendingDone()).isFalse();
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.polledAbort().sameEvent(early)).isTrue();
        assertThat(session.isSendingDone()).isTrue();
        assertThat(peer.poll()).isNull();
    }

    /** The watch settles while the send thread has not come round to the first ABORT yet. */
    @Test
    void shouldSendOnlyTheSettledCauseWhenNothingWasSentBefore() {
        peer.open();
        session.abort(late);
        session.settle(early, early);
        session.abort(late);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.polledAbort().sameEvent(early)).isTrue();
        assertThat(session.isSendingDone()).isTrue();
    }

    /** L2: who knows only the report of who failed would not know how early that was seen, and might take another one for the first. */
    @Test
    void shouldTellTheEarliestBeforeTheReportThatTakesItsPlace() {
        peer.open();
        session.abort(late);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        Cause report = ScriptedPeer.cause(0, 5_000);
        session.settle(early, report);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.polledAbort().sameEvent(early)).isTrue();
        assertThat(session.isSendingDone()).isFalse();
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.polledAbort().sameEvent(report)).isTrue();
        assertThat(session.isSendingDone()).isTrue();
        assertThat(peer.poll()).isNull();
    }

    @Test
    void shouldNotTellTheEarliestAgain() {
        peer.open();
        session.abort(early);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        session.settle(early, late);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.polledAbort().sameEvent(late)).isTrue();
        assertThat(session.isSendingDone()).isTrue();
    }

    @Test
    void shouldNotTakeTheFirstCauseBackWhenAskedAgain() {
        peer.open();
        session.settle(early, early);
        assertThat(session.isSendingDone()).isFalse();
        session.abort(late);
        peer.poll();
        assertThat(peer.polledAbort().sameEvent(early)).isTrue();
    }

    @Test
    void shouldSendTheSameEventOnceWhoeverReportedIt() {
        peer.open();
        session.abort(early);
        peer.poll();
        session.settle(early.reportedBy(1), early.reportedBy(1));
        assertThat(peer.poll()).isNull();
        assertThat(session.isSendingDone()).isTrue();
    }

    @Test
    void shouldTellThePeersCauseAndWhoReportedIt() {
        peer.open();
        assertThat(peer.sendAbort(early)).isEqualTo(Session.Verdict.ABORTED);
        assertThat(session.peerCause().sameEvent(early)).isTrue();
        assertThat(session.peerCause().reporterProcess()).isEqualTo(1);
    }

    @Test
    void shouldListenForABetterCauseAfterTheFirst() {
        peer.open().sendAbort(late);
        assertThat(peer.sendData(10)).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.sendHangUp()).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.sendAbort(early)).isEqualTo(Session.Verdict.ABORTED);
        assertThat(session.peerCause().sameEvent(early)).isTrue();
        assertThat(session.onEndOfStream()).isEqualTo(Session.Verdict.ENDED);
    }

    /** In whatever state, once greeted: a process that finished early can still be told of a death. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldAbortFromEveryStateOfTheHangUp(int steps) {
        peer.open();
        if (steps >= 1) {
            session.hangUp();
            peer.poll();
        }
        if (steps >= 2) {
            peer.sendHangUp();
        }
        if (steps >= 3) {
            peer.sendConfirm();
        }
        session.abort(early);
        session.confirm();
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        session.shut();
        assertThat(session.isSendingDone()).isTrue();
    }

    @Test
    void shouldAbortBeforeTheStartWithoutReady() {
        peer.greeted();
        session.readyUp();
        session.abort(early);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.poll()).isNull();
    }

    @Test
    void shouldNotJudgeSilenceOnceThePeerHasAborted() {
        peer.open().sendAbort();
        assertThat(session.onTick(peer.nowNs() + Hellos.TIMEOUT_NS)).isEqualTo(Session.Verdict.CONTINUE);
    }
}
