package io.hawser.framing;

import static io.hawser.framing.FrameHeaderFlyweight.CHANNEL_ID_OFFSET;
import static io.hawser.framing.FrameHeaderFlyweight.FIRST_TARGET_WORKER_OFFSET;
import static io.hawser.framing.FrameHeaderFlyweight.FLAGS_OFFSET;
import static io.hawser.framing.FrameHeaderFlyweight.FRAME_LENGTH_OFFSET;
import static io.hawser.framing.FrameHeaderFlyweight.SOURCE_WORKER_OFFSET;
import static io.hawser.framing.FrameHeaderFlyweight.TARGET_WORKER_COUNT_OFFSET;
import static io.hawser.framing.FrameHeaderFlyweight.TYPE_OFFSET;
import static io.hawser.framing.FrameHeaderFlyweight.VERSION_OFFSET;
import static io.hawser.framing.Frames.FRAME_LIMIT;
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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {

    private static final String DATA = "DATA, two records";
    private static final String LAST = "DATA, LAST";

    @Test
    void shouldAskForHeaderThenForFrameWhenBytesAreMissing() {
        final UnsafeBuffer frame = golden(DATA);
        final FrameDecoder decoder = decoder();
        for (int available = 0; available < frame.capacity(); available++) {
            assertThat(decoder.decode(frame, 0, available)).isZero();
            assertThat(decoder.requiredLength()).isEqualTo(available < 48 ? 48 : frame.capacity());
        }
        assertThat(decoder.decode(frame, 0, frame.capacity())).isEqualTo(frame.capacity());
    }

    /** Case 35: negative, overflowing and excessive lengths, in a header whose check is right. */
    @ParameterizedTest
    @ValueSource(ints = {0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_FFF8, FRAME_LIMIT + 1, FRAME_LIMIT + 8})
    void shouldRefuseLengthWhenItIsNegativeOrBeyondTheLimit(final int frameLength) {
        final UnsafeBuffer frame = withInt(DATA, FRAME_LENGTH_OFFSET, frameLength);
        assertThat(judge(frame)).isEqualTo(FrameFault.BAD_LENGTH);
        final String limit = frameLength < 0 ? " is below the least 49" : " exceeds limit " + FRAME_LIMIT;
        assertThat(describe(decoder(), frame)).isEqualTo("frame length " + frameLength + limit + " of DATA");
    }

    @ParameterizedTest
    @EnumSource(FrameType.class)
    void shouldRefuseLengthWhenItIsOutsideTheBoundsOfItsType(final FrameType type) {
        final UnsafeBuffer frame = golden(
                type == FrameType.DATA ? DATA : GoldenVectors.named(type.name()).name());
        new FrameHeaderFlyweight().wrap(frame, 0).frameLength(type.minLength() - 1);
        assertThat(judge(Frames.reseal(frame))).isEqualTo(FrameFault.BAD_LENGTH);
        new FrameHeaderFlyweight().wrap(frame, 0).frameLength(type.maxLength(FRAME_LIMIT) + 1);
        assertThat(judge(Frames.reseal(frame))).isEqualTo(FrameFault.BAD_LENGTH);
        new FrameHeaderFlyweight().wrap(frame, 0).frameLength(type.maxLength(FRAME_LIMIT));
        assertThat(judge(Frames.reseal(frame))).isNotEqualTo(FrameFault.BAD_LENGTH);
    }

    /** The length of a header that is not verified is not believed, not even to ask for more bytes. */
    @Test
    void shouldRefuseHeaderBeforeLengthWhenItsCheckIsWrong() {
        final UnsafeBuffer frame = golden(DATA);
        frame.putInt(FRAME_LENGTH_OFFSET, 0x7FFF_FFFF);
        assertThat(judge(frame)).isEqualTo(FrameFault.BAD_HEADER_CHECK);
        assertThat(describe(decoder(), frame)).startsWith("bad header check, first bytes \"\\xff\\xff\\xff\\x7f\\x01");
    }

    /** Case 40. */
    @ParameterizedTest
    @ValueSource(ints = {0, 18, 99, 127, 128, 255})
    void shouldRefuseTypeWhenItsNumberIsUnknown(final int number) {
        final UnsafeBuffer frame = withByte(DATA, TYPE_OFFSET, number);
        assertThat(judge(frame)).isEqualTo(FrameFault.UNKNOWN_TYPE);
        assertThat(describe(decoder(), frame)).isEqualTo("unknown frame type " + number);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 255})
    void shouldRefuseVersionWhenItIsNotOne(final int version) {
        final UnsafeBuffer frame = withByte("HELLO", VERSION_OFFSET, version);
        assertThat(judge(frame)).isEqualTo(FrameFault.BAD_VERSION);
        assertThat(describe(decoder(), frame)).isEqualTo("bad version " + version + ", spoken here is 1");
    }

    /** Case 40: each flag bit that the type may not carry, one by one. */
    @ParameterizedTest
    @EnumSource(FrameType.class)
    void shouldRefuseEachReservedFlagOfEveryType(final FrameType type) {
        final String name = type == FrameType.DATA ? DATA : type.name();
        final int flags = new FrameHeaderFlyweight().wrap(golden(name), 0).flags();
        for (int bit = 0; bit < Short.SIZE; bit++) {
            final boolean isReserved = (type.allowedFlags() & 1 << bit) == 0;
            if (isReserved) {
                final UnsafeBuffer frame = withShort(name, FLAGS_OFFSET, flags | 1 << bit);
                assertThat(judge(frame)).isEqualTo(FrameFault.RESERVED_BITS);
                assertThat(describe(decoder(), frame))
                        .startsWith("reserved bits set in " + type)
                        .contains("flags=0x" + Integer.toHexString(flags | 1 << bit));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x8000_0000, 0xFFFF_FFFF, 0x7FFF_FFFF, 47, 0})
    void shouldDescribeReservedFlagsWhenTheLengthIsWrongToo(final int frameLength) {
        final UnsafeBuffer frame = withShort("READY", FLAGS_OFFSET, 0x8004);
        new FrameHeaderFlyweight().wrap(frame, 0).frameLength(frameLength);
        assertThat(describe(decoder(), Frames.reseal(frame)))
                .startsWith("reserved bits set in READY frameLength=" + frameLength + " flags=0x8004");
    }

    @Test
    void shouldDemandCheckedExactlyAsAgreed() {
        final UnsafeBuffer checked = golden(DATA);
        final UnsafeBuffer unchecked = withShort(DATA, FLAGS_OFFSET, FrameFlags.RECORDS);
        final FrameDecoder withoutChecks = new FrameDecoder().agreed(FRAME_LIMIT, false);
        assertThat(judge(unchecked)).isEqualTo(FrameFault.BAD_CHECKED_FLAG);
        assertThat(withoutChecks.decode(unchecked, 0, unchecked.capacity())).isEqualTo(unchecked.capacity());
        assertThat(FrameFault.of(withoutChecks.decode(checked, 0, checked.capacity())))
                .isEqualTo(FrameFault.BAD_CHECKED_FLAG);
        final UnsafeBuffer ready = withShort("READY", FLAGS_OFFSET, 0);
        assertThat(FrameFault.of(withoutChecks.decode(ready, 0, ready.capacity())))
                .isEqualTo(FrameFault.BAD_CHECKED_FLAG);
    }

    @Test
    void shouldRefusePayloadCheckWhenFrameIsNotChecked() {
        final UnsafeBuffer frame = golden("DATA, last fragment, unchecked");
        final Crc32cCheck check = new Crc32cCheck();
        new FrameHeaderFlyweight().wrap(frame, 0).payloadCheck(1).headerCheck(0);
        frame.putInt(44, check.compute(frame, 0, 44), LITTLE_ENDIAN);
        final FrameDecoder decoder = new FrameDecoder().agreed(FRAME_LIMIT, false);
        assertThat(describe(decoder, frame)).endsWith("payloadCheck=0x1 computed=0x0");
    }

    /** Case 40: a channel that cannot be, and targets whose range overflows. */
    @Test
    void shouldRefuseAddressesThatTheTypeCannotHave() {
        assertThat(judge(withInt(DATA, CHANNEL_ID_OFFSET, -1))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt("CREDIT", CHANNEL_ID_OFFSET, -1))).isEqualTo(FrameFault.NONE); // of notices
        assertThat(judge(withInt("CREDIT", CHANNEL_ID_OFFSET, -2))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt("CANCEL", CHANNEL_ID_OFFSET, -1))).isEqualTo(FrameFault.NONE);
        assertThat(judge(withInt("CANCEL", CHANNEL_ID_OFFSET, -2))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt("READY", CHANNEL_ID_OFFSET, 0))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt("WAIT", CHANNEL_ID_OFFSET, 0))).isEqualTo(FrameFault.NONE);
        assertThat(judge(withInt("WAIT", CHANNEL_ID_OFFSET, -1))).isEqualTo(FrameFault.NONE); // of a stall
        assertThat(judge(withInt("WAIT", CHANNEL_ID_OFFSET, -2))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt("WAIT", SOURCE_WORKER_OFFSET, -1))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withLong("WAIT", FIRST_TARGET_WORKER_OFFSET, 0xFFFF_FFFFL)))
                .as("nobody to wait for")
                .isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt(DATA, SOURCE_WORKER_OFFSET, -2))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt(DATA, FIRST_TARGET_WORKER_OFFSET, -1))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt(DATA, FIRST_TARGET_WORKER_OFFSET, Integer.MAX_VALUE)))
                .isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt(DATA, TARGET_WORKER_COUNT_OFFSET, -1))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(judge(withInt(DATA, TARGET_WORKER_COUNT_OFFSET, 0))).isEqualTo(FrameFault.BAD_ADDRESS);
        assertThat(describe(decoder(), withInt(DATA, CHANNEL_ID_OFFSET, -1)))
                .startsWith("bad channel, source or targets in DATA")
                .contains(" channelId=-1 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {DATA, "HELLO", "DATA, last fragment, unchecked"})
    void shouldRefusePaddingWhenItIsNotZero(final String name) {
        final UnsafeBuffer frame = golden(name);
        final boolean isChecked = GoldenVectors.named(name).isChecked();
        final FrameDecoder decoder = new FrameDecoder().agreed(FRAME_LIMIT, isChecked);
        final int frameLength = new FrameHeaderFlyweight().wrap(frame, 0).frameLength();
        for (int i = frameLength; i < frame.capacity(); i++) {
            frame.putByte(i, (byte) 1);
            final int result = decoder.decode(Frames.reseal(frame), 0, frame.capacity());
            assertThat(FrameFault.of(result)).isEqualTo(FrameFault.BAD_PADDING);
            frame.putByte(i, (byte) 0);
        }
        assertThat(decoder.decode(Frames.reseal(frame), 0, frame.capacity())).isEqualTo(frame.capacity());
    }

    @Test
    void shouldWalkRecordsOnlyWhenAsked() {
        final UnsafeBuffer frame = withInt(DATA, 48, 7_000);
        assertThat(judge(frame)).isEqualTo(FrameFault.BAD_RECORDS);
        final FrameDecoder decoder = new FrameDecoder().agreed(FRAME_LIMIT, true);
        assertThat(decoder.decode(frame, 0, frame.capacity())).isEqualTo(frame.capacity());
    }

    /** Nothing more comes on the lane: the only DATA frame that may be empty. */
    @Test
    void shouldTakeAnEmptyPayloadOnlyWithLast() {
        final UnsafeBuffer last = golden(LAST);
        assertThat(last.capacity()).isEqualTo(48);
        assertThat(judge(last)).isEqualTo(FrameFault.NONE);
        assertThat(new FrameDecoder().agreed(FRAME_LIMIT, true).decode(last, 0, 48))
                .isEqualTo(48);
        final UnsafeBuffer empty = withShort(LAST, FLAGS_OFFSET, FrameFlags.RECORDS | FrameFlags.CHECKED);
        assertThat(judge(empty)).isEqualTo(FrameFault.BAD_LENGTH);
        assertThat(describe(decoder(), empty)).isEqualTo("frame length 48 is below the least 49 of DATA");
        final UnsafeBuffer shorter = withInt(LAST, FRAME_LENGTH_OFFSET, 47);
        assertThat(describe(decoder(), shorter)).isEqualTo("frame length 47 is below the least 48 of DATA");
        assertThat(judge(withInt(LAST, CHANNEL_ID_OFFSET, -1))).isEqualTo(FrameFault.BAD_ADDRESS);
    }

    @Test
    void shouldTakeLastWithRecordsToo() {
        final int flags = FrameFlags.RECORDS | FrameFlags.CHECKED | FrameFlags.LAST;
        final UnsafeBuffer frame = withShort(DATA, FLAGS_OFFSET, flags);
        assertThat(judge(frame)).isEqualTo(FrameFault.NONE);
        frame.putInt(48, 7_000, LITTLE_ENDIAN);
        assertThat(judge(Frames.reseal(frame))).isEqualTo(FrameFault.BAD_RECORDS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, FrameFlags.BEGIN, FrameFlags.END})
    void shouldRefuseLastOnAFragment(final int ends) {
        final int flags = ends | FrameFlags.CHECKED | FrameFlags.LAST;
        final UnsafeBuffer frame = withShort("DATA, middle fragment", FLAGS_OFFSET, flags);
        assertThat(judge(frame)).isEqualTo(FrameFault.RESERVED_BITS);
        assertThat(judge(withShort(LAST, FLAGS_OFFSET, flags))).isEqualTo(FrameFault.RESERVED_BITS);
        assertThat(describe(decoder(), frame)).contains("flags=0x" + Integer.toHexString(flags));
    }

    @Test
    void shouldDecodeAtAnyOffsetWhenBytesAroundAreForeign() {
        final UnsafeBuffer frame = golden(DATA);
        final UnsafeBuffer around = new UnsafeBuffer(new byte[frame.capacity() + 32]);
        around.setMemory(0, around.capacity(), (byte) 0xEE);
        around.putBytes(13, frame, 0, frame.capacity());
        assertThat(decoder().decode(around, 13, around.capacity())).isEqualTo(frame.capacity());
        assertThat(decoder().decode(around, 13, 13 + frame.capacity())).isEqualTo(frame.capacity());
        assertThat(decoder().decode(around, 13, 12 + frame.capacity())).isZero();
    }

    @Test
    void shouldRefuseFrameLimitWhenItIsOutOfRange() {
        assertThatThrownBy(() -> new FrameDecoder().agreed(1_023, true)).hasMessageEndingWith("frameLimit=1023");
        assertThatThrownBy(() -> new FrameDecoder().agreed(Integer.MAX_VALUE, true))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
