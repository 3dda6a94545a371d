package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.framing.FrameType;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Notices in an open session: bounded for each worker, ahead of the hang-up, and nothing that a peer says of them is believed (L7, L8, L11; case 108). */
class SessionNoticeTest {
    private static final int ROOM = 8 * 1024;

    /** Of 1,000 bytes: header, kind and reserved field, body, and what each costs beside its bytes. */
    private static final int CHARGE = 48 + 8 + 1_000 + 64;

    private static final int FIT = Notice.WINDOW / CHARGE;

    private final ScriptedPeer peer = new ScriptedPeer(Session.Role.DIALLER, 0);
    private final Session session = peer.session();
    private final int theirs = peer.hello().firstWorker();
    private final int ours = session.own().firstWorker();

    private Notice notice(int target, int length) {
        return new Notice(
                session.own().processIndex(),
                ours,
                target,
                Notice.NO_CHANNEL,
                7,
                new UnsafeBuffer(new byte[length]),
                0,
                length);
    }

    @Test
    void shouldTakeNoMoreThanAWindowForEachWorker() {
        peer.open();
        for (int i = 0; i < FIT; i++) {
            assertThat(session.offer(notice(theirs, 1_000))).isTrue();
        }
        assertThat(session.offer(notice(theirs, 1_000))).isFalse();
        assertThat(session.offer(notice(theirs + 1, 1_000)))
                .as("another worker's window is its own")
                .isTrue();
        int sent = 0;
        while (session.areCreditsDue()) {
            int count = peer.pollCredits(ROOM, FrameType.NOTICE);
            assertThat(count).isPositive();
            sent += count;
        }
        assertThat(sent).isEqualTo(FIT + 1);
        assertThat(session.offer(notice(theirs, 1_000))).as("sent is not taken").isFalse();
        assertThat(peer.sendNoticeCredit(theirs, CHARGE + (long) Notice.WINDOW, CHARGE))
                .isEqualTo(Session.Verdict.CONTINUE);
        assertThat(session.offer(notice(theirs, 1_000))).isTrue();
        assertThat(session.offer(notice(theirs, 1_000))).isFalse();
    }

    @Test
    void shouldSendWhatItHasTakenBeforeItHangsUp() {
        peer.open();
        assertThat(session.offer(notice(theirs, 8))).isTrue();
        session.hangUp();
        assertThat(peer.poll()).isNull();
        assertThat(peer.pollCredits(ROOM, FrameType.NOTICE)).isOne();
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
    }

    @Test
    void shouldTakeANoticeBeyondTheWindowForAViolation() {
        peer.open();
        for (int i = 0; i < FIT; i++) {
            assertThat(peer.sendNotice(theirs, ours, 1, 1_000)).isEqualTo(Session.Verdict.NOTICED);
        }
        assertThat(peer.sendNotice(theirs, ours + 1, 1, 1_000)).isEqualTo(Session.Verdict.NOTICED);
        assertThat(peer.sendNotice(theirs, ours, 1, 1_000)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation())
                .contains("NOTICE to worker=" + ours + " beyond its window", "granted=" + Notice.WINDOW);
    }

    @Test
    void shouldGrantOnceHalfOfTheWindowHasBeenTaken() {
        peer.open();
        int taken = 0;
        while (!session.areCreditsDue()) {
            assertThat(peer.sendNotice(theirs, ours, 1, 1_000)).isEqualTo(Session.Verdict.NOTICED);
            session.receivedNotices().consumed(ours, session.notice().charge());
            taken++;
        }
        assertThat(taken).isEqualTo(Notice.WINDOW / 2 / CHARGE + 1);
        assertThat(peer.pollCredits(ROOM)).isOne();
        assertThat(peer.polledHeader().channelId()).isEqualTo(Notice.NO_CHANNEL);
        assertThat(peer.polledHeader().sourceWorker()).isEqualTo(ours);
        assertThat(peer.polledCredit().bytesConsumed()).isEqualTo((long) taken * CHARGE);
        assertThat(peer.polledCredit().creditLimit()).isEqualTo((long) taken * CHARGE + Notice.WINDOW);
        assertThat(session.areCreditsDue()).isFalse();
    }

    @Test
    void shouldTellWhoSentIt() {
        peer.open();
        assertThat(peer.sendNotice(Notice.NO_WORKER, ours, 1, 3)).isEqualTo(Session.Verdict.NOTICED);
        assertThat(session.notice().sourceProcess()).isEqualTo(peer.hello().processIndex());
        assertThat(session.notice().sourceWorker()).isEqualTo(Notice.NO_WORKER);
        assertThat(session.notice().kind()).isEqualTo(6);
        assertThat(session.notice().body().capacity()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, 2", "-1, 2, 1", "0, 0, 1", "4, 0, 1"})
    void shouldTakeWorkersThatCannotBeForAViolation(int source, int target, int count) {
        ScriptedPeer acceptor = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open(); // 0 and 1 are ours, 2 and 3 theirs
        assertThat(acceptor.sendNotice(source, target, count, 8)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(acceptor.session().violation()).contains("NOTICE of worker=" + source, "workers=" + target);
    }

    @ParameterizedTest
    @CsvSource({"65536, 1", "70000, 0", "65537, 1", "65535, 0"})
    void shouldTakeAGrantThatCannotBeForAViolation(long limit, long consumed) {
        peer.open();
        assertThat(peer.sendNoticeCredit(theirs, limit, consumed)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("CREDIT for notices", "limit=" + limit, "consumed=" + consumed);
    }

    @Test
    void shouldTakeAGrantOfAStrangeWorkerForAViolation() {
        peer.open();
        assertThat(peer.sendNoticeCredit(ours, Notice.WINDOW, 0)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("CREDIT for notices from worker=" + ours);
    }

    @Test
    void shouldRefuseABodyThatIsTooLong() {
        assertThat(notice(theirs, Notice.LENGTH_MAX).body().capacity()).isEqualTo(4_040);
        assertThatThrownBy(() -> notice(theirs, Notice.LENGTH_MAX + 1))
                .isInstanceOf(MessageTooLargeException.class)
                .hasMessageContaining("4041")
                .hasMessageContaining("4040");
    }
}
