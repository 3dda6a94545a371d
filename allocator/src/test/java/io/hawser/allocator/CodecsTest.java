package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecsTest {
    private static final int OFFSET = 4;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 42, Long.MIN_VALUE, Long.MAX_VALUE})
    void shouldKeepNumberWhenEncodedAndDecoded(final long number) {
        assertThat(roundTrip(Codecs.int64(), number)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.0, 1.5, Double.MIN_VALUE, Double.NEGATIVE_INFINITY, Double.NaN})
    void shouldKeepFractionWhenEncodedAndDecoded(final double number) {
        assertThat(roundTrip(Codecs.float64(), number)).isEqualTo(Double.valueOf(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hawser", "Trosse ß", "\u7ef3\u7d22", "\ud83d\udea2 mixed \u00e9", "a\u0000b"})
    void shouldKeepTextWhenEncodedAndDecoded(final String text) {
        assertThat(roundTrip(Codecs.utf8(), text)).isEqualTo(text);
        assertThat(Codecs.utf8().encodedLength(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "x\udea2", "\udea2\ud83d", "\u00e9\ud83d"})
    void shouldPutQuestionMarkWhenPairOfSurrogatesIsBroken(final String text) {
        final String expected = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);

        assertThat(roundTrip(Codecs.utf8(), text)).isEqualTo(expected);
    }

    @Test
    void shouldKeepBytesWhenEncodedAndDecoded() {
        assertThat(roundTrip(Codecs.bytes(), new byte[] {1, -2, 3})).containsExactly(1, -2, 3);
        assertThat(roundTrip(Codecs.bytes(), new byte[0])).isEmpty();
    }

    @Test
    void shouldRefuseMessageWhenLengthIsThatOfAnotherType() {
        assertThatThrownBy(() -> Codecs.int64().decode(buffer, 0, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expectedLength=8 length=4");
        assertThatThrownBy(() -> Codecs.float64().decode(buffer, 0, 9)).isInstanceOf(IllegalArgumentException.class);
    }

    private <T> T roundTrip(final Codec<T> codec, final T message) {
        final int length = codec.encodedLength(message);
        codec.encode(message, buffer, OFFSET, length);
        return codec.decode(buffer, OFFSET, length);
    }
}
