package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.HelloFlyweight;
import io.hawser.framing.RefuseReason;
import java.nio.ByteOrder;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** HELLO, REFUSE and READY: whom a session believes, and for how long (L5, L11; cases 11, 17, 23, 24). */
class SessionGreetingTest {
    @Test
    void shouldKnowThePeerOnceItsHelloHasCome() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0).greeted();
        assertThat(peer.session().peer()).isEqualTo(peer.hello());
    }

    @ParameterizedTest
    @EnumSource(Session.Role.class)
    void shouldBelieveReadyOnlyForThisInstanceInThisGeneration(Session.Role role) {
        long nonce = new ScriptedPeer(role, 0).session().own().nonce();
        assertThat(ready(role, Hellos.GENERATION, nonce)).isEqualTo(Session.Verdict.PEER_READY);
        assertThat(ready(role, Hellos.GENERATION - 1, nonce)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(ready(role, Hellos.GENERATION + 1, nonce)).isEqualTo(Session.Verdict.VIOLATED);
        assertThat(ready(role, Hellos.GENERATION, nonce + 1)).isEqualTo(Session.Verdict.VIOLATED);
    }

    private static Session.Verdict ready(Session.Role role, long generation, long nonce) {
        ScriptedPeer peer = new ScriptedPeer(role, 0).greeted();
        Session.Verdict verdict = peer.sendReady(generation, nonce);
        assertThat(peer.session().received())
                .isEqualTo(verdict == Session.Verdict.PEER_READY ? Session.Stage.READY : Session.Stage.GREETED);
        return verdict;
    }

    @Test
    void shouldKeepTheReasonWhenRefused() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.DIALLER, 0).connected();
        peer.poll();
        assertThat(peer.sendRefuse(RefuseReason.STALE_GENERATION, 12)).isEqualTo(Session.Verdict.REFUSED);
        assertThat(peer.session().refusal())
                .isEqualTo(new Refusal(RefuseReason.STALE_GENERATION, 12, "because of STALE_GENERATION"));
    }

    @Test
    void shouldSayNothingMoreWhenRefused() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.DIALLER, 0).connected();
        peer.poll();
        peer.sendRefuse(RefuseReason.BUSY, 1);
        peer.session().readyUp();
        peer.session().abort(ScriptedPeer.cause(0, 1));
        assertThat(peer.advance(Hellos.INTERVAL_NS).poll()).isNull();
    }

    @Test
    void shouldBeDoneWithSendingWhenItHasRefused() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0).connected();
        peer.sendHello();
        peer.session().refuse(new Refusal(RefuseReason.CLUSTER, 9, "no".repeat(2_000)));
        assertThat(peer.session().isSendingDone()).isFalse();
        assertThat(peer.poll()).isEqualTo(FrameType.REFUSE);
        assertThat(peer.polledHeader().frameLength()).isLessThanOrEqualTo(FrameType.REFUSE.maxLength(0));
        assertThat(peer.session().isSendingDone()).isTrue();
        assertThat(peer.poll()).isNull();
    }

    /** Its READY may be in the hands of the send thread at that very moment: whoever asks what was sent must not miss it. */
    @Test
    void shouldSayAbortInsteadOfReadyWhenItIsGivenUpBefore() {
        ScriptedPeer peer = new ScriptedPeer(Session.Role.ACCEPTOR, 0).greeted();
        peer.session().readyUp();
        peer.session().abort(ScriptedPeer.cause(0, 1));
        assertThat(peer.session().hasSaidReady()).isFalse();
        assertThat(peer.poll()).isEqualTo(FrameType.ABORT);
        assertThat(peer.poll()).isNull();
        assertThat(peer.session().hasSaidReady()).isFalse();
    }

    /** The send thread has just looked for an ABORT, and found none. */
    @Test
    void shouldSayAbortInsteadOfReadyWhenItIsGivenUpAtThatVeryMoment() {
        boolean[] hasSaidReady = new boolean[1];
        Session session = new Session(Session.Role.ACCEPTOR, Hellos.of(0).to(1), new FrameEncoder(), 0) {
            private int looks;

            @Override
            boolean isAbortDue() {
                boolean isDue = super.isAbortDue();
                if (isReadyWanted() && looks++ == 0) {
                    abort(ScriptedPeer.cause(0, 1));
                    hasSaidReady[0] = hasSaidReady();
                }
                return isDue;
            }
        };
        ScriptedPeer peer = new ScriptedPeer(session, Hellos.of(1), 0).greeted();
        session.readyUp();
        FrameType first = peer.poll();
        assertThat(hasSaidReady[0]).as("what whoever gave it up went by").isFalse();
        assertThat(first).isEqualTo(FrameType.ABORT);
        assertThat(peer.poll()).isNull();
    }

    /** Case 23: of a HELLO of another version only the versions mean something, the rest may be anything. */
    @ParameterizedTest
    @CsvSource({"2, 2", "2, 65535", "0, 0", "65535, 65535"})
    void shouldBearAnythingInAHelloOfAnotherVersion(int lowest, int highest) {
        Random random = new Random(lowest * 31L + highest);
        for (int run = 0; run < 300; run++) {
            Session session = new Session(Session.Role.ACCEPTOR, Hellos.of(0).to(1), new FrameEncoder(), 0);
            session.onConnected(0);
            assertThat(showForeignHello(session, lowest, highest, random)).isEqualTo(Session.Verdict.GREETED);
            Refusal refusal = Greeting.judgeIdentity(session.own(), session.peer(), Session.Role.ACCEPTOR);
            assertThat(refusal.reason()).isEqualTo(RefuseReason.VERSION);
            assertThat(refusal.text()).contains("own=1..1", "peer=" + lowest + ".." + highest);
        }
    }

    private static Session.Verdict showForeignHello(Session session, int lowest, int highest, Random random) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);
        FrameEncoder encoder = new FrameEncoder();
        encoder.hello(buffer, 0, false);
        int payload = FrameHeaderFlyweight.HEADER_LENGTH;
        byte[] anything = new byte[HelloFlyweight.FIXED_LENGTH - 12];
        random.nextBytes(anything);
        buffer.putBytes(payload + 12, anything);
        buffer.putShort(payload + 8, (short) lowest, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(payload + 10, (short) highest, ByteOrder.LITTLE_ENDIAN);
        int length = encoder.end(HelloFlyweight.FIXED_LENGTH + 1 + random.nextInt(200));
        encoder.seal(buffer, 0, 0);
        assertThat(new FrameDecoder().decode(buffer, 0, length)).isEqualTo(length);
        return session.onFrame(new FrameHeaderFlyweight().wrap(buffer, 0), buffer, payload, 0);
    }

    @Test
    void shouldTellWhetherAMeshOrALinkIsMeant() {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);
        FrameEncoder encoder = new FrameEncoder();
        int length = Hellos.of(1).to(0).encode(encoder, buffer, 0, false);
        buffer.putInt(FrameHeaderFlyweight.HEADER_LENGTH + 12, HelloFlyweight.MODE_LINK, ByteOrder.LITTLE_ENDIAN);
        encoder.seal(buffer, 0, 0);
        assertThat(new FrameDecoder().decode(buffer, 0, length)).isEqualTo(length);
        Session session = new Session(Session.Role.ACCEPTOR, Hellos.of(0).to(1), new FrameEncoder(), 0);
        session.onConnected(0);
        FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(buffer, 0);
        assertThat(session.onFrame(header, buffer, FrameHeaderFlyweight.HEADER_LENGTH, 0))
                .as("whether that fits is the owner's to judge")
                .isEqualTo(Session.Verdict.GREETED);
        assertThat(session.peer().mode()).isEqualTo(HelloFlyweight.MODE_LINK);
    }

    @Test
    void shouldSurviveTheWireWhenAHelloIsAtItsLimits() {
        Hello longest = new Hello(
                1,
                65_535,
                HelloFlyweight.MODE_LINK,
                Formation.GENERATION_LIMIT,
                Long.MIN_VALUE,
                Integer.MAX_VALUE - 1,
                Integer.MAX_VALUE,
                1,
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                1,
                1,
                1 << 30,
                false,
                new Former(Formation.GENERATION_LIMIT - 1, -1, 524_286, 524_287, 4_096),
                "ü".repeat(127),
                "𝄞".repeat(63),
                "");
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);
        FrameEncoder encoder = new FrameEncoder();
        int length = longest.encode(encoder, buffer, 0, true);
        encoder.seal(buffer, 0, 0);
        assertThat(new FrameDecoder().decode(buffer, 0, length)).isEqualTo(length);
        FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(buffer, 0);
        Hello read = Hello.read(
                new HelloFlyweight().wrap(buffer, FrameHeaderFlyweight.HEADER_LENGTH, header.payloadLength()));
        assertThat(read).isEqualTo(longest);
    }
}
