package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.WaitFlyweight;
import io.hawser.framing.WaitState;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** WAIT in an open session: nothing that a peer says of its workers is believed (L11), and what is said of them keeps nothing back (L8). */
class SessionWaitTest {
    private static final int ROOM = 8 * 1024;
    private static final int NONE = FrameHeaderFlyweight.NO_CHANNEL;
    private static final String STACK = "org.example.Job.run(Job.java:1)\n".repeat(60);

    private final ScriptedPeer peer = new ScriptedPeer(Session.Role.DIALLER, 0);
    private final Session session = peer.session();
    private final int theirs = peer.hello().firstWorker();
    private final int ours = session.own().firstWorker();

    /** Places are relative: 0 is the first worker of the peer, 10 the first of ours, 99 is nobody. */
    private int worker(int place) {
        return place == 99 ? Hellos.PROCESSES * Hellos.WORKERS : place < 10 ? theirs + place : ours + place - 10;
    }

    @ParameterizedTest
    @CsvSource({
        // state, scope, channel, source, first target, targets, bytes
        "WAITING, 0,  3, 0, 10, 2, 64",
        "WAITING, 9,  3, 1,  0, 1, 64",
        "OVER,    9,  3, 1,  0, 1, 64",
        "STALLED, 0, -1, 0,  0, 1, 0",
        "STALLED, 0, -1, 1,  1, 1, 0",
        "OVER,    0, -1, 1,  1, 1, 0",
    })
    void shouldTakeWhatMayBeSaid(
            WaitState state, long scope, int channel, int source, int first, int targets, long bytes) {
        String stack = state == WaitState.STALLED ? STACK : "";
        Session.Verdict verdict =
                peer.open().scope(scope).sendWait(state, channel, worker(source), worker(first), targets, bytes, stack);
        assertThat(verdict).isEqualTo(Session.Verdict.WAITING);
        assertThat(session.news())
                .isEqualTo(new WaitNews(
                        worker(source), scope, channel, worker(first), targets, 3, 2_000_000_000, bytes, state, stack));
        assertThat(session.news().isOfStall()).isEqualTo(channel == NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "WAITING, 0, -1, 0, 10, 1, 64", // a push without a channel
        "WAITING, 0, -1, 0,  0, 1, 0",
        "STALLED, 0,  3, 0,  0, 1, 0", // a stall on a channel
        "STALLED, 9, -1, 0,  0, 1, 0", // in a dataflow
        "STALLED, 0, -1, 0,  0, 1, 1", // that wants credit
        "STALLED, 0, -1, 0,  1, 1, 0", // of another worker
        "STALLED, 0, -1, 0, 10, 1, 0", // of one of ours
        "STALLED, 0, -1, 0,  0, 2, 0", // of several
        "STALLED, 0, -1, 10, 10, 1, 0", // told by whom it does not concern
        "STALLED, 0, -1, 99, 99, 1, 0", // of nobody
        "OVER,    9, -1, 0,  0, 1, 0", // the end of what cannot have begun
        "OVER,    0, -1, 0,  1, 1, 0",
        "OVER,    0, -1, 0,  0, 1, 8",
        "WAITING, 0,  3, 0, 10, 99, 64", // for workers that are not there
        "WAITING, 0,  3, 10, 0, 1, 64",
    })
    void shouldTakeForAViolationWhatMayNotBeSaid(
            WaitState state, long scope, int channel, int source, int first, int targets, long bytes) {
        Session.Verdict verdict =
                peer.open().scope(scope).sendWait(state, channel, worker(source), worker(first), targets, bytes, "");
        assertThat(verdict).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(session.violation()).startsWith("WAIT of worker=" + worker(source));
    }

    @Test
    void shouldTakeAStallForAViolationBeforeTheStart() {
        Session.Verdict verdict = peer.greeted().sendWait(WaitState.STALLED, NONE, theirs, theirs, 1, 0, "");
        assertThat(verdict).isEqualTo(Session.Verdict.VIOLATED);
    }

    // ---- what the session says

