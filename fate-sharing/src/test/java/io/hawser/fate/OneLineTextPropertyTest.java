package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Law L11: text from strangers costs bounded memory and forges nothing. */
class OneLineTextPropertyTest {
    @Property(tries = 1_000)
    void shouldFitTheWireAndOneLogLineWhateverComes(@ForAll String text, @ForAll @IntRange(max = 40) int maxBytes)
            throws CharacterCodingException {
        String line = OneLineText.of(text, maxBytes);

        // a fresh encoder reports unpaired surrogates instead of replacing them
        int byteCount = StandardCharsets.UTF_8
                .newEncoder()
                .encode(CharBuffer.wrap(line))
                .remaining();
        assertThat(byteCount).isLessThanOrEqualTo(maxBytes);
        assertThat(line.codePoints()).noneMatch(Character::isISOControl).noneMatch(c -> c == 0x2028 || c == 0x2029);
        assertThat(OneLineText.of(line, maxBytes)).isEqualTo(line);
    }

    @Example
    void shouldCutBetweenCodePointsWhenTooLong() {
        assertThat(OneLineText.of("ab\u00e9", 3)).isEqualTo("ab");
        assertThat(OneLineText.of("a\ud83d\ude00b", 4)).isEqualTo("a");
        assertThat(OneLineText.of("a\ud83d\ude00b", 5)).isEqualTo("a\ud83d\ude00");
        assertThat(OneLineText.of("x".repeat(5_000), Cause.MAX_SEEN_BYTES)).hasSize(Cause.MAX_SEEN_BYTES);
    }

    @Example
    void shouldReplaceWhatUnicodeForbidsWhenSurrogatesAreAlone() {
        assertThat(OneLineText.of("a\ud83d", 10)).isEqualTo("a?");
        assertThat(OneLineText.of("\ude00a", 10)).isEqualTo("?a");
        assertThat(OneLineText.of((String) null, 10)).isEmpty();
    }

    @Example
    void shouldReadAsDecimalsWhenASpanIsPrinted() {
        assertThat(Elapsed.text(0)).isEqualTo("0.000 ms");
        assertThat(Elapsed.text(45_999)).isEqualTo("0.045 ms");
        assertThat(Elapsed.text(999_999_999)).isEqualTo("999.999 ms");
        assertThat(Elapsed.text(1_000_000_000)).isEqualTo("1.000 s");
        assertThat(Elapsed.text(Long.MAX_VALUE)).isEqualTo("9223372036.854 s");
    }
}
