package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @CsvSource({
        "localhost:7000, localhost, 7000",
        "node-1.example_net.org:1, node-1.example_net.org, 1",
        "10.0.0.1:65535, 10.0.0.1, 65535",
        "[::1]:7000, ::1, 7000",
        "[2001:DB8::a]:7000, 2001:DB8::a, 7000",
        "[::ffff:10.0.0.1]:7000, ::ffff:10.0.0.1, 7000",
        "[fe80::1%lo]:7000, fe80::1%lo, 7000",
        "[fe80::1%eth0.100]:7000, fe80::1%eth0.100, 7000",
    })
    void shouldParseAndPrintTheSameText(final String text, final String host, final int port) {
        final Endpoint endpoint = Endpoint.parse(text);

        assertThat(endpoint).isEqualTo(new Endpoint(host, port));
        assertThat(endpoint).hasToString(text);
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "host",
                "::1",
                "::1:7000",
                "[::1]",
                "[::1]7000",
                "[::1:7000",
                "::1]:7000",
                "[]:7000",
                "[host]:7000",
                "[10.0.0.1]:7000",
                "[:::1]:7000",
                "[1:2:3]:7000",
                "[g::1]:7000",
                "[fe80::1%]:7000",
                "[fe80::1%a/b]:7000",
                "[[::1]]:7000",
                ":7000",
                "host:",
                "host:0",
                "host:65536",
                "host:99999999999",
                "host:-1",
                "host:+7000",
                "host:7000 ",
                " host:7000",
                "host: 7000",
                "ho st:7000",
                "host:٧٠٠٠",
                "hôte:7000",
                "tcp://host:7000",
                "user@host:7000",
                "host/path:7000",
                "a:b:7000",
            })
    void shouldRefuseWithTheOffendingTextWhenNotAnEndpoint(final String text) {
        assertThatThrownBy(() -> Endpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("text=" + text);
    }

    @Test
    void shouldSayThatBracketsAreMissingWhenAddressIsBare() {
        assertThatThrownBy(() -> Endpoint.parse("fe80::1:7000"))
                .hasMessageContaining("needs brackets, as in [::1]:7000");
    }

    @Test
    void shouldRefuseTextThatHelloHasNoRoomFor() {
        final String longest = "h".repeat(255 - 5);

        assertThat(Endpoint.parse(longest + ":7000").host()).isEqualTo(longest);
        assertThatThrownBy(() -> Endpoint.parse(longest + "h:7000")).hasMessageContaining("255");
        assertThatThrownBy(() -> new Endpoint(longest + "h", 7000)).hasMessageContaining("255");
    }

    @Test
    void shouldRefusePartsThatParseWouldRefuse() {
        assertThatThrownBy(() -> new Endpoint("[::1]", 7000)).hasMessageEndingWith("host=[::1]");
        assertThatThrownBy(() -> new Endpoint(null, 7000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Endpoint("host", 0)).hasMessageContaining("port=0");
        assertThatThrownBy(() -> new Endpoint("host", 65_536)).hasMessageContaining("port=65536");
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:7000, true",
        "[::]:7000, true",
        "[0:0:0:0:0:0:0:0]:7000, true",
        "[::%lo]:7000, true",
        "[::1]:7000, false",
        "[100::]:7000, false",
        "10.0.0.0:7000, false",
        "localhost:7000, false",
    })
    void shouldKnowWildcards(final String text, final boolean isWildcard) {
        assertThat(Endpoint.parse(text).isWildcard()).isEqualTo(isWildcard);
    }
}
