package io.hawser.tests;

import static io.hawser.tests.harness.RawFrame.CHECKED;
import static io.hawser.tests.harness.RawFrame.CONFIRM;
import static io.hawser.tests.harness.RawFrame.RECORDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.Channel;
import io.hawser.allocator.Codecs;
import io.hawser.allocator.Outcomes;
import io.hawser.allocator.Worker;
import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.FaultProxy;
import io.hawser.testkit.FreePorts;
import io.hawser.tests.harness.RawFrame;
import io.hawser.tests.harness.RawHello;
import io.hawser.tests.harness.RawPeer;
import io.hawser.transport.Endpoint;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cases 35, 38, 40 and 101: whatever a greeted peer sends that the protocol does not allow costs the cluster its health at once, with a
 * text that says what it was; nothing of it is delivered, nobody hangs. From somebody not greeted it costs the connection.
 */
class BadBytesIT {
    private static final int FRAME_LIMIT = 256 * 1024;
    private static final int FIRST_PAYLOAD_BIT = RawFrame.HEADER_LENGTH * 8;
    private static final int STRIDE = Soak.times(7, 1);
    private static final byte[] MESSAGE = {1, 2, 3, 4, 5, 6, 7, 8};

    private final List<Integer> ports = Counterpart.ports();

    @AfterEach
    void assertNothingLeft() {
        Member.assertNoThreads();
    }

    /** Small frames that are right, until a bit is flipped. */
    enum Sample {
        HEARTBEAT {
            @Override
            RawFrame frame() {
                return RawFrame.heartbeat();
            }
        },
        DATA {
            @Override
            RawFrame frame() {
                return RawFrame.data(0, 1, 0, MESSAGE);
            }
        },
        HANGUP {
            @Override
            RawFrame frame() {
                return RawFrame.hangUp(0, 0, 0, 0);
            }
        },
        ABORT {
            @Override
            RawFrame frame() {
                return RawFrame.abort(4, 1, 1, Counterpart.generation(), "a worker threw");
            }
        };

        abstract RawFrame frame();
    }

    @ParameterizedTest
    @EnumSource(Sample.class)
    void shouldNoticeEveryFlippedBitCase38(final Sample sample) throws Exception {
        final int offset = new Random().nextInt(STRIDE);
        System.out.println("flipped bits of " + sample + ": from bit " + offset + " in steps of " + STRIDE);
        final int bitCount = sample.frame().bytes().length * 8;
        for (int bit = 0; bit < bitCount; bit++) {
            final boolean isAlways = sample == Sample.HEARTBEAT && bit < FIRST_PAYLOAD_BIT;
            if (!isAlways && bit % STRIDE != offset) {
                continue;
            }
            final byte[] bytes;
            try (Counterpart pair = Counterpart.open(ports, BadBytesIT::failOnDelivery)) {
                bytes = sample.frame().sequence(pair.raw().nextSequence()).bytes();
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
                pair.raw().sendBytes(bytes);
                assertViolated(pair.joinedAfterGoing(), "bit " + bit + " of " + sample);
            }
        }
    }

    @Test
    void shouldAdmitNobodyWhoseHelloHasAFlippedBitCase38() throws Exception {
        try (Member member = Member.start(Counterpart.settings(ports))) {
            final RawHello hello = Counterpart.hello(Counterpart.generation());
            final byte[] right = hello.frame().bytes();
            for (int bit = 0; bit < right.length * 8; bit += Soak.times(3, 1)) {
                final byte[] wrong = right.clone();
                wrong[bit / 8] ^= (byte) (1 << bit % 8);
                try (RawPeer raw = RawPeer.dial(ports.get(0))) {
                    raw.sendBytes(wrong);
                    raw.fin();
                    assertThat(raw.isAnsweredByHello()).as("bit %d", bit).isFalse();
                }
            }
            assertThat(member.isDone()).isFalse();
            try (RawPeer raw = RawPeer.join(ports.get(0), hello)) {
                member.formed();
                raw.reset();
            }
            member.joined();
        }
    }

