package io.hawser.framing;

import static io.hawser.framing.Frames.decoder;
import static io.hawser.framing.Frames.describe;
import static io.hawser.framing.Frames.golden;
import static io.hawser.framing.Frames.judge;
import static io.hawser.framing.Frames.withByte;
import static io.hawser.framing.Frames.withInt;
import static io.hawser.framing.Frames.withLong;
import static io.hawser.framing.Frames.withShort;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Payloads that are wrong inside frames whose checks are right. Offsets are those of the blocks in PROTOCOL.md. */
class PayloadRulesTest {

    @ParameterizedTest
    @CsvSource({
        "READY, 48, 0", // generation
        "HELLO, 64, 0", // generation
        "HELLO, 64, 4611686018427387905",
        "HELLO, 104, 0", // heartbeat interval
        "HELLO, 112, 0", // silence time-out
        "HELLO, 120, 0", // channel window
        "HELLO, 128, -1", // link window
        "HELLO, 136, 0", // message limit
        "HELLO, 152, -1", // former generation
        "HELLO, 152, 0", // none, but the fields behind it are not 0
        "HELLO, 152, 7", // not below the generation proposed
        "HEARTBEAT, 64, -1", // age of the echo
        "HEARTBEAT, 72, -1", // bytes received
        "HEARTBEAT, 80, -1", // longest pause
        "CREDIT, 48, -1",
        "CREDIT, 56, -1",
        "HANGUP, 48, -1",
        "HANGUP, 56, -1",
        "HANGUP, 64, 1", // received, without CONFIRM
        "HANGUP, 72, 1",
        "'HANGUP, CONFIRM', 64, -1",
        "'HANGUP, CONFIRM', 72, -1",
        "ABORT, 64, -1", // generation
        "ABORT, 72, -1", // pid
        "ABORT, 96, -1", // measured
        "REFUSE, 56, -1", // generation
        "ACCEPT, 56, -1",
        "WAIT, 48, -1", // wait number
        "WAIT, 56, -1", // waited already
        "WAIT, 64, -1", // bytes wanted
        "WAIT, 48, -9223372036854775808",
    })
    void shouldRefuseLongNumbersOutsideTheirRange(final String name, final int offset, final long value) {
        assertThat(judge(withLong(name, offset, value))).isEqualTo(FrameFault.BAD_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "HELLO, 60, 2", // mode
        "HELLO, 80, -1", // process index
        "HELLO, 84, 0", // process count
        "HELLO, 84, 1073741824", // times two workers
        "HELLO, 88, 0", // workers per process
        "HELLO, 88, 4097",
        "HELLO, 92, -1", // expected process index
        "HELLO, 144, 1023", // frame limit
        "HELLO, 144, 1073741825",
        "HELLO, 168, -1", // former process index
        "HELLO, 168, 5",
        "HELLO, 172, 0", // former process count
        "HELLO, 172, 1073741824", // times three workers
        "HELLO, 176, 0", // former workers per process
        "HELLO, 176, 4097",
        "HEARTBEAT, 88, -1", // worker count
        "HEARTBEAT, 88, 4097",
        "ABORT, 48, 0", // kind
        "ABORT, 48, 11",
        "ABORT, 52, -1", // failed process
        "ABORT, 56, -2", // failed worker
        "ABORT, 60, -1", // seen by
        "REFUSE, 48, 0", // reason
        "REFUSE, 48, 12",
        "REFUSE, 64, -1", // process index
        "REJECT, 56, 4", // policy
        "REJECT, 60, -1", // retry after
        "CANCEL, 56, 0", // origin
        "CANCELLED, 56, 4", // answer
        "WAIT, 72, 0", // state
        "WAIT, 72, 4",
        "WAIT, 72, -1",
        "FATE, 48, -1", // process
        "FATE, 52, 0", // word
        "FATE, 52, 4",
        "FATE, 52, 1", // a completed one has no canceller
        "FATE, 56, -1", // cancelled by nobody
        "FATE, 60, -2",
        "'FATE, failed', 56, 0", // a failed one has no canceller
        "'FATE, failed', 60, 0",
        "'FATE, failed', 72, 0", // kind of cause
        "'FATE, failed', 76, -1", // failed process
    })
    void shouldRefuseNumbersOutsideTheirRangeOrSet(final String name, final int offset, final int value) {
        assertThat(judge(withInt(name, offset, value))).isEqualTo(FrameFault.BAD_VALUE);
    }

