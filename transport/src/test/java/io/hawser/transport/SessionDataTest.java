package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FrameType;
import io.hawser.framing.RefuseReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an open session delivers, and what it takes for a violation: order, addresses, scopes (L5, L6; case 40). */
class SessionDataTest {
    private final ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0);
    private final Session session = peer.session();

    @Test
    void shouldDeliverWhenDataComesInOrder() {
        peer.open();
        for (int i = 0; i < 10; i++) {
            assertThat(peer.sendData(i)).isEqualTo(Session.Verdict.DELIVER);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, Long.MAX_VALUE - 2, Long.MIN_VALUE})
    void shouldFindFramesMissingWhenTheSequenceHasAGap(long skipped) {
        long next = peer.open().nextSequence();
        assertThat(peer.sequence(next + skipped).sendData(1)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation())
                .contains("sequence=" + (next + skipped))
                .contains("expected=" + next)
                .endsWith(skipped > 0 ? "frames are missing" : "a frame came twice");
    }

    @Test
    void shouldFindAFrameRepeatedWhenTheSequenceFallsBack() {
        long next = peer.open().nextSequence();
        assertThat(peer.sendData(1)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(peer.sequence(next).sendData(1)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).endsWith("a frame came twice");
    }

    @Test
    void shouldCountControlFramesAndDataTogetherWhenSequencesAreJudged() {
        peer.open();
        assertThat(peer.sendHeartbeat()).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.sendData(1)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(peer.sequence(peer.nextSequence() - 1).sendHeartbeat()).isEqualTo(Session.Verdict.VIOLATED);
    }

    /** Process 0 has workers 0 and 1, its peer is process 1 with workers 2 and 3. */
    @ParameterizedTest
    @CsvSource({
        "2, 0, 1, true",
        "3, 1, 1, true",
        "3, 0, 2, true",
        "1, 0, 1, false",
        "4, 0, 1, false",
        "-1, 0, 1, false",
        "2147483647, 0, 1, false",
        "2, 2, 1, false",
        "2, 1, 2, false",
        "2, 0, 3, false",
        "2, -1, 0, false",
        "2, 0, 2147483647, false",
        "2, 2147483646, 1, false",
    })
    void shouldDeliverOnlyWhatGoesFromThePeersWorkersToOurs(int source, int target, int count, boolean isRight) {
        Session.Verdict verdict = peer.open().sendData(4, source, target, count);
        assertThat(verdict).isEqualTo(isRight ? Session.Verdict.DELIVER : Session.Verdict.VIOLATED);
        if (!isRight) {
            assertThat(session.violation())
                    .contains("source worker=" + source, "target workers=" + target + "+" + count);
        }
    }

    /** Whether it has been opened here or not: then it waits at the expense of its lane. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, Long.MAX_VALUE})
    void shouldDeliverDataOfAnyScope(long scope) {
        assertThat(peer.open().scope(scope).sendData(1)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(session.lane().address().scopeId()).isEqualTo(scope);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void shouldKnowNoScopeBelowTheCluster(long scope) {
        assertThat(peer.open().scope(scope).sendData(1)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("DATA", "scope=" + scope);
    }

    @Test
    void shouldKeepLanesApartWhenOnlyTheirScopesDiffer() {
        peer.open().scope(1).sendData(1);
        ReceiveLane first = session.lane();
        peer.scope(2).sendData(1);
        assertThat(session.lane()).isNotSameAs(first);
        peer.scope(1).sendData(1);
        assertThat(session.lane()).isSameAs(first);
    }

    @ParameterizedTest
    @EnumSource(
            value = FrameType.class,
            names = {"HEARTBEAT", "NOTICE", "READY", "HELLO", "REFUSE", "HANGUP", "ABORT"})
    void shouldTakeATypeThatIsTheClustersOnlyForAViolationWhenItIsOfAnotherScope(FrameType type) {
        peer.open().scope(9);
        Session.Verdict verdict = switch (type) {
            case HEARTBEAT -> peer.sendHeartbeat();
            case NOTICE -> peer.sendNotice();
            case READY -> peer.sendReady();
            case HELLO -> peer.sendHello();
            case REFUSE -> peer.sendRefuse(RefuseReason.BUSY, 1);
            case HANGUP -> peer.sendHangUp();
            case ABORT -> peer.sendAbort();
            default -> throw new IllegalArgumentException(type.name());
        };
        assertThat(verdict).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains(type + " of scope=9");
        assertThat(session.state()).isEqualTo(Session.State.OPEN);
    }

    /** An ABORT or HANGUP of another scope must not end this one. */
    @Test
    void shouldNotTakeAControlFrameOfAnotherScopeForOneOfTheCluster() {
        assertThat(peer.open().scope(9).sendAbort()).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.peerCause()).isNull();
        ScriptedPeer other = new ScriptedPeer(Session.Role.DIALLER, 0).open();
        assertThat(other.scope(9).sendHangUp()).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(other.session().state()).isEqualTo(Session.State.OPEN);
    }

    /** Case 32: what is said of an offer is of a dataflow, of an attempt, and for one worker if it is a question. */
    @ParameterizedTest
    @EnumSource(
            value = FrameType.class,
            names = {"START", "ACCEPT", "REJECT", "GO"})
    void shouldTakeAnOfferOfNothingForAViolation(FrameType type) {
        assertThat(peer.open().scope(9).sendOffer(type)).isEqualTo(Session.Verdict.OFFERED);
        assertThat(peer.scope(0).sendOffer(type)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains(type + " of scope=0");
        ScriptedPeer other = new ScriptedPeer(Session.Role.DIALLER, 0).open().scope(9);
        assertThat(other.sendOffer(type, 0, 0, 1)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(other.session().violation()).contains("attempt=0");
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "2, 1", "0, 2"})
    void shouldTakeAQuestionForNoneOfOurWorkersForAViolation(int firstTarget, int targetCount) {
        assertThat(peer.open().scope(9).sendOffer(FrameType.START, 1, firstTarget, targetCount))
                .isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("for workers=" + firstTarget + "+" + targetCount);
    }

    @Test
    void shouldDeliverNothingMoreOnceThePeerHasViolated() {
        peer.open().sendNonsense();
        String first = session.violation();
        assertThat(peer.sendData(1)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(peer.sendAbort()).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).isEqualTo(first);
    }

    @Test
    void shouldDeliverNothingMoreOnceItHasAborted() {
        peer.open();
        session.abort(ScriptedPeer.cause(0, 1));
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.sendData(1)).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.sendHangUp()).isEqualTo(Session.Verdict.PEER_HUNG_UP);
    }

    @Test
    void shouldSendDataOnlyBetweenReadyBothWaysAndItsHangUp() {
        assertThat(session.maySendData()).isFalse();
        peer.greeted();
        session.readyUp();
        assertThat(session.maySendData()).isFalse();
        peer.poll();
        assertThat(session.maySendData()).isFalse();
        peer.sendReady();
        assertThat(session.maySendData()).isTrue();
        peer.sendHangUp();
        assertThat(session.maySendData()).isTrue();
        session.hangUp();
        peer.poll();
        assertThat(session.maySendData()).isFalse();
    }
}
