package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FrameType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heartbeats and silence: the cadence, what counts as life, clocks that overflow (cases 46, 52, 63, G4). */
class SessionTimeTest {
    private static final long INTERVAL = Hellos.INTERVAL_NS;
    private static final long TIMEOUT = Hellos.TIMEOUT_NS;

    @Test
    void shouldSendOneHeartbeatPerIntervalHoweverMuchElseItSends() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open();
        int heartbeats = 0;
        long stepNs = INTERVAL / 10;
        for (int step = 0; step < 1_000; step++) {
            peer.advance(stepNs).sessionSendsData(100);
            for (FrameType type = peer.poll(); type != null; type = peer.poll()) {
                assertThat(type).isEqualTo(FrameType.HEARTBEAT);
                heartbeats++;
            }
            peer.sendData(5);
        }
        assertThat(heartbeats).isEqualTo(100);
    }

    @Test
    void shouldSendHeartbeatsFromTheGreetingOnUntilTheConfirm() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.DIALLER, 0).connected();
        Session session = peer.session();
        assertThat(peer.poll()).isEqualTo(FrameType.HELLO);
        assertThat(peer.advance(INTERVAL).poll()).isNull();
        peer.sendHello();
        assertThat(peer.poll()).isEqualTo(FrameType.HEARTBEAT);
        session.readyUp();
        assertThat(peer.poll()).isEqualTo(FrameType.READY);
        assertThat(peer.advance(INTERVAL).poll()).isEqualTo(FrameType.HEARTBEAT);
        peer.sendReady();
        session.hangUp();
        peer.poll();
        assertThat(peer.advance(INTERVAL).poll()).isEqualTo(FrameType.HEARTBEAT);
        peer.sendHangUp();
        assertThat(peer.advance(INTERVAL).poll()).isEqualTo(FrameType.HEARTBEAT);
        session.confirm();
        peer.poll();
        assertThat(peer.advance(INTERVAL).poll()).isNull();
    }

    @Test
    void shouldNotMakeUpForHeartbeatsThatItMissed() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open();
        assertThat(peer.advance(7 * INTERVAL + 3).poll()).isEqualTo(FrameType.HEARTBEAT);
        assertThat(peer.poll()).isNull();
        assertThat(peer.session().sleepNs(peer.nowNs()))
                .as("until the beat that it would have kept")
                .isEqualTo(INTERVAL - 3);
    }

    /** Case 110: a machine with many links wakes from its sleep once for all of them. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7 * INTERVAL / 2, -INTERVAL / 3})
    void shouldSendHeartbeatsAtTheSameMomentsWheneverTheLinkWasGreeted(long greetedNs) {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, greetedNs).open();
        for (int beat = 0; beat < 3; beat++) {
            peer.advance(peer.session().sleepNs(peer.nowNs()));
            assertThat(peer.nowNs() % INTERVAL).isZero();
            long lateNs = beat * INTERVAL / 4;
            assertThat(peer.advance(lateNs).poll()).isEqualTo(FrameType.HEARTBEAT);
        }
    }

    @Test
    void shouldSleepWithoutEndOnceNoHeartbeatWillBeDue() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open();
        peer.session().abort(ScriptedPeer.cause(0, 1));
        peer.poll();
        assertThat(peer.session().sleepNs(peer.nowNs())).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldTakeAnyByteForLife() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open();
        Session session = peer.session();
        for (int i = 0; i < 20; i++) {
            peer.advance(TIMEOUT - 1);
            session.onBytes(1, peer.nowNs()); // one byte of a frame that never becomes whole
            assertThat(session.onTick(peer.nowNs())).isEqualTo(Session.Verdict.CONTINUE);
        }
        assertThat(session.onTick(peer.nowNs() + TIMEOUT - 1)).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(session.onTick(peer.nowNs() + TIMEOUT)).isEqualTo(Session.Verdict.SILENT);
        assertThat(session.silenceNs(peer.nowNs() + TIMEOUT)).isEqualTo(TIMEOUT);
    }

    @Test
    void shouldGiveAFreshTimeoutWhenThisProcessWasSuspendedItself() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0).open();
        peer.advance(3 * TIMEOUT).session().forgive(peer.nowNs());
        assertThat(peer.session().onTick(peer.nowNs() + TIMEOUT - 1)).isEqualTo(Session.Verdict.CONTINUE);
        assertThat(peer.session().onTick(peer.nowNs() + TIMEOUT)).isEqualTo(Session.Verdict.SILENT);
    }

    @Test
    void shouldNotTickBeforeItIsConnected() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0);
        assertThat(peer.session().onTick(100 * TIMEOUT)).isEqualTo(Session.Verdict.CONTINUE);
    }

    @Test
    void shouldTellItsClockItsEchoItsTotalsAndItsPause() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 5_000).open();
        peer.sendHeartbeat(-77, 0, 0);
        peer.session().longestPause(12_345);
        peer.advance(INTERVAL).poll();
        assertThat(peer.polledHeartbeat().clockNs()).isEqualTo(5_000 + INTERVAL);
        assertThat(peer.polledHeartbeat().echoClockNs()).isEqualTo(-77);
        assertThat(peer.polledHeartbeat().echoAgeNs()).isEqualTo(INTERVAL);
        assertThat(peer.polledHeartbeat().longestPauseNs()).isEqualTo(12_345);
        assertThat(peer.polledHeartbeat().bytesReceived())
                .isEqualTo(peer.session().receivedBytes());
    }

    @Test
    void shouldMeasureTheRoundTripFromTheEcho() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, Long.MAX_VALUE - INTERVAL).open();
        assertThat(peer.session().roundTripNs()).isZero();
        peer.advance(INTERVAL).poll();
        long sentNs = peer.polledHeartbeat().clockNs();
        peer.advance(900).sendHeartbeat(1, sentNs, 300);
        assertThat(peer.session().roundTripNs()).isEqualTo(600);
        peer.sendHeartbeat(2, sentNs, Long.MAX_VALUE);
        assertThat(peer.session().roundTripNs()).as("of an echo that lies").isNotNegative();
    }

    /** G4: only differences of times count. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1})
    void shouldKeepTimeWhenTheClockOverflows(long nearNs) {
        for (long back = 0; back <= 2 * TIMEOUT; back += TIMEOUT / 10) {
            ScriptedPeer peer = new ScriptedPeer(Session.Role.DIALLER, nearNs - back).open();
            Session session = peer.session();
            long nowNs = peer.nowNs();
            long beatInNs = session.sleepNs(nowNs);
            assertThat(beatInNs).isBetween(1L, INTERVAL);
            assertThat(session.onTick(nowNs + TIMEOUT - 1)).isEqualTo(Session.Verdict.CONTINUE);
            assertThat(session.onTick(nowNs + TIMEOUT)).isEqualTo(Session.Verdict.SILENT);
            assertThat(peer.advance(beatInNs - 1).poll()).isNull();
            assertThat(peer.advance(1).poll()).isEqualTo(FrameType.HEARTBEAT);
            assertThat(peer.advance(INTERVAL).poll()).isEqualTo(FrameType.HEARTBEAT);
            peer.sendHeartbeat();
            assertThat(session.onTick(peer.nowNs() + TIMEOUT - 1)).isEqualTo(Session.Verdict.CONTINUE);
            assertThat(session.onTick(peer.nowNs() + TIMEOUT)).isEqualTo(Session.Verdict.SILENT);
        }
    }
}