    /** Case 40: reserved fields of the payloads. */
    @ParameterizedTest
    @CsvSource({
        "HELLO, 148", // settings
        "HEARTBEAT, 92",
        "CANCELLED, 60",
        "NOTICE, 52",
        "REJECT, 68",
        "FATE, 68",
        "'FATE, failed', 68",
    })
    void shouldRefuseEachReservedBit(final String name, final int offset) {
        final int before = golden(name).getInt(offset, LITTLE_ENDIAN);
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            if ((before & 1 << bit) == 0 && !(name.equals("HELLO") && bit == 0)) {
                assertThat(judge(withInt(name, offset, before | 1 << bit))).isEqualTo(FrameFault.RESERVED_BITS);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ABORT, 110",
        "WAIT, 78",
        "'WAIT, stalled', 78",
        "REFUSE, 70",
        "REJECT, 66",
        "CANCEL, 62",
        "'FATE, failed', 134"
    })
    void shouldRefuseReservedShorts(final String name, final int offset) {
        assertThat(judge(withShort(name, offset, 0x8000))).isEqualTo(FrameFault.RESERVED_BITS);
    }

    /** Lengths of texts and counts that do not add up to the frame length. */
    @ParameterizedTest
    @CsvSource({
        "HELLO, 180, 8",
        "HELLO, 182, 65535",
        "HELLO, 184, 0",
        "HELLO, 186, 1", // extension
        "WAIT, 76, 1",
        "'WAIT, stalled', 76, 14",
        "ABORT, 104, 7",
        "ABORT, 106, 65535",
        "ABORT, 108, 0",
        "REFUSE, 68, 21",
        "REFUSE, 68, 65535",
        "REJECT, 64, 0",
        "CANCEL, 60, 8",
        "FATE, 64, 0",
        "FATE, 64, 65",
        "FATE, 66, 8",
        "FATE, 66, 6",
        "'FATE, failed', 64, 1",
        "'FATE, failed', 132, 513",
        "HEARTBEAT, 88, 1",
        "HEARTBEAT, 88, 3",
    })
    void shouldRefuseLengthsThatDoNotAddUp(final String name, final int offset, final int value) {
        assertThat(judge(withShort(name, offset, value))).isEqualTo(FrameFault.BAD_PAYLOAD);
    }

    @Test
    void shouldRefuseHelloWhenMagicIsWrong() {
        assertThat(judge(withByte("HELLO", 54, '\n'))).isEqualTo(FrameFault.BAD_MAGIC);
        assertThat(describe(decoder(), withByte("HELLO", 54, '\n'))).startsWith("not a Hawser hello in HELLO");
    }

    @Test
    void shouldLetHelloOfAnotherVersionPassSoThatItCanBeAnswered() {
        final UnsafeBuffer frame = golden("HELLO");
        frame.putShort(56, (short) 2, LITTLE_ENDIAN);
        frame.putShort(58, (short) 3, LITTLE_ENDIAN);
        frame.putInt(148, -1);
        frame.putShort(180, (short) -1);
        assertThat(judge(Frames.reseal(frame))).isEqualTo(FrameFault.NONE);
        final HelloFlyweight hello = new HelloFlyweight().wrap(frame, 48, 166);
        assertThat(hello.isSameVersion()).isFalse();
        assertThat(hello.lowestVersion()).isEqualTo(2);
        assertThat(hello.highestVersion()).isEqualTo(3);
        assertThat(judge(withShort("HELLO", 56, 2))).as("lowest above highest").isEqualTo(FrameFault.BAD_VALUE);
    }

    @Test
    void shouldSkipTheExtensionOfAHello() {
        final UnsafeBuffer frame = withShort("HELLO", 184, 3);
        frame.putShort(186, (short) 10, LITTLE_ENDIAN);
        frame.putByte(213, (byte) 0xFF);
        assertThat(judge(Frames.reseal(frame))).isEqualTo(FrameFault.NONE);
        assertThat(new HelloFlyweight().wrap(frame, 48, 166).address()).isEqualTo("10.");
    }

