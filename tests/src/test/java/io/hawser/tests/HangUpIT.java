package io.hawser.tests;

import static io.hawser.tests.harness.RawFrame.CHECKED;
import static io.hawser.tests.harness.RawFrame.CONFIRM;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.EndOfStreamException;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.Worker;
import io.hawser.fate.CauseKind;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.Nursery;
import io.hawser.tests.harness.ChildCluster;
import io.hawser.tests.harness.Joined;
import io.hawser.tests.harness.RawFrame;
import io.hawser.tests.harness.RawPeer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** L1, L6 and cases 63, 84, 85, 87: a clean end loses nothing and looks like one, whenever it comes; any other end does not. */
class HangUpIT {
    private static final int MEGABYTE = 1_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @RegisterExtension
    static final Nursery NURSERY = Nursery.forWholeClass();

    private static final ChildCluster PAIR =
            new ChildCluster(NURSERY, 2, 1).set("heartbeatMs", 100).set("silenceMs", 10_000);
    private static final ChildCluster THREE =
            new ChildCluster(NURSERY, 3, 1).set("heartbeatMs", 100).set("silenceMs", 1_500);

    private final List<Integer> ports = Counterpart.ports();

    @Test
    void shouldDeliverEveryByteWhenSenderReturnsAtOnceAndReceiverIsSlowCase84() {
        PAIR.launchMissing();
        for (int round = 0; round < Soak.times(3, 1_000); round++) {
            final ChildCluster.Run run = PAIR.newRun();
            run.start(0, "send", "to", 1, "bytes", 50 * MEGABYTE);
            run.start(1, "receive", "pauseMicros", 100);
            assertReceived(run, 1, 50 * MEGABYTE);
        }
    }

    @Test
    void shouldDeliverEveryByteWhenLinkIsSlowCase84() {
        PAIR.launchMissing();
        try (FaultProxy proxy = PAIR.proxyBetween(0, 1)) {
            proxy.toDialler().trickle(64 * 1024, Duration.ofMillis(5));
            final ChildCluster.Run run = PAIR.newRun();
            run.start(0, "send", "to", 1, "bytes", 20 * MEGABYTE);
            run.start(1, "receive");
            assertReceived(run, 1, 20 * MEGABYTE);
        } finally {
            PAIR.clearDetours();
        }
    }

    @Test
    void shouldDeliverEveryByteWhenMessagesAreTinyCase84() {
        PAIR.launchMissing();
        for (int round = 0; round < Soak.times(20, 1_000); round++) {
            final int bytes = new Random(round).nextInt(200_000);
            final ChildCluster.Run run = PAIR.newRun();
            run.start(0, "receive");
            run.start(1, "send", "to", 0, "bytes", bytes, "length", 1 + round);
            assertReceived(run, 0, bytes);
        }
    }

    private static void assertReceived(final ChildCluster.Run run, final int receiver, final long bytes) {
        run.awaitFormed(List.of(0, 1));
        new Joined(run.joined(List.of(0, 1), PATIENCE)).assertClean().assertNothingLeft();
        assertThat(run.outcomes(receiver).get(0).text("outcome")).isEqualTo("completed");
        assertThat(run.outcomes(receiver).get(0).number("text")).isEqualTo(bytes);
        assertThat(run.outcomes(1 - receiver).get(0).text("outcome")).isEqualTo("completed");
    }

    @Test
    void shouldStayWholeWhenOneProcessEndsMuchEarlierThanOthersCase63() {
        THREE.launchMissing();
        try (FaultProxy proxy = THREE.proxyBetween(0, 1)) {
            proxy.toDialler().trickle(16 * 1024, Duration.ofMillis(5));
            final ChildCluster.Run run = THREE.newRun();
            run.start(0, "send", "to", 1, "bytes", 12 * MEGABYTE);
            run.start(1, "receive");
            run.start(2, "return");
            run.awaitFormed(THREE.all());
            final Joined joined = new Joined(run.joined(THREE.all(), PATIENCE));
            joined.assertClean().assertNothingLeft();
            assertThat(run.outcomes(1).get(0).number("text")).isEqualTo(12 * MEGABYTE);
            final long waited = joined.lastJoinMicros() - run.outcomes(2).get(0).number("returnedMicros");
            assertThat(waited)
                    .as("µs that the early one waited: longer than the silence time-out, or the test shows nothing")
                    .isGreaterThan(2_000_000);
        } finally {
            THREE.clearDetours();
        }
    }

    @Test
    void shouldEndCleanlyWhenReceiverHasReturnedLongBeforeDataComesCase87() {
        PAIR.launchMissing();
        final ChildCluster.Run run = PAIR.newRun();
        run.start(0, "return");
        run.start(1, "send", "to", 0, "bytes", 10 * MEGABYTE);
        run.awaitFormed(PAIR.all());
        new Joined(run.joined(PAIR.all(), PATIENCE)).assertClean().assertNothingLeft();
        assertThat(run.outcomes(1).get(0).number("text")).isEqualTo(10 * MEGABYTE);
    }

    @Test
    void shouldSeeNoFailureWhenAllEndAtRandomTimesCase85() {
        THREE.launchMissing();
        final long seed = System.nanoTime();
        System.out.println("random ends: seed=" + seed);
        final Random random = new Random(seed);
        for (int round = 0; round < Soak.times(15, 1_000); round++) {
            final ChildCluster.Run run = THREE.newRun();
            for (final int process : THREE.all()) {
                run.start(process, "rounds", "rounds", 1 + random.nextInt(50), "lingerMicros", random.nextInt(200_000));
            }
            run.awaitFormed(THREE.all());
            new Joined(run.joined(THREE.all(), PATIENCE)).assertClean().assertNothingLeft();
        }
        for (final int process : THREE.all()) {
            assertThat(THREE.child(process).errorLines())
                    .noneMatch(line -> line.contains(" WARN ") || line.contains(" ERROR "));
        }
    }

