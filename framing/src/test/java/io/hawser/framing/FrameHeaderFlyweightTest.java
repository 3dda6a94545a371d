package io.hawser.framing;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FrameHeaderFlyweightTest {

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(buffer, 8);

    @Test
    void shouldReadWhatWasPutInEveryField() {
        header.frameLength(0x7FFF_FFF1)
                .version(0xF2)
                .typeNumber(0xF3)
                .flags(0xFFF4)
                .scopeId(-5)
                .sequence(-6)
                .channelId(-7)
                .sourceWorker(-8)
                .targets(-9, -10)
                .payloadCheck(-11)
                .headerCheck(-12);
        assertThat(header.frameLength()).isEqualTo(0x7FFF_FFF1);
        assertThat(header.version()).isEqualTo(0xF2);
        assertThat(header.typeNumber()).isEqualTo(0xF3);
        assertThat(header.type()).isNull();
        assertThat(header.flags()).isEqualTo(0xFFF4);
        assertThat(header.scopeId()).isEqualTo(-5);
        assertThat(header.sequence()).isEqualTo(-6);
        assertThat(header.channelId()).isEqualTo(-7);
        assertThat(header.sourceWorker()).isEqualTo(-8);
        assertThat(header.firstTargetWorker()).isEqualTo(-9);
        assertThat(header.targetWorkerCount()).isEqualTo(-10);
        assertThat(header.payloadCheck()).isEqualTo(-11);
        assertThat(header.headerCheck()).isEqualTo(-12);
    }

    @Test
    void shouldStayWithinItsHeaderWhenPutting() {
        header.frameLength(-1).scopeId(-1).headerCheck(-1);
        assertThat(buffer.getLong(0)).isZero();
        assertThat(buffer.getLong(56)).isZero();
    }

    @Test
    void shouldRoundUpToEightWhenAligning() {
        assertThat(FrameHeaderFlyweight.alignedLength(48)).isEqualTo(48);
        assertThat(FrameHeaderFlyweight.alignedLength(49)).isEqualTo(56);
        assertThat(FrameHeaderFlyweight.alignedLength(55)).isEqualTo(56);
        assertThat(FrameHeaderFlyweight.alignedLength(FrameType.FRAME_LIMIT_MAX))
                .isEqualTo(FrameType.FRAME_LIMIT_MAX);
    }

    @Test
    void shouldDescribeItselfWithNamesAndValues() {
        header.frameLength(64).type(FrameType.READY).flags(FrameFlags.CHECKED).sequence(3);
        assertThat(header.toString()).startsWith("READY frameLength=64 flags=0x4 scopeId=0 sequence=3");
        assertThat(header.typeNumber(99).toString()).startsWith("type 99 frameLength=64");
        assertThat(new FrameHeaderFlyweight().toString()).isEqualTo("header (not wrapped)");
        assertThat(new ReadyFlyweight().toString()).isEqualTo("READY (not wrapped)");
    }
}
