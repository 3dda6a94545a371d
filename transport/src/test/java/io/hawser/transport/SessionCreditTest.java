package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.RecordDescriptor;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an open session says of credit, and what it does not believe (L7, L8; cases 37, 104, 108). */
class SessionCreditTest {
    private static final int WINDOW = 8 * 1_024;
    private static final long LINK_WINDOW = 12L * WINDOW;
    private static final long MESSAGE_LIMIT = 100_000;

    /** Of a frame with one message of 100 bytes. */
    private static final int CHARGE = 48 + 104 + 64;

    private final ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, hello(0), hello(1), 0);
    private final Session session = peer.session();

    private static Hello hello(int process) {
        return Hellos.spoken(process, 1 - process)
                .windows(WINDOW, LINK_WINDOW)
                .messages(MESSAGE_LIMIT)
                .hello();
    }

    private ReceiveLane deliver(int target, int count) {
        assertThat(peer.sendData(100, 2, target, count)).isEqualTo(Session.Verdict.DELIVER);
        return session.lane();
    }

    private void assertViolated(Session.Verdict verdict, String... texts) {
        assertThat(verdict).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains(texts);
    }

    // ---- what comes without credit

    @Test
    void shouldTakeDataWithoutCreditForAViolation() {
        peer.open();
        for (int sent = CHARGE; sent <= WINDOW; sent += CHARGE) {
            deliver(0, 1);
        }
        assertViolated(
                peer.sendData(100, 2, 0, 1),
                "DATA on channel 1 from worker 2 to worker 0 without credit",
                "received=7992",
                "granted=8192",
                "frameLength=152");
    }

    @Test
    void shouldTakeOneLaneTooManyForAViolation() {
        ScriptedPeer narrow = new ScriptedPeer(
                Session.Role.ACCEPTOR,
                Hellos.spoken(0, 1).windows(WINDOW, 2 * WINDOW).hello(),
                Hellos.spoken(1, 0).windows(WINDOW, LINK_WINDOW).hello(),
                0);
        narrow.open();
        assertThat(narrow.sendData(100, 2, 0, 1)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(narrow.sendData(100, 2, 1, 1)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(narrow.sendData(100, 2, 0, 2)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(narrow.session().violation())
                .contains("channel 1 from worker 2 to workers 0…1", "linkWindow=16384", "channelWindow=8192");
    }

    @Test
    void shouldTakeDataForSomeOfTheWorkersForAViolation() {
        ScriptedPeer three = new ScriptedPeer(
                Session.Role.ACCEPTOR,
                Hellos.spoken(0, 1).shape(2, 3).hello(),
                Hellos.spoken(1, 0).shape(2, 3).hello(),
                0);
        three.open();
        assertThat(three.sendData(100, 3, 2, 1)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(three.sendData(100, 3, 0, 3)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(three.sendData(100, 3, 0, 2)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(three.session().violation()).contains("target workers=0+2", "one or all of ours");
    }

    // ---- the last frame

    @Test
    void shouldDeliverNothingOfALastFrameAndCreditIt() {
        peer.open();
        ReceiveLane lane = deliver(0, 1);
        assertThat(peer.sendLast()).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.pollCredits(1_000)).isZero();
        lane.consumed(0, CHARGE);
        assertThat(session.areCreditsDue()).isTrue();
        assertThat(peer.pollCredits(1_000)).isOne();
        assertThat(peer.polledCredit().bytesConsumed()).isEqualTo(CHARGE + 112);
        assertThat(session.areCreditsDue()).isFalse();
    }

    @Test
    void shouldTakeALastFrameWithAMessageForAViolation() {
        peer.open();
        UnsafeBuffer record = new UnsafeBuffer(new byte[RecordDescriptor.recordLength(8)]);
        RecordDescriptor.begin(record, 0, 8);
        assertViolated(
                peer.sendPayload(FrameFlags.RECORDS | FrameFlags.LAST, record),
                "DATA on channel 1 from worker 2 to worker 0 closes it and holds messages",
                "payloadLength=12");
    }

    @Test
    void shouldTakeDataBehindTheLastFrameForAViolation() {
        peer.open().sendLast();
        assertViolated(peer.sendData(100, 2, 0, 1), "channel 1 from worker 2 to worker 0");
    }

    // ---- fragments

    @Test
    void shouldDeliverFragmentsThatAddUp() {
        peer.open();
        assertThat(peer.sendFragment(true, false, 1_000, 300)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(peer.sendFragment(false, false, 0, 699)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(peer.sendData(100, 2, 1, 1)).as("another lane").isEqualTo(Session.Verdict.DELIVER);
        assertThat(peer.sendFragment(false, true, 0, 1)).isEqualTo(Session.Verdict.DELIVER);
        assertThat(peer.sendData(100, 2, 0, 1)).isEqualTo(Session.Verdict.DELIVER);
    }

    @Test
    void shouldTakeMessagesAmidFragmentsForAViolation() {
        peer.open().sendFragment(true, false, 1_000, 300);
        assertViolated(
                peer.sendData(100, 2, 0, 1),
                "DATA on channel 1 from worker 2 to worker 0 amid the fragments of a message",
                "messageRest=700");
    }

    @Test
    void shouldTakeTheEndOfALaneAmidFragmentsForAViolation() {
        peer.open().sendFragment(true, false, 1_000, 300);
        assertViolated(peer.sendLast(), "amid the fragments of a message", "messageRest=700");
    }

    /** L1: the totals are right, and yet something is missing. */
    @Test
    void shouldTakeAHangUpAmidFragmentsForAViolation() {
        peer.open().sendFragment(true, false, 1_000, 300);
        assertViolated(peer.sendHangUp(), "HANGUP amid a message", "channel 1 from worker 2 to worker 0");
    }

    /** Two workers that put together two such messages in different order would hold each other's credit. */
    @Test
    void shouldTakeAFragmentForSeveralWorkersForAViolation() {
        assertViolated(
                peer.open().sendFragment(true, false, 1_000, 300, Hellos.WORKERS), "a fragment for several workers");
    }

    /** After one of 300 bytes of 1,000: begin, end, message length, bytes. */
    @ParameterizedTest
    @CsvSource({
        "true, false, 1000, 700",
        "true, false, 1000, 100",
        "false, true, 0, 699",
        "false, true, 0, 701",
        "false, false, 0, 700",
        "false, false, 0, 701",
    })
    void shouldTakeFragmentsThatDoNotAddUpForAViolation(boolean isBegin, boolean isEnd, long length, int bytes) {
        peer.open().sendFragment(true, false, 1_000, 300);
        assertViolated(
                peer.sendFragment(isBegin, isEnd, length, bytes),
                "DATA on channel 1 from worker 2 to worker 0: a fragment that does not fit",
                "begin=" + isBegin,
                "end=" + isEnd,
                "bytes=" + bytes,
                "messageRest=700");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldTakeAFragmentOfNothingForAViolation(boolean isEnd) {
        assertViolated(peer.open().sendFragment(false, isEnd, 0, 10), "a fragment that does not fit");
    }

    /** Case 37. */
    @Test
    void shouldTakeAMessageAboveTheLimitOfEitherSideForAViolation() {
        peer.open();
        assertThat(peer.sendFragment(true, false, MESSAGE_LIMIT, 100)).isEqualTo(Session.Verdict.DELIVER);
        ScriptedPeer other = new ScriptedPeer(
                Session.Role.DIALLER,
                hello(1),
                Hellos.spoken(0, 1).messages(5_000).hello(),
                0);
        assertThat(other.open().sendFragment(true, false, 5_001, 100)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(other.session().violation()).contains("messageLength=5001", "messageLimit=5000");
    }

    // ---- what is granted

    @Test
    void shouldSayToTheSourceWhoGrantsWhat() {
        peer.open();
        ReceiveLane one = deliver(1, 1);
        ReceiveLane all = deliver(0, 2);
        one.consumed(1, WINDOW / 2);
        assertThat(peer.pollCredits(1_000)).isOne();
        assertThat(peer.polledHeader().channelId()).isEqualTo(1);
        assertThat(peer.polledHeader().sourceWorker()).isEqualTo(1);
        assertThat(peer.polledHeader().firstTargetWorker()).isEqualTo(2);
        assertThat(peer.polledHeader().targetWorkerCount()).isEqualTo(1);
        assertThat(peer.polledCredit().bytesConsumed()).isEqualTo(WINDOW / 2);
        assertThat(peer.polledCredit().creditLimit()).isEqualTo(WINDOW / 2 + WINDOW);

        all.consumed(0, WINDOW / 2);
        all.consumed(1, WINDOW / 2);
        assertThat(peer.pollCredits(1_000)).isOne();
        assertThat(peer.polledHeader().sourceWorker()).isEqualTo(FrameHeaderFlyweight.NO_WORKER);
        assertThat(peer.polledHeader().firstTargetWorker()).isEqualTo(2);
    }

    @Test
    void shouldSayAsMuchAsThereIsRoomForAndTheRestLater() {
        peer.open();
        deliver(0, 1).consumed(0, WINDOW / 2);
        deliver(1, 1).consumed(1, WINDOW / 2);
        assertThat(peer.pollCredits(63)).isZero();
        assertThat(peer.pollCredits(127)).isOne();
        assertThat(session.areCreditsDue()).isTrue();
        assertThat(peer.pollCredits(127)).isOne();
        assertThat(session.areCreditsDue()).isFalse();
    }

    /** Case 108: until the confirmation, since the peer may still have something to send. */
    @Test
    void shouldGrantAfterItsOwnHangUpButNotOnceItHasConfirmed() {
        peer.open();
        ReceiveLane lane = deliver(0, 1);
        session.hangUp();
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
        lane.consumed(0, WINDOW / 2);
        assertThat(peer.pollCredits(1_000)).isOne();
        peer.sendHangUp();
        lane.consumed(0, WINDOW / 2);
        assertThat(peer.pollCredits(1_000)).isOne();
        session.confirm();
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
        lane.consumed(0, WINDOW);
        assertThat(session.areCreditsDue()).isFalse();
        assertThat(peer.pollCredits(1_000)).isZero();
    }

    @Test
    void shouldGrantNothingOnceHealthIsLost() {
        peer.open();
        ReceiveLane lane = deliver(0, 1);
        session.abort(ScriptedPeer.cause(0, 1));
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        lane.consumed(0, WINDOW / 2);
        assertThat(session.areCreditsDue()).isFalse();
        assertThat(peer.pollCredits(1_000)).isZero();
    }

    // ---- what is believed

    /** A lane of worker 0 to both of the peer's on which 1,000 bytes have been sent. */
    private SendLane sending() {
        SendLane lane = peer.open().sendingLane(2, 2);
        lane.charge(1_000 - Lanes.targetCharge(2));
        assertThat(peer.sendCredit(-1, 0, WINDOW + 500, 400)).isEqualTo(Session.Verdict.CONTINUE);
        return lane;
    }

    @Test
    void shouldTakeWhatIsGranted() {
        SendLane lane = sending();
        assertThat(lane.limit()).isEqualTo(WINDOW + 500);
        assertThat(lane.consumed()).isEqualTo(400);
        assertThat(peer.sendCredit(-1, 0, WINDOW + 500, 400))
                .as("the same again")
                .isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.sendCredit(-1, 0, Long.MAX_VALUE, 1_000)).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(lane.creditBytes()).isPositive();
    }

    /** After limit=8692 consumed=400 sent=1000. */
    @ParameterizedTest
    @CsvSource({
        "8691, 400",
        "8692, 399",
        "9000, 1001",
        "0, 0",
        "9223372036854775807, 9223372036854775807",
    })
    void shouldTakeACreditThatCannotBeForAViolation(long limit, long consumed) {
        sending();
        assertViolated(
                peer.sendCredit(-1, 0, limit, consumed),
                "CREDIT on channel 1 from worker 0 to workers 2…3 says limit=" + limit + " consumed=" + consumed,
                "after limit=8692 consumed=400 sent=1000");
    }

    /** Who grants, and to whom, when only worker 0 sends to both of the peer's. */
    @ParameterizedTest
    @CsvSource({"2, 0", "3, 0", "-1, 1", "-1, 2", "0, 0", "1, 0", "4, 0", "2147483647, 0", "-1, 2147483646"})
    void shouldTakeACreditForNoLaneForAViolation(int granter, int source) {
        sending();
        assertViolated(
                peer.sendCredit(granter, source, WINDOW + 600, 400),
                "CREDIT for a lane that is not open",
                "channel=1",
                "granting worker=" + granter,
                "source worker=" + source + "+1");
    }
}
