package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.CancelAnswer;
import io.hawser.framing.CancelOrigin;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameType;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words, cancels and answers on a link: never behind data, heard after an ABORT, and what is said of a stopped scope is true (L8, L10, L11; cases 95, 96, 108). */
class SessionScopeTest {
    private static final int ROOM = 16 * 1024;
    private static final long ID = 9;

    private final ScriptedPeer peer = new ScriptedPeer(Session.Role.DIALLER, 0);
    private final Session session = peer.session();
    private final ScopeFrames frames = session.scopeFrames();
    private final ScopeOutcome.Cancelled how = new ScopeOutcome.Cancelled(1, 3, "no more \u20AC");
    private final ScopeWord cancelled = ScopeWord.cancelled(1, how);
    private final ScopeWord failed = ScopeWord.failed(1, ScriptedPeer.cause(1, 5));
    private final ScopeWord completed = ScopeWord.completed(1);

    private void say(final ScopeWord word) {
        frames.say(ID, word, ScopeMembers.of(0, 3), null);
    }

    // ---- what it says

    @Test
    void shouldSayWordsAsTheyAre() {
        peer.open();
        say(cancelled);
        assertThat(session.areCreditsDue()).isTrue();
        assertThat(peer.pollBeside(ROOM)).containsExactly("FATE " + ID);
        assertThat(peer.polledWord()).isEqualTo(cancelled);
        say(completed);
        assertThat(peer.pollBeside(ROOM)).containsExactly("FATE " + ID);
        assertThat(peer.polledWord()).isEqualTo(completed);
        say(failed);
        assertThat(peer.pollBeside(ROOM)).containsExactly("FATE " + ID);
        assertThat(peer.polledWord().cause().sameEvent(failed.cause())).isTrue();
        assertThat(peer.polledWord().cause().seen()).isEqualTo("boom");
        assertThat(session.areCreditsDue()).isFalse();
    }

    @Test
    void shouldSayCancelsAndAnswersInTheirOrder() {
        peer.open();
        frames.ask(ID, 2, "please");
        frames.answer(ID + 1, CancelAnswer.UNKNOWN);
        say(cancelled);
        frames.answer(ID + 2, CancelAnswer.CANCELLED);
        assertThat(peer.pollBeside(ROOM)).containsExactly("CANCEL 9", "CANCELLED 10", "FATE 9", "CANCELLED 11");
    }

    /** Law L8: nothing of these is behind credit or notices either. */
    @Test
    void shouldSayWordsBeforeEverythingElse() {
        peer.open();
        peer.sendData(10);
        session.offer(new Notice(1, 2, 0, Notice.NO_CHANNEL, 1, new UnsafeBuffer(new byte[8]), 0, 8));
        say(cancelled);
        assertThat(peer.pollBeside(ROOM)).containsExactly("FATE 9", "NOTICE 0");
    }

    @Test
    void shouldHoldAWordBackUntilTheDataBeforeItHasGone() {
        peer.open();
        final AtomicBoolean isSent = new AtomicBoolean();
        frames.say(ID, completed, ScopeMembers.all(), isSent::get);
        frames.say(ID + 1, cancelled, ScopeMembers.all(), null);
        assertThat(peer.pollBeside(ROOM)).as("a stop does not wait behind it").containsExactly("FATE 10");
        assertThat(peer.pollBeside(ROOM)).isEmpty();
        assertThat(frames.hasAny()).isTrue();
        isSent.set(true);
        assertThat(peer.pollBeside(ROOM)).containsExactly("FATE 9");
        assertThat(frames.hasAny()).isFalse();
    }

    @Test
    void shouldSayMoreThanFitsAtOnce() {
        peer.open();
        for (int i = 0; i < 500; i++) {
            say(cancelled);
        }
        int count = 0;
        while (session.areCreditsDue()) {
            count += peer.pollBeside(8 * 1024).size();
        }
        assertThat(count).isEqualTo(500);
    }

    @Test
    void shouldHangUpOnlyAfterItsWords() {
        peer.open();
        say(completed);
        session.hangUp();
        assertThat(peer.poll()).isNull();
        assertThat(peer.pollBeside(ROOM)).containsExactly("FATE 9");
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
        frames.answer(ID, CancelAnswer.ALREADY_DONE);
        peer.sendHangUp();
        session.confirm();
        assertThat(peer.poll()).as("an answer is owed").isNull();
        assertThat(peer.pollBeside(ROOM)).containsExactly("CANCELLED 9");
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
        assertThat(peer.polledHeader().hasFlags(FrameFlags.CONFIRM)).isTrue();
    }

    @Test
    void shouldSayWhatItHasSaidBeforeItsAbortOrAfterItIfThereIsDataBefore() {
        peer.open();
        frames.say(ID, completed, ScopeMembers.all(), () -> false);
        assertThat(peer.pollBeside(ROOM)).isEmpty();
        session.abort(ScriptedPeer.cause(1, 1));
        say(cancelled);
        assertThat(peer.poll())
                .as("who hears the ABORT passes on what it has heard before")
                .isEqualTo(FrameType.FATE);
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        say(cancelled);
        session.settle(ScriptedPeer.cause(1, 1), ScriptedPeer.cause(1, 1));
        assertThat(session.isSendingDone()).isFalse();
        assertThat(peer.poll())
                .as("data that it waited for will not be sent any more")
                .isEqualTo(FrameType.FATE);
        assertThat(session.isSendingDone()).isFalse();
        assertThat(peer.poll()).isEqualTo(FrameType.FATE);
        assertThat(session.isSendingDone()).isTrue();
    }

