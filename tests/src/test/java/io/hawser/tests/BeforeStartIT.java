package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.CauseKind;
import io.hawser.testkit.FreePorts;
import io.hawser.tests.harness.RawFrame;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.RawPeer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * L2 before the start: a link that is given up then is not closed without a word. Its peer may have started, and would blame a process
 * that has ended its connection; so it is told the cause. Process 0 is real, processes 1 and 2 of three are played.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BeforeStartIT {
    private static final Duration SHORT_SILENCE = Duration.ofMillis(1_500);

    /** The played ones send no heartbeats: nobody is to call them silent before they have done what they are to do. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private static final Duration END = Duration.ofSeconds(5);

    private final List<Integer> ports = FreePorts.take(3);

    @AfterEach
    void assertNothingLeft() {
        Member.assertNoThreads();
    }

    @Test
    void shouldTellTheCauseWhenAPeerViolatesBeforeTheStart() throws Exception {
        try (Member member = Member.start(Member.config(0, ports).silenceTimeout(SILENCE));
                RawPeer one = RawPeer.greet(ports.get(0), hello(1, SILENCE))) {
            one.send(RawFrame.heartbeat().type(99));
            final RawFrame abort = awaitAbort(one);
            assertThat(kind(abort)).isEqualTo(CauseKind.PROTOCOL_VIOLATED.code());
            assertThat(subject(abort)).isEqualTo(1);
            assertThat(RawPeer.text(abort)).contains("99");
            one.awaitEnd(END);
            assertThat(member.isDone()).as("it costs the link, nothing more").isFalse();
        }
    }

    @Test
    void shouldTellTheCauseWhenAPeerFallsSilentBeforeTheStart() throws Exception {
        try (Member member = Member.start(Member.config(0, ports).silenceTimeout(SHORT_SILENCE));
                RawPeer one = RawPeer.greet(ports.get(0), hello(1, SHORT_SILENCE))) {
            final RawFrame abort = awaitAbort(one);
            assertThat(kind(abort)).isEqualTo(CauseKind.PEER_SILENT.code());
            assertThat(subject(abort)).isEqualTo(1);
            assertThat(RawPeer.text(abort)).contains("no byte came");
            one.awaitEnd(END);
            assertThat(member.isDone()).as("it costs the link, nothing more").isFalse();
        }
    }

    /** That one may have started, and so may all others: they learn that this process goes on to the next generation, and why. */
    @Test
    void shouldTellTheOthersWhyWhenAPeerThatWasToldReadyViolates() throws Exception {
        try (Member member = Member.start(Member.config(0, ports).silenceTimeout(SILENCE));
                RawPeer one = RawPeer.greet(ports.get(0), hello(1, SILENCE));
                RawPeer two = RawPeer.greet(ports.get(0), hello(2, SILENCE))) {
            one.await(RawFrame.READY);
            one.send(RawFrame.heartbeat().type(99));
            assertThat(kind(awaitAbort(one))).isEqualTo(CauseKind.PROTOCOL_VIOLATED.code());
            final RawFrame abort = awaitAbort(two);
            assertThat(kind(abort)).isEqualTo(CauseKind.FORMATION_ABANDONED.code());
            assertThat(subject(abort)).isZero();
            assertThat(RawPeer.text(abort))
                    .contains("generation 2")
                    .contains("process 1")
                    .contains("99");
            assertThat(member.isDone()).isFalse();
        }
    }

    /** It has not started; whether the other one has, it cannot know, and does not matter to it. */
    @Test
    void shouldGoOnFormingWhenAPeerSaysThatItHasLostThisVeryProcess() throws Exception {
        try (Member member = Member.start(Member.config(0, ports).silenceTimeout(SILENCE));
                RawPeer one = RawPeer.greet(ports.get(0), hello(1, SILENCE));
                RawPeer two = RawPeer.greet(ports.get(0), hello(2, SILENCE))) {
            one.await(RawFrame.READY);
            one.send(RawFrame.abort(CauseKind.PEER_SILENT.code(), 0, 1, 1, "no byte came"));
            assertThat(kind(awaitAbort(two))).isEqualTo(CauseKind.FORMATION_ABANDONED.code());
            assertThat(member.isDone()).isFalse();
        }
    }

    private static RawHello hello(final int index, final Duration silence) {
        final RawHello hello = Counterpart.hello(1);
        hello.nonce = 70 + index;
        hello.processIndex = index;
        hello.processCount = 3;
        hello.silenceTimeout = silence;
        return hello;
    }

    private static RawFrame awaitAbort(final RawPeer peer) throws IOException {
        try {
            RawFrame frame = peer.next();
            while (frame.type() != RawFrame.ABORT) {
                frame = peer.next();
            }
            return frame;
        } catch (final EOFException ended) {
            throw new AssertionError("the connection was closed without a word", ended);
        }
    }

    private static int kind(final RawFrame abort) {
        return abort.payload().order(ByteOrder.LITTLE_ENDIAN).getInt(0);
    }

    private static int subject(final RawFrame abort) {
        return abort.payload().order(ByteOrder.LITTLE_ENDIAN).getInt(4);
    }
}