    private void open() {
        session.progressSource(ProgressSource.NONE);
        peer.open();
    }

    private WaitNews stalled(int localIndex, long number) {
        return WaitNews.stalled(ours + localIndex, number, 10_000, STACK);
    }

    private WaitNews waiting(int localIndex, long number) {
        return WaitNews.waiting(ours + localIndex, new LaneAddress(0, 3, ours + localIndex, theirs, 1), number, 10, 64);
    }

    /** What it sends beside its data into so much room. */
    private List<String> poll(int room) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[ROOM]);
        int length = session.pollCredits(buffer, 0, room);
        List<String> frames = new ArrayList<>();
        FrameHeaderFlyweight frame = new FrameHeaderFlyweight();
        for (int at = 0; at < length; at += frame.alignedLength()) {
            frame.wrap(buffer, at);
            String text = frame.type().name();
            if (frame.type() == FrameType.WAIT) {
                WaitFlyweight wait = new WaitFlyweight()
                        .wrap(buffer, at + FrameHeaderFlyweight.HEADER_LENGTH, frame.payloadLength());
                text = wait.state() + " " + (frame.sourceWorker() - ours) + " " + wait.waitNumber();
            }
            frames.add(text);
        }
        return frames;
    }

    /** L8: of thousands of long ones, one goes with each round of what others wait for, and behind that. */
    @Test
    void shouldSayOneStallAtATimeAndLast() {
        open();
        session.announce(stalled(0, 4));
        session.announce(stalled(1, 5));
        session.announce(waiting(0, 6));
        session.announce(waiting(1, 7));
        assertThat(session.offer(new Notice(
                        session.own().processIndex(),
                        ours,
                        theirs,
                        Notice.NO_CHANNEL,
                        1,
                        new UnsafeBuffer(new byte[8]),
                        0,
                        8)))
                .isTrue();
        assertThat(session.areCreditsDue()).isTrue();
        assertThat(poll(ROOM)).containsExactly("WAITING 0 6", "WAITING 1 7", "NOTICE", "STALLED 0 4");
        assertThat(session.areCreditsDue()).isTrue();
        assertThat(poll(ROOM)).containsExactly("STALLED 1 5");
        assertThat(poll(ROOM)).isEmpty();
        assertThat(session.areCreditsDue()).isFalse();
    }

    /** A wait of a worker and a stall of it have nothing to do with each other; of each the later counts. */
    @Test
    void shouldReplaceAStallByItsEndBeforeItIsSaid() {
        open();
        session.announce(stalled(0, 0));
        session.announce(waiting(0, 0));
        session.announce(stalled(0, 0).over());
        assertThat(poll(ROOM)).containsExactly("WAITING 0 0", "OVER 0 0");
        session.announce(stalled(0, 1));
        session.announce(waiting(0, 0).over());
        assertThat(poll(ROOM)).containsExactly("OVER 0 0", "STALLED 0 1");
    }

    /** The room that other things leave may be too small; then it comes with the next round. */
    @Test
    void shouldKeepAStallUntilThereIsRoom() {
        open();
        session.announce(stalled(0, 0));
        assertThat(poll(WaitsToTell.STALL_FRAME_LENGTH - 8)).isEmpty();
        assertThat(session.areCreditsDue()).isTrue();
        assertThat(poll(WaitsToTell.STALL_FRAME_LENGTH)).containsExactly("STALLED 0 0");
    }

    @Test
    void shouldSayNothingOfStallsOnceItHasConfirmed() {
        open();
        session.hangUp();
        assertThat(peer.poll()).isEqualTo(FrameType.HANGUP);
        session.announce(stalled(0, 0));
        assertThat(peer.pollCredits(ROOM, FrameType.WAIT))
                .as("others may still work")
                .isOne();
        peer.sendHangUp();
        session.confirm();
        assertThat(peer.poll()).isNotNull();
        session.announce(stalled(0, 0).over());
        assertThat(session.areCreditsDue()).isFalse();
        assertThat(poll(ROOM)).isEmpty();
    }
}