    @Test
    void shouldCarryTextsOfTheGreatestLength() {
        final String name = "n".repeat(255);
        final UnsafeBuffer frame = Frames.hello(name, name, name);
        assertThat(judge(frame)).isEqualTo(FrameFault.NONE);
        final HelloFlyweight hello = new HelloFlyweight().wrap(frame, 48, HelloFlyweight.MAX_LENGTH);
        assertThat(hello.clusterId()).isEqualTo(name);
        assertThat(hello.hostName()).isEqualTo(name);
        assertThat(hello.address()).isEqualTo(name);
    }

    @Test
    void shouldCutLongTextsAtCodePoints() {
        final UnsafeBuffer frame = Frames.hello("n".repeat(300), "ü".repeat(200), "😀".repeat(100));
        assertThat(judge(frame)).isEqualTo(FrameFault.NONE);
        final HelloFlyweight hello = new HelloFlyweight()
                .wrap(frame, 48, new FrameHeaderFlyweight().wrap(frame, 0).payloadLength());
        assertThat(hello.clusterId()).isEqualTo("n".repeat(255));
        assertThat(hello.hostName()).isEqualTo("ü".repeat(127));
        assertThat(hello.address()).isEqualTo("😀".repeat(63));
    }

    @Test
    void shouldRefuseHelloWithoutClusterId() {
        assertThat(judge(Frames.hello("", "host", "address"))).isEqualTo(FrameFault.BAD_PAYLOAD);
        assertThat(judge(Frames.hello("c", "", null))).isEqualTo(FrameFault.NONE);
    }

    @Test
    void shouldRefuseHelloWhenATextIsNotUtf8() {
        assertThat(judge(withByte("HELLO", 188, 0xFF))).isEqualTo(FrameFault.BAD_TEXT);
        assertThat(judge(withByte("HELLO", 213, 0xC3))).isEqualTo(FrameFault.BAD_TEXT);
        final UnsafeBuffer acrossTexts = golden("HELLO");
        acrossTexts.putByte(194, (byte) 0xC3);
        acrossTexts.putByte(195, (byte) 0xBC);
        assertThat(judge(Frames.reseal(acrossTexts))).isEqualTo(FrameFault.BAD_TEXT);
    }

    @Test
    void shouldReplaceWhatIsNotUtf8WhenTheReasonMattersMore() {
        final UnsafeBuffer abort = withByte("ABORT", 112, 0xFF);
        assertThat(judge(abort)).isEqualTo(FrameFault.NONE);
        assertThat(new AbortFlyweight().wrap(abort, 48, 106).hostName()).isEqualTo("\uFFFDode-c");
        final UnsafeBuffer refuse = withByte("REFUSE", 72, 0xFF);
        assertThat(judge(refuse)).isEqualTo(FrameFault.NONE);
        assertThat(new RefuseFlyweight().wrap(refuse, 48, 44).text()).isEqualTo("\uFFFDeneration 7 is over");
    }

    @Test
    void shouldSayTheValuesWhenDescribing() {
        assertThat(describe(decoder(), withInt("REFUSE", 48, 77)))
                .startsWith("value outside its range in REFUSE frameLength=92")
                .endsWith(", payload REFUSE reason=77 lowestVersion=1 highestVersion=1 generation=8 processIndex=1");
        assertThat(describe(decoder(), withInt("CANCELLED", 60, 5)))
                .endsWith("payload CANCELLED attemptId=77 answer=2");
        assertThat(describe(decoder(), withInt("WAIT", 72, 4)))
                .endsWith("payload WAIT waitNumber=5 waitedNs=2000000000 bytesWanted=70000 state=4");
    }

    @Test
    void shouldRefuseFragmentsThatContradictTheirMessageLength() {
        final String first = "DATA, first fragment";
        assertThat(judge(withLong(first, 48, 7))).isEqualTo(FrameFault.NONE);
        assertThat(judge(withLong(first, 48, 6))).isEqualTo(FrameFault.BAD_FRAGMENT);
        assertThat(judge(withLong(first, 48, 0))).isEqualTo(FrameFault.BAD_FRAGMENT);
        assertThat(judge(withLong(first, 48, -1))).isEqualTo(FrameFault.BAD_FRAGMENT);
        final UnsafeBuffer empty = new UnsafeBuffer(withInt(first, 0, 56), 0, 56);
        assertThat(judge(Frames.reseal(empty))).isEqualTo(FrameFault.BAD_FRAGMENT);
    }
}