    @Test
    void shouldBeUncleanWhenStreamEndsWithoutHangUpCase85b() throws Exception {
        assertUnclean(CauseKind.PEER_LOST, "without hang-up", raw -> raw.fin());
    }

    @Test
    void shouldBeAViolationWhenDataFollowsHangUpCase85c() throws Exception {
        assertUnclean(CauseKind.PROTOCOL_VIOLATED, "DATA", raw -> {
            raw.hangUp();
            raw.send(RawFrame.data(0, 1, 0, new byte[4]));
        });
    }

    @Test
    void shouldBeAViolationWhenHangUpComesTwice() throws Exception {
        assertUnclean(CauseKind.PROTOCOL_VIOLATED, "HANGUP", raw -> {
            raw.hangUp();
            raw.hangUp();
        });
    }

    @Test
    void shouldBeUncleanWhenResetComesBetweenHangUpAndConfirmCase85d() throws Exception {
        assertUnclean(CauseKind.PEER_LOST, "", raw -> {
            raw.hangUp();
            raw.await(RawFrame.HANGUP);
            raw.reset();
        });
    }

    @Test
    void shouldBeCleanWhenResetComesAfterBothConfirmedCase85d() throws Exception {
        try (Counterpart pair = Counterpart.open(ports, HangUpIT::receiveToTheEnd)) {
            pair.raw().hangUp();
            pair.raw().await(RawFrame.HANGUP);
            pair.raw().confirm();
            pair.raw().await(RawFrame.HANGUP);
            pair.raw().reset();
            assertThat(pair.joined().isClean()).isTrue();
        }
    }

    @Test
    void shouldBeUncleanWhenHalfAHangUpComesCase85e() throws Exception {
        for (int length = 1; length < 80; length++) {
            final int part = length;
            assertUnclean(CauseKind.PEER_LOST, "in the middle of a frame", raw -> {
                raw.sendPart(RawFrame.hangUp(0, 0, 0, 0), part);
                raw.fin();
            });
        }
    }

    @Test
    void shouldBeUncleanWhenPeerEndsAfterHangUpWithoutConfirm() throws Exception {
        assertUnclean(CauseKind.PEER_LOST, "without", raw -> {
            raw.hangUp();
            raw.await(RawFrame.HANGUP);
            raw.fin();
        });
    }

    @Test
    void shouldBeAViolationWhenConfirmedTotalsAreWrongL6() throws Exception {
        assertUnclean(CauseKind.PROTOCOL_VIOLATED, "dataFrames=7", raw -> {
            raw.hangUp();
            raw.await(RawFrame.HANGUP);
            raw.send(RawFrame.hangUp(0, 0, 7, 700).flags(CHECKED | CONFIRM));
        });
    }

    @Test
    void shouldBeAViolationWhenTotalsSayThatDataIsMissingL6() throws Exception {
        assertUnclean(CauseKind.PROTOCOL_VIOLATED, "dataFrames=2", raw -> {
            raw.send(RawFrame.data(0, 1, 0, new byte[4]));
            raw.send(RawFrame.hangUp(2, 112, 0, 0));
        });
    }

    @Test
    void shouldTakeHeartbeatsAtEveryLegalPositionCase63() throws Exception {
        try (Member member = Member.start(Counterpart.settings(ports).build(), HangUpIT::receiveToTheEnd);
                RawPeer raw = RawPeer.greet(ports.get(0), Counterpart.hello(Counterpart.generation()))) {
            raw.send(RawFrame.heartbeat());
            raw.readyUp();
            raw.send(RawFrame.heartbeat());
            raw.await(RawFrame.READY);
            for (int i = 0; i < 3; i++) {
                raw.send(RawFrame.heartbeat());
                raw.send(RawFrame.data(0, 1, 0, new byte[100]));
            }
            raw.send(RawFrame.heartbeat());
            raw.hangUp();
            raw.send(RawFrame.heartbeat());
            raw.await(RawFrame.HANGUP);
            raw.send(RawFrame.heartbeat());
            raw.confirm();
            raw.await(RawFrame.HANGUP);
            raw.fin();
            final Outcomes<Long> outcomes = member.joined();
            assertThat(outcomes.isClean()).as("%s", outcomes).isTrue();
            assertThat(outcomes.values()).containsExactly(300L);
        }
    }

    private void assertUnclean(final CauseKind kind, final String seen, final Script script) throws Exception {
        try (Counterpart pair = Counterpart.open(ports, HangUpIT::receiveToTheEnd)) {
            script.play(pair.raw());
            final Outcomes<Long> outcomes = pair.joined();
            assertThat(outcomes.isClean()).isFalse();
            assertThat(outcomes.cause().kind()).as("%s", outcomes).isEqualTo(kind);
            assertThat(outcomes.cause().subjectProcess()).as("%s", outcomes).isEqualTo(1);
            assertThat(outcomes.cause().seen()).contains(seen);
        }
        Member.assertNoThreads();
    }

    private static Long receiveToTheEnd(final Worker worker) {
        final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
        long bytes = 0;
        while (true) {
            final byte[] message = channel.puller().pull();
            if (message != null) {
                bytes += message.length;
                continue;
            }
            try {
                worker.park();
            } catch (final EndOfStreamException over) {
                return bytes;
            }
        }
    }

    /** What the raw peer does. */
    private interface Script {
        void play(RawPeer raw) throws Exception;
    }
}
