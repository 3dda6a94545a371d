package io.hawser.framing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FrameEncoderTest {

    private final FrameEncoder encoder = new FrameEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);

    @Test
    void shouldSealTheSameWhenThePayloadCheckCameBefore() {
        final UnsafeBuffer frame = Frames.golden("DATA, two records");
        final UnsafeBuffer twin = Frames.golden("DATA, two records");
        encoder.seal(frame, 0, 12);
        final int payloadCheck = new FrameEncoder().payloadCheck(twin, 0);
        encoder.seal(twin, 0, 12, payloadCheck);
        assertThat(twin.byteArray()).isEqualTo(frame.byteArray());
        assertThat(Frames.judge(frame)).isEqualTo(FrameFault.NONE);
        assertThat(new FrameHeaderFlyweight().wrap(frame, 0).sequence()).isEqualTo(12);
    }

    @Test
    void shouldCarryNoPayloadCheckWhenFrameIsNotChecked() {
        assertThat(encoder.payloadCheck(Frames.golden("DATA, last fragment, unchecked"), 0))
                .isZero();
    }

    @Test
    void shouldTouchNothingOutsideTheFrameWhenEncodingInTheMiddle() {
        buffer.setMemory(0, 256, (byte) 0x5A);
        encoder.ready(buffer, 64).generation(1);
        final int alignedLength = encoder.end();
        encoder.seal(buffer, 64, 0);
        for (int i = 0; i < 256; i++) {
            if (i < 64 || i >= 64 + alignedLength) {
                assertThat(buffer.getByte(i)).isEqualTo((byte) 0x5A);
            }
        }
        assertThat(Frames.decoder().decode(buffer, 64, 256)).isEqualTo(alignedLength);
    }

    @Test
    void shouldComplainWhenEndedWithoutBeginning() {
        assertThatThrownBy(encoder::end).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> encoder.end(8)).isInstanceOf(IllegalStateException.class);
        encoder.ready(buffer, 0);
        encoder.end();
        assertThatThrownBy(encoder::end).isInstanceOf(IllegalStateException.class);
        encoder.data(buffer, 0, FrameFlags.RECORDS | FrameFlags.LAST);
        assertThatThrownBy(encoder::end).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldComplainWhenTheFrameDoesNotFitItsBuffer() {
        final UnsafeBuffer small = new UnsafeBuffer(new byte[80]);
        assertThatThrownBy(() -> encoder.hello(small, 0, false)).isInstanceOf(IndexOutOfBoundsException.class);
        final NoticeFlyweight notice = encoder.notice(small, 0);
        assertThatThrownBy(() -> notice.opaque(buffer, 0, 40)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldForgetTheOpaqueBytesOfTheFrameBefore() {
        encoder.notice(buffer, 0).opaque(buffer, 0, 40);
        assertThat(encoder.end()).isEqualTo(96);
        encoder.notice(buffer, 0);
        assertThat(encoder.end()).isEqualTo(56);
    }
}
