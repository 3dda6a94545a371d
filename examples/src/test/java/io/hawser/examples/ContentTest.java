package io.hawser.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ContentTest {
    private static final int LENGTH = 256;
    private static final long POSITION = (3L << 32) + 8;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);

    @Test
    void shouldRecognizeItsPiecesWhereverTheyAreCut() {
        Content.fill(buffer, LENGTH, POSITION);
        for (int from = 0; from < LENGTH; from++) {
            for (int to = from; to <= LENGTH; to++) {
                assertThat(Content.isRight(buffer, from, to - from, POSITION + from))
                        .as("from=%d to=%d", from, to)
                        .isTrue();
            }
        }
    }

    @Test
    void shouldNoticeEachByteThatIsWrong() {
        Content.fill(buffer, LENGTH, POSITION);
        for (int at = 3; at < LENGTH - 2; at++) {
            buffer.putByte(at, (byte) ~buffer.getByte(at));
            assertThat(Content.isRight(buffer, 3, LENGTH - 5, POSITION + 3))
                    .as("at=%d", at)
                    .isFalse();
            buffer.putByte(at, (byte) ~buffer.getByte(at));
        }
    }

    @Test
    void shouldNoticePieceFromElsewhere() {
        Content.fill(buffer, LENGTH, POSITION);
        assertThat(Content.isRight(buffer, 0, LENGTH, POSITION + 8)).isFalse();
        assertThat(Content.isRight(buffer, 0, LENGTH, POSITION + (1L << 32))).isFalse();
    }
}