    static Stream<Arguments> violations() {
        final List<Arguments> all = new ArrayList<>();
        for (final int length :
                new int[] {0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_FFF8, FRAME_LIMIT + 8, 47, 0}) {
            all.add(bad(
                    "case 35: DATA of length " + length,
                    String.valueOf(length),
                    RawFrame.data(0, 1, 0, MESSAGE).length(length)));
        }
        all.add(bad(
                "case 35: HEARTBEAT longer than its type allows",
                "",
                RawFrame.heartbeat().length(1 << 17)));
        all.add(bad(
                "case 35: HANGUP longer than its type allows",
                "88",
                RawFrame.of(RawFrame.HANGUP).payload(new byte[40])));
        for (final int type : new int[] {0, 18, 99, 255}) {
            all.add(bad(
                    "case 40: type " + type,
                    String.valueOf(type),
                    RawFrame.heartbeat().type(type)));
        }
        for (int bit = 5; bit < 16; bit++) {
            all.add(bad(
                    "case 40: reserved flag " + bit,
                    "flag",
                    RawFrame.heartbeat().flags(CHECKED | 1 << bit)));
        }
        all.add(bad(
                "case 40: flag of another type", "flag", RawFrame.heartbeat().flags(CHECKED | CONFIRM)));
        all.add(bad("case 23: version 2", "version", RawFrame.heartbeat().version(2)));
        all.add(bad("case 23: version 0", "version", RawFrame.heartbeat().version(0)));
        all.add(bad("case 40: DATA without channel", "channel", RawFrame.data(-1, 1, 0, MESSAGE)));
        all.add(bad(
                "case 40: HEARTBEAT with channel",
                "channel",
                RawFrame.heartbeat().channel(3)));
        all.add(bad("case 40: source not of the sender", "source", RawFrame.data(0, 0, 0, MESSAGE)));
        all.add(bad("case 40: source that does not exist", "source", RawFrame.data(0, 2, 0, MESSAGE)));
        all.add(bad("case 40: target of another process", "target", RawFrame.data(0, 1, 1, MESSAGE)));
        all.add(bad(
                "case 40: targets beyond the process",
                "target",
                RawFrame.data(0, 1, 0, MESSAGE).targets(0, 2)));
        all.add(bad(
                "case 40: no target", "target", RawFrame.data(0, 1, 0, MESSAGE).targets(0, 0)));
        all.add(bad(
                "case 40: targets that overflow",
                "target",
                RawFrame.data(0, 1, 0, MESSAGE).targets(1, 0x7FFF_FFFF)));
        all.add(bad("L5: READY twice", "READY", RawFrame.ready(1, 1)));
        all.add(bad("case 11: HELLO twice", "HELLO", Counterpart.hello(1).frame()));
        all.add(bad("case 40: REFUSE from a greeted peer", "REFUSE", refusal()));
        all.add(bad(
                "case 40: CREDIT, reserved",
                "CREDIT",
                RawFrame.of(RawFrame.CREDIT).channel(0).source(1).targets(0, 1).payload(new byte[16])));
        all.add(bad("case 38: wrong header check", "check", RawFrame.heartbeat().spoilHeaderCheck(1)));
        all.add(bad(
                "case 38: DATA without the agreed check",
                "check",
                RawFrame.data(0, 1, 0, MESSAGE).flags(RECORDS & ~CHECKED)));
        all.add(bad("L6: HANGUP that counts a frame too many", "1", RawFrame.hangUp(1, 64, 0, 0)));
        all.add(bad(
                "L6: CONFIRM before HANGUP",
                "HANGUP",
                RawFrame.hangUp(0, 0, 0, 0).flags(CHECKED | CONFIRM)));
        all.add(bad(
                "case 40: record longer than its frame",
                "record",
                RawFrame.data(0, 1, 0, MESSAGE).payload(new byte[] {9, 0, 0, 0, 1, 2, 3, 4})));
        all.add(bad(
                "case 40: record of negative length",
                "record",
                RawFrame.data(0, 1, 0, MESSAGE).payload(new byte[] {-1, -1, -1, -1})));
        all.add(bad(
                "case 40: half a record length",
                "record",
                RawFrame.data(0, 1, 0, MESSAGE).payload(new byte[] {1, 0})));
        all.add(bad(
                "case 40: padding that is not zero",
                "record",
                RawFrame.data(0, 1, 0, MESSAGE).payload(new byte[] {1, 0, 0, 0, 7, 7, 0, 0})));
        all.add(bad(
                "case 40: heartbeat of fewer workers than it says",
                "",
                RawFrame.heartbeat().payload(heartbeatOf(3))));
        return all.stream();
    }

    private static Arguments bad(final String name, final String inText, final RawFrame frame) {
        return Arguments.of(name, inText, frame);
    }

    private static RawFrame refusal() {
        final byte[] payload = new byte[24];
        payload[0] = 1;
        payload[4] = 1;
        payload[6] = 1;
        payload[8] = 1;
        return RawFrame.of(RawFrame.REFUSE).payload(payload);
    }

