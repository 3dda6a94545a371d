package io.hawser.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The hand-written UTF-8 agrees with the JDK's. */
class Utf8Test {

    private final CharsetDecoder jdk = UTF_8.newDecoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);

    @Test
    void shouldEncodeEveryCodePointAsTheJdkDoes() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            final String text = new String(Character.toChars(codePoint));
            final byte[] expected = text.getBytes(UTF_8);
            final int length = Utf8.encode(text, buffer, 3, 16);
            if (!Arrays.equals(bytes(3, length), expected) || !Utf8.isValid(buffer, 3, length)) {
                assertThat(bytes(3, length)).as("code point %x", codePoint).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldReplaceHalvesOfPairs() {
        assertThat(encoded("a\uD83D", 16)).isEqualTo("a?");
        assertThat(encoded("\uDE00b", 16)).isEqualTo("?b");
        assertThat(encoded("\uD83D\uD83D\uDE00", 16)).isEqualTo("?😀");
        assertThat(encoded(null, 16)).isEmpty();
    }

    @Test
    void shouldCutAtACodePoint() {
        assertThat(encoded("añ€😀", 16)).isEqualTo("añ€😀");
        assertThat(encoded("añ€😀", 10)).isEqualTo("añ€😀");
        assertThat(encoded("añ€😀", 9)).isEqualTo("añ€");
        assertThat(encoded("añ€😀", 6)).isEqualTo("añ€");
        assertThat(encoded("añ€😀", 5)).isEqualTo("añ");
        assertThat(encoded("añ€😀", 2)).isEqualTo("a");
        assertThat(encoded("añ€😀", 0)).isEmpty();
    }

    @Test
    void shouldJudgeEveryShortSequenceAsTheJdkDoes() {
        for (int value = 0; value < 1 << 16; value++) {
            expectAgreement((byte) (value >> 8), (byte) value);
        }
    }

    @Test
    void shouldJudgeRandomSequencesAsTheJdkDoes() {
        final Random random = Seed.random("Utf8Test");
        final int[] leads = {0x41, 0x80, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5};
        for (int run = 0; run < 50_000; run++) {
            final byte[] bytes = new byte[1 + random.nextInt(6)];
            for (int i = 0; i < bytes.length; i++) {
                final boolean isTail = random.nextInt(3) > 0;
                bytes[i] = (byte) (isTail ? 0x80 | random.nextInt(0x40) : leads[random.nextInt(leads.length)]);
            }
            expectAgreement(bytes);
        }
    }

    private void expectAgreement(final byte... bytes) {
        boolean isValid = true;
        try {
            jdk.reset().decode(ByteBuffer.wrap(bytes));
        } catch (final CharacterCodingException e) {
            isValid = false;
        }
        if (Utf8.isValid(new UnsafeBuffer(bytes), 0, bytes.length) != isValid) {
            throw new AssertionError("valid=" + isValid + " for " + Arrays.toString(bytes));
        }
    }

    private String encoded(final String text, final int limit) {
        return new String(bytes(0, Utf8.encode(text, buffer, 0, limit)), UTF_8);
    }

    private byte[] bytes(final int offset, final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }
}