    @Test
    void shouldKeepAnAbortBackForNoMoreThanAFewWords() {
        peer.open();
        for (int i = 0; i < 1_000; i++) {
            say(cancelled);
        }
        session.abort(ScriptedPeer.cause(1, 1));
        int words = 0;
        while (peer.poll() == FrameType.FATE) {
            words++;
        }
        assertThat(words).isEqualTo(256);
        assertThat(session.sent()).isEqualTo(Session.Stage.ABORTED);
    }

    @Test
    void shouldTellOfALaterRootBeforeWhatOthersHaveSaid() {
        peer.open();
        session.abort(ScriptedPeer.cause(1, 9));
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        frames.relay(ID, ScopeWord.completed(2), ScopeMembers.all());
        session.settle(ScriptedPeer.cause(1, 1), ScriptedPeer.cause(1, 1));
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.poll()).isEqualTo(FrameType.FATE);
        assertThat(session.isSendingDone()).isTrue();
    }

    // ---- what it hears

    @Test
    void shouldHearWords() {
        peer.open().scope(ID);
        assertThat(peer.sendFate(ScopeWord.cancelled(0, how), ScopeMembers.of(0, 2)))
                .isEqualTo(Session.Verdict.FATED);
        assertThat(session.receivedScopes().word()).isEqualTo(ScopeWord.cancelled(0, how));
        assertThat(session.receivedScopes().members()).isEqualTo(ScopeMembers.of(0, 2));
        assertThat(peer.sendFate(ScopeWord.failed(0, ScriptedPeer.cause(0, 5)))).isEqualTo(Session.Verdict.FATED);
        assertThat(session.receivedScopes().word().cause().sameEvent(ScriptedPeer.cause(0, 5)))
                .isTrue();
        assertThat(session.receivedScopes().members().isAll()).isTrue();
    }

    @Test
    void shouldHearCancelsAndAnswers() {
        peer.open().scope(ID);
        assertThat(peer.sendCancel(1, 0, CancelOrigin.USER, -1)).isEqualTo(Session.Verdict.CANCEL_ASKED);
        assertThat(session.receivedScopes().cancelReason()).isEqualTo("enough");
        assertThat(peer.sendCancelled(CancelAnswer.ALREADY_DONE, 0)).isEqualTo(Session.Verdict.CANCEL_ANSWERED);
        assertThat(session.receivedScopes().cancelAnswer()).isEqualTo(CancelAnswer.ALREADY_DONE);
    }

    @Test
    void shouldHearWordsAfterAnAbortButNoCancels() {
        peer.open().sendAbort();
        peer.scope(ID);
        assertThat(peer.sendFate(ScopeWord.completed(0))).isEqualTo(Session.Verdict.FATED);
        assertThat(peer.sendFate(ScopeWord.completed(2)))
                .as("what another has said")
                .isEqualTo(Session.Verdict.FATED);
        assertThat(peer.sendCancel()).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.sendCancelled(CancelAnswer.UNKNOWN, 0)).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.sendData(10)).isEqualTo(Session.Verdict.CONTINUE);
    }

    @Test
    void shouldHearWordsAfterItsOwnAbort() {
        peer.open();
        session.abort(ScriptedPeer.cause(1, 1));
        peer.poll();
        assertThat(peer.scope(ID).sendFate(ScopeWord.completed(0))).isEqualTo(Session.Verdict.FATED);
        assertThat(peer.sendCancel()).isEqualTo(Session.Verdict.CONTINUE);
    }

    // ---- data of stopped scopes

    @Test
    void shouldDiscardAndCountDataOfAStoppedScope() {
        peer.open().scope(ID);
        assertThat(peer.sendData(10)).isEqualTo(Session.Verdict.DELIVER);
        peer.stopped.add(ID);
        assertThat(peer.sendData(10)).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(session.lateFrames()).isOne();
        assertThat(session.lane().received()).isEqualTo(2L * (64 + 128));
        assertThat(session.lane().leastConsumed())
                .as("the first is the worker's")
                .isEqualTo(64 + 128);
        assertThat(peer.scope(0).sendData(10)).as("another scope").isEqualTo(Session.Verdict.DELIVER);
        assertThat(peer.sendHangUp()).as("totals count what was discarded").isEqualTo(Session.Verdict.PEER_HUNG_UP);
    }

    /** Its sender has other lanes to keep going until it has heard of the stop. */
    @Test
    void shouldGrantForWhatItDiscards() {
        peer.open().scope(ID);
        peer.stopped.add(ID);
        int sent = 0;
        while (!session.areCreditsDue()) {
            assertThat(peer.sendData(8_000)).isEqualTo(Session.Verdict.CONTINUE);
            sent++;
        }
        assertThat(peer.pollBeside(ROOM)).containsExactly("CREDIT 9");
        assertThat(sent).isLessThanOrEqualTo(1 + (int) (Hellos.CHANNEL_WINDOW / 2 / 8_000));
        assertThat(session.lateFrames()).isEqualTo(sent);
    }

    @Test
    void shouldForgetTheLanesOfAScopeThatThePeerHasStopped() {
        peer.open().scope(ID).sendData(10);
        peer.sendFragment(true, false, 100, 10);
        peer.scope(ID + 1).sendData(10);
        assertThat(session.receiveLanes().all()).hasSize(3);
        peer.scope(ID).sendFate(ScopeWord.cancelled(2, how));
        assertThat(session.receiveLanes().all())
                .as("another process has stopped it")
                .hasSize(3);
        peer.sendFate(ScopeWord.completed(0));
        assertThat(session.receiveLanes().all()).as("nothing was stopped").hasSize(3);
        peer.sendFate(ScopeWord.cancelled(0, how));
        assertThat(session.receiveLanes().all())
                .extracting(lane -> lane.address().scopeId())
                .containsExactly(ID + 1);
        assertThat(peer.pollBeside(ROOM)).isEmpty();
        assertThat(peer.scope(0).sendHangUp()).as("no message is torn").isEqualTo(Session.Verdict.PEER_HUNG_UP);
    }

    @Test
    void shouldIgnoreCreditForALaneThatIsForgotten() {
        peer.open().scope(ID);
        assertThat(peer.sendCredit(0, 2, 2 * Hellos.CHANNEL_WINDOW, 0)).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.scope(0).sendCredit(0, 2, 2 * Hellos.CHANNEL_WINDOW, 0)).isEqualTo(Session.Verdict.VIOLATED);
    }

    // ---- what cannot be

    @Test
    void shouldTakeAWordAboutTheClusterForAViolation() {
        assertThat(peer.open().sendFate(completed)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("FATE of scope=0");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, Integer.MAX_VALUE})
    void shouldTakeAWordThatNamesAStrangerForAViolation(final int stranger) {
        final ScopeWord[] words = {
            ScopeWord.completed(stranger),
            ScopeWord.cancelled(0, new ScopeOutcome.Cancelled(stranger, -1, "")),
            ScopeWord.failed(0, ScriptedPeer.cause(stranger == 3 ? 3 : 1_000_000, 5))
        };
        for (final ScopeWord word : words) {
            final ScriptedPeer other =
                    new ScriptedPeer(Session.Role.DIALLER, 0).open().scope(ID);
            assertThat(other.sendFate(word)).as("%s", word).isEqualTo(Session.Verdict.VIOLATED);
            assertThat(other.session().violation()).contains("FATE of scope=9", "processCount=3");
        }
    }

    /** Process 0 has workers 0 and 1. */
    @ParameterizedTest
    @CsvSource({
        "0, -1, 0, USER, -1",
        "9, 2, 0, USER, -1",
        "9, 2147483647, 0, USER, -1",
        "9, -1, 5, USER, -1",
        "9, -1, 0, RECEIVER_GONE, -1", // of no channel
        "9, -1, 0, RECEIVER_GONE, 4", // of no worker
        "9, -1, 0, RELEASE, -1", // of no attempt
        "0, -1, 7, RELEASE, -1",
        "9, -1, 0, USER, 4"
    })
    void shouldTakeACancelOfSomethingElseForAViolation(
            final long scope, final int worker, final long attempt, final CancelOrigin origin, final int channel) {
        peer.open().scope(scope);
        assertThat(peer.sendCancel(worker, attempt, origin, channel)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation())
                .contains(
                        origin == CancelOrigin.RECEIVER_GONE
                                ? "CANCEL of channel=" + channel
                                : "CANCEL of scope=" + scope);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 5"})
    void shouldTakeAnAnswerToSomethingElseForAViolation(final long scope, final long attempt) {
        assertThat(peer.open().scope(scope).sendCancelled(CancelAnswer.CANCELLED, attempt))
                .isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("CANCELLED of scope=" + scope);
    }

    /** Whoever asks and never reads the answers costs no more than that (L7, L11). */
    @Test
    void shouldTakeMoreCancelsThanMayBeUnansweredForAViolation() {
        peer.open().scope(ID);
        for (int i = 0; i < 65_536; i++) {
            assertThat(peer.sendCancel()).isEqualTo(Session.Verdict.CANCEL_ASKED);
            frames.answer(ID, CancelAnswer.UNKNOWN);
        }
        assertThat(peer.sendCancel()).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).contains("unanswered=65536");
    }

    @Test
    void shouldTakeWordsBeforeTheStartForAViolation() {
        assertThat(peer.greeted().scope(ID).sendFate(ScopeWord.completed(0))).isEqualTo(Session.Verdict.VIOLATED);
        final ScriptedPeer other = new ScriptedPeer(Session.Role.ACCEPTOR, 0).greeted();
        assertThat(other.scope(ID).sendCancel()).isEqualTo(Session.Verdict.VIOLATED);
    }
}
