package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What is allowed here fits a frame, and not one byte more would. */
class AdmissionFramesTest {
    private static final int FRAME_LIMIT = 8_000;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * FRAME_LIMIT]);
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[FRAME_LIMIT]);
    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder().agreed(FRAME_LIMIT, true);

    @Test
    void shouldFitAFrameWhenThePayloadOfAQuestionIsAsLongAsMayBe() {
        encoder.start(buffer, 0).attemptId(1).opaque(bytes, 0, StartRequest.PAYLOAD_MAX);
        assertThat(isLetPass(encoder.end())).isTrue();
        assertThatThrownBy(() -> encoder.start(buffer, 0).opaque(bytes, 0, StartRequest.PAYLOAD_MAX + 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldFitAFrameWhenAPlanIsAsLongAsMayBe() {
        encoder.go(buffer, 0).attemptId(1).opaque(bytes, 0, PlanDescriptor.lengthMax(FRAME_LIMIT));
        assertThat(isLetPass(encoder.end())).isTrue();
        encoder.go(buffer, 0).attemptId(1).opaque(bytes, 0, PlanDescriptor.lengthMax(FRAME_LIMIT) + 1);
        assertThat(isLetPass(encoder.end())).isFalse();
    }

    private boolean isLetPass(final int alignedLength) {
        encoder.seal(buffer, 0, 0);
        return decoder.decode(buffer, 0, alignedLength) == alignedLength;
    }
}