    private static byte[] heartbeatOf(final int workers) {
        final byte[] payload = new byte[48 + 8];
        payload[40] = (byte) workers;
        return payload;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("violations")
    void shouldLoseHealthWhenGreetedPeerViolates(final String name, final String inText, final RawFrame frame)
            throws Exception {
        try (Counterpart pair = Counterpart.open(ports, BadBytesIT::failOnDelivery)) {
            pair.raw().send(frame);
            final Cause cause = assertViolated(pair.joinedAfterGoing(), name);
            assertThat(cause.seen()).as(name).containsIgnoringCase(inText);
        }
    }

    @Test
    void shouldLoseHealthWhenSequenceHasGapOrRepeatCase40() throws Exception {
        for (final int step : new int[] {-1, 1, 1_000}) {
            try (Counterpart pair = Counterpart.open(ports, BadBytesIT::failOnDelivery)) {
                pair.raw().send(RawFrame.heartbeat());
                final long expected = pair.raw().nextSequence();
                pair.raw().sendAs(expected + step, RawFrame.heartbeat());
                final Cause cause = assertViolated(pair.joinedAfterGoing(), "step " + step);
                assertThat(cause.seen())
                        .contains("sequence=" + (expected + step))
                        .contains("expected=" + expected);
            }
        }
    }

    @Test
    void shouldLoseHealthOnAllProcessesWhenOnePeerViolatesL2() throws Exception {
        final List<Integer> three = FreePorts.take(3);
        try (Member first = Member.start(Member.config(0, three));
                Member second = Member.start(Member.config(1, three))) {
            final List<RawPeer> links = new ArrayList<>();
            for (int process = 0; process < 2; process++) {
                final RawHello hello = Counterpart.hello(1);
                hello.nonce = 77;
                hello.processIndex = 2;
                hello.processCount = 3;
                hello.targetProcess = process;
                links.add(RawPeer.greet(three.get(process), hello));
            }
            for (final RawPeer link : links) {
                link.readyUp();
            }
            first.formed();
            second.formed();
            links.get(0).await(RawFrame.READY);
            links.get(0).send(RawFrame.heartbeat().type(99));
            links.forEach(RawPeer::discardInBackground);
            final Cause cause = first.joined().cause();
            assertThat(cause.kind()).isEqualTo(CauseKind.PROTOCOL_VIOLATED);
            assertThat(cause.subjectProcess()).isEqualTo(2);
            assertThat(cause.observerProcess()).isZero();
            assertThat(second.joined().cause().sameEvent(cause)).isTrue();
            for (final RawPeer link : links) {
                link.close();
            }
        }
    }

    @Test
    void shouldNamePeerAndOffsetWhenBitFlipsBetweenRealProcessesCase38() throws Exception {
        final List<Integer> two = FreePorts.take(2);
        try (FaultProxy proxy = FaultProxy.to(two.get(0));
                Member first = Member.start(Member.config(0, two).build(), Flood::run);
                Member second = Member.start(
                        Member.config(1, two)
                                .address(0, new Endpoint("127.0.0.1", proxy.port()))
                                .build(),
                        Flood::run)) {
            first.formed();
            second.formed();
            Deadline.await(Member.PATIENCE, "data", () -> proxy.toTarget().passedBytes() > 1 << 20);
            final long offset = proxy.toTarget().position() + (4 << 20);
            proxy.toTarget().flipBit(offset, 3);
            final Cause cause = first.joined().cause();
            assertThat(cause.kind()).isEqualTo(CauseKind.PROTOCOL_VIOLATED);
            assertThat(cause.subjectProcess()).isEqualTo(1);
            assertThat(cause.seen()).contains("check").contains("offset");
            assertThat(second.joined().cause().sameEvent(cause))
                    .as("one event: %s and %s", cause, second.joined().cause())
                    .isTrue();
            System.out.println("a flipped bit reads: " + cause.describe());
        }
    }

    @Test
    void shouldReportLossAndKeepNothingWhenPeerLeavesInTheMiddleOfAFrameCase101() throws Exception {
        for (int round = 0; round < Soak.times(50, 10_000); round++) {
            try (Counterpart pair = Counterpart.open(ports)) {
                pair.raw().send(RawFrame.data(0, 1, 0, MESSAGE));
                pair.raw().sendPart(RawFrame.data(0, 1, 0, new byte[10_000]), 1 + round * 191 % 10_000);
                pair.raw().fin();
                final Cause cause = pair.joinedAfterGoing().cause();
                assertThat(cause.kind()).isEqualTo(CauseKind.PEER_LOST);
                assertThat(cause.seen()).contains("in the middle of a frame");
            }
        }
        Member.assertNoThreads();
    }

    @Test
    void shouldDeliverTheSameHoweverTheStreamIsSplitCase41() throws Exception {
        final int[] lengths = {0, 1, 9, 1_000};
        final int streamLength = dataStream(lengths).length;
        IntStream.iterate(1, at -> at < streamLength, at -> at + Soak.times(7, 1))
                .forEach(at -> {
                    assertDelivered(lengths, at, streamLength);
                });
        assertDelivered(new int[] {0, 1, 65_537}, 1, 1);
    }

    /** Messages, then HANGUP: split once, or into single bytes if {@code splitAt} and {@code streamLength} are 1. */
    private void assertDelivered(final int[] lengths, final int splitAt, final int streamLength) {
        try (Member member = Member.start(Counterpart.settings(ports).build(), worker -> receive(worker, lengths));
                RawPeer raw = RawPeer.greet(ports.get(0), Counterpart.hello(Counterpart.generation()))) {
            final byte[] stream = dataStream(lengths);
            final int step = streamLength == 1 ? 1 : splitAt;
            raw.readyUp();
            raw.await(RawFrame.READY);
            for (int sent = 0; sent < stream.length; ) {
                final int until = streamLength == 1 || sent == 0 ? Math.min(stream.length, sent + step) : stream.length;
                raw.sendBytes(Arrays.copyOfRange(stream, sent, until));
                sent = until;
            }
            raw.await(RawFrame.HANGUP);
            raw.confirmAs(
                    lengths.length + 3L,
                    lengths.length,
                    IntStream.of(lengths).map(BadBytesIT::dataLength).sum());
            raw.awaitEnd(Duration.ofSeconds(5));
            raw.fin();
            final Outcomes<Long> outcomes = member.joined();
            assertThat(outcomes.isClean())
                    .as("split at %d: %s", splitAt, outcomes)
                    .isTrue();
            assertThat(outcomes.values())
                    .containsExactly((long) IntStream.of(lengths).sum());
        } catch (final Exception failed) {
            throw new AssertionError("split at " + splitAt, failed);
        }
    }

    private static byte[] dataStream(final int[] lengths) {
        final ByteArrayOutputStream stream = new ByteArrayOutputStream();
        long sequence = 2;
        long bytes = 0;
        for (final int length : lengths) {
            final RawFrame frame = RawFrame.data(0, 1, 0, new byte[length]);
            stream.writeBytes(frame.sequence(sequence++).bytes());
            bytes += frame.frameLength();
        }
        stream.writeBytes(
                RawFrame.hangUp(lengths.length, bytes, 0, 0).sequence(sequence).bytes());
        return stream.toByteArray();
    }

    private static int dataLength(final int messageLength) {
        return RawFrame.data(0, 1, 0, new byte[messageLength]).frameLength();
    }

    private static Long receive(final Worker worker, final int[] lengths) {
        final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
        long sum = 0;
        for (final int length : lengths) {
            byte[] message = channel.puller().pull();
            while (message == null) {
                worker.park();
                message = channel.puller().pull();
            }
            assertThat(message).hasSize(length);
            sum += message.length;
        }
        return sum;
    }

    private static Long failOnDelivery(final Worker worker) {
        final Channel<byte[]> channel = worker.allocate(0, Codecs.bytes());
        while (true) {
            worker.park();
            if (channel.puller().pull() != null) {
                throw new AssertionError("a spoilt message was delivered");
            }
        }
    }

    private static Cause assertViolated(final Outcomes<Long> outcomes, final String what) {
        assertThat(outcomes.isClean()).as(what).isFalse();
        final Cause cause = outcomes.cause();
        assertThat(cause.kind()).as("%s: %s", what, cause).isEqualTo(CauseKind.PROTOCOL_VIOLATED);
        assertThat(cause.subjectProcess()).as("%s: %s", what, cause).isEqualTo(1);
        assertThat(cause.observerProcess()).as("%s: %s", what, cause).isZero();
        assertThat(cause.seen()).as("%s: %s", what, cause).isNotBlank().doesNotContain("Exception");
        assertThat(outcomes.perWorker()).allMatch(outcome -> outcome.isFailed(), what);
        return cause;
    }
}
