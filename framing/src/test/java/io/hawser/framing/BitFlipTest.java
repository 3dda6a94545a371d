package io.hawser.framing;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Case 38: one bit flipped on the way, at every position of a frame of every type, is never delivered and never
 * waits.
 */
class BitFlipTest {

    static Stream<GoldenVector> vectors() {
        return GoldenVectors.all().stream();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldFindEveryFlippedBit(final GoldenVector vector) {
        final UnsafeBuffer frame = new UnsafeBuffer(vector.encode());
        final int frameLength = new FrameHeaderFlyweight().wrap(frame, 0).frameLength();
        final FrameDecoder decoder = vector.decoder().recordWalk(false);
        for (int bit = 0; bit < frame.capacity() * Byte.SIZE; bit++) {
            final int index = bit / Byte.SIZE;
            final boolean isGuarded = vector.isChecked() || index < HEADER_LENGTH || index >= frameLength;
            flip(frame, bit);
            if (isGuarded) {
                assertThat(FrameFault.of(decoder.decode(frame, 0, frame.capacity())))
                        .as("bit %d", bit)
                        .isEqualTo(expected(vector, index));
            }
            flip(frame, bit);
        }
        assertThat(decoder.decode(frame, 0, frame.capacity())).isEqualTo(frame.capacity());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldFindEveryFlippedBitOfTheHeaderBeforeThePayloadHasCome(final GoldenVector vector) {
        final UnsafeBuffer frame = new UnsafeBuffer(vector.encode());
        final FrameDecoder decoder = vector.decoder();
        for (int bit = 0; bit < HEADER_LENGTH * Byte.SIZE; bit++) {
            flip(frame, bit);
            assertThat(FrameFault.of(decoder.decode(frame, 0, HEADER_LENGTH))).isEqualTo(FrameFault.BAD_HEADER_CHECK);
            flip(frame, bit);
        }
    }

    private static FrameFault expected(final GoldenVector vector, final int index) {
        if (index < HEADER_LENGTH) {
            return FrameFault.BAD_HEADER_CHECK;
        }
        return vector.isChecked() ? FrameFault.BAD_PAYLOAD_CHECK : FrameFault.BAD_PADDING;
    }

    private static void flip(final UnsafeBuffer frame, final int bit) {
        final int index = bit / Byte.SIZE;
        frame.putByte(index, (byte) (frame.getByte(index) ^ 1 << bit % Byte.SIZE));
    }
}
