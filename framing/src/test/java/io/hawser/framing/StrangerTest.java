package io.hawser.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who it is that is not one of us, in the log line. */
class StrangerTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP | GET / HTTP/1.1",
                "HTTP | POST /x HTTP/1.0",
                "HTTP | OPTIONS *",
                "HTTP | HTTP/1.1 400 Bad Request",
                "HTTP | PRI * HTTP/2.0",
                "SSH | SSH-2.0-OpenSSH_9.2",
                "RFB | RFB 003.008",
                "AMQP | AMQP....",
                "REDIS | *1~~$4~~PING",
                "REDIS | +PONG",
                "REDIS | PING~~",
                "REDIS | -ERR unknown command",
                "PROXY_PROTOCOL | PROXY TCP4 10.0.0.1",
                "JAVA_RMI | JRMI",
                "UNKNOWN | GE",
                "UNKNOWN | *",
                "UNKNOWN | hello, world",
            })
    void shouldKnowTextProtocols(final Stranger stranger, final String bytes) {
        assertThat(of(bytes.replace("~~", "\r\n"))).isEqualTo(stranger);
    }

    @Test
    void shouldKnowBinaryProtocols() {
        assertThat(of("\u0016\u0003\u0001\u0002\u0000\u0001")).isEqualTo(Stranger.TLS);
        assertThat(of("\u0000\u0000\u0000\u0085\u00FFSMBr")).isEqualTo(Stranger.SMB);
        assertThat(of("\u0000\u0000\u0000\u0085\u00FESMB@")).isEqualTo(Stranger.SMB);
        assertThat(of("\u0000\u0000\u0000\u0008\u0004\u00D2\u0016\u002F")).isEqualTo(Stranger.POSTGRESQL);
        assertThat(of("\u0000\u0000\u0000\u0029\u0000\u0003\u0000\u0000user")).isEqualTo(Stranger.POSTGRESQL);
        assertThat(of("\u0003\u0000\u0000\u0013")).isEqualTo(Stranger.RDP);
        assertThat(of("")).isEqualTo(Stranger.SILENT);
        assertThat(of("\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000")).isEqualTo(Stranger.UNKNOWN);
    }

    @Test
    void shouldKnowHalfAHello() {
        final UnsafeBuffer hello = Frames.golden("HELLO");
        for (int length = 6; length < hello.capacity(); length++) {
            assertThat(Stranger.of(hello, 0, length)).isEqualTo(Stranger.HALF_HELLO);
        }
        assertThat(Stranger.of(hello, 0, 5)).isEqualTo(Stranger.UNKNOWN);
        assertThat(Stranger.of(hello, 0, hello.capacity())).isEqualTo(Stranger.DAMAGED_HELLO);
        assertThat(Stranger.HALF_HELLO.displayText()).isEqualTo("half a hello");
    }

    @Test
    void shouldShowFirstBytesSafely() {
        assertThat(excerpt("GET /\r\n\t\"\\\u001B[31m\u00E9"))
                .isEqualTo("\"GET /\\r\\n\\t\\\"\\\\\\x1b[31m\\xe9\""
                        + " (47 45 54 20 2f 0d 0a 09 22 5c 1b 5b 33 31 6d e9)");
        assertThat(excerpt("x".repeat(100))).startsWith("\"" + "x".repeat(16) + "\" (78");
        assertThat(excerpt("")).isEqualTo("\"\" ()");
        assertThat(Excerpt.printable("a\nb\u2028c😀")).isEqualTo("a\\nb\\u2028c\\ud83d\\ude00");
    }

    private static Stranger of(final String bytes) {
        return Stranger.of(new UnsafeBuffer(bytes.getBytes(ISO_8859_1)), 0, bytes.length());
    }

    private static String excerpt(final String bytes) {
        return Excerpt.of(new UnsafeBuffer(bytes.getBytes(ISO_8859_1)), 0, bytes.length());
    }
}
