package io.hawser.jmh.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PayloadTest {
    @Test
    void shouldStampBothEnds() {
        final byte[] message = Payload.blank(64);
        Payload.stamp(message, 0x0102030405060708L, ~0x0102030405060708L);

        assertThat(message[0]).isEqualTo((byte) 8);
        assertThat(Payload.first(message)).isEqualTo(0x0102030405060708L);
        assertThat(Payload.last(message)).isEqualTo(~0x0102030405060708L);
    }

    @Test
    void shouldStampBehindALength() {
        final byte[] framed = new byte[4 + 64];
        Payload.stamp(framed, 4, 7, ~7);

        assertThat(Payload.first(framed, 4)).isEqualTo(7);
        assertThat(Payload.last(framed)).isEqualTo(~7);
    }

    @Test
    void shouldReadThePeakOfMemory() {
        assertThat(PeakMemory.parse(List.of("VmPeak:\t  999 kB", "VmHWM:\t  2048 kB", "VmRSS:\t 1 kB")))
                .isEqualTo(2);
        assertThat(PeakMemory.parse(List.of())).isNaN();
    }
}
