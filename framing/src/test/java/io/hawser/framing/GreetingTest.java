package io.hawser.framing;

import static io.hawser.framing.Frames.describe;
import static io.hawser.framing.Frames.golden;
import static io.hawser.framing.Frames.withInt;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection may send before it is known. Case 10: garbage costs 8 bytes and nothing else. */
class GreetingTest {

    private final FrameDecoder decoder = new FrameDecoder();

    @ParameterizedTest
    @ValueSource(strings = {"HELLO", "HELLO, REPLY", "REFUSE"})
    void shouldAcceptGreetings(final String name) {
        final UnsafeBuffer frame = golden(name);
        assertThat(decoder.decode(frame, 0, frame.capacity())).isEqualTo(frame.capacity());
    }

    @ParameterizedTest
    @EnumSource(FrameType.class)
    void shouldRefuseEveryOtherType(final FrameType type) {
        if (type.isGreeting()) {
            return;
        }
        final UnsafeBuffer frame = golden(type == FrameType.DATA ? "DATA, two records" : type.name());
        assertThat(judge(frame)).isEqualTo(FrameFault.NOT_GREETING);
        assertThat(describe(decoder, frame)).isEqualTo(type + " before the greeting");
    }

    /** Cases 10 and 35: magic and checks are right, the length is huge. */
    @ParameterizedTest
    @ValueSource(ints = {0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 2_049, 188, 0})
    void shouldRefuseLengthByFirstEightBytes(final int frameLength) {
        final UnsafeBuffer frame = withInt("HELLO", 0, frameLength);
        final String bound = frameLength > 2_048 ? " exceeds limit 2048" : " is below the least 189";
        assertThat(describe(decoder, frame)).isEqualTo("frame length " + frameLength + bound);
        assertThat(FrameFault.of(decoder.decode(frame, 0, 8))).isEqualTo(FrameFault.NOT_GREETING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001" + "\u0000\u0001"
            })
    void shouldRefuseForeignProtocolsByFirstEightBytes(final String bytes) {
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes.getBytes(ISO_8859_1));
        assertThat(decoder.decode(buffer, 0, 7)).isZero();
        assertThat(decoder.requiredLength()).isEqualTo(8);
        assertThat(FrameFault.of(decoder.decode(buffer, 0, 8))).isEqualTo(FrameFault.NOT_GREETING);
        assertThat(describe(decoder, buffer)).startsWith("not the start of a hello, first bytes \"");
    }

    @Test
    void shouldRefuseReservedFlagsByFirstEightBytes() {
        final UnsafeBuffer frame = Frames.withShort("HELLO", FrameHeaderFlyweight.FLAGS_OFFSET, 0x8004);
        assertThat(FrameFault.of(decoder.decode(frame, 0, 8))).isEqualTo(FrameFault.NOT_GREETING);
        assertThat(describe(decoder, frame)).isEqualTo("reserved bits set in HELLO flags=0x8004");
    }

    @Test
    void shouldGiveTheSameVerdictWhereverTheBytesAreSplit() {
        final UnsafeBuffer frame = withInt("HELLO", 0, 0x7FFF_FFFF);
        for (int split = 0; split <= frame.capacity(); split++) {
            final StreamDecoder stream = new StreamDecoder(new FrameDecoder());
            stream.feed(frame, 0, split, (header, buffer, offset, length) -> {});
            stream.feed(frame, split, frame.capacity() - split, (header, buffer, offset, length) -> {});
            assertThat(stream.fault()).isEqualTo(FrameFault.NOT_GREETING);
            assertThat(stream.faultText()).isEqualTo("frame length 2147483647 exceeds limit 2048 at stream offset 0");
        }
    }

    @Test
    void shouldAskForEightBytesThenHeaderThenFrame() {
        final UnsafeBuffer frame = golden("HELLO");
        for (int available = 0; available < frame.capacity(); available++) {
            assertThat(decoder.decode(frame, 0, available)).isZero();
            assertThat(decoder.requiredLength()).isEqualTo(available < 8 ? 8 : available < 48 ? 48 : frame.capacity());
        }
    }

    @Test
    void shouldReturnToGreetingWhenAsked() {
        final UnsafeBuffer ready = golden("READY");
        decoder.agreed(Frames.FRAME_LIMIT, false);
        assertThat(judge(ready)).isEqualTo(FrameFault.NONE);
        decoder.greeting();
        assertThat(judge(ready)).isEqualTo(FrameFault.NOT_GREETING);
    }

    private FrameFault judge(final UnsafeBuffer frame) {
        return FrameFault.of(decoder.decode(frame, 0, frame.capacity()));
    }
}
