package io.hawser.jmh.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SinkTest {
    private final Sink sink = new Sink(false, new Window(0, 0));

    @Test
    void shouldCountAndEnd() {
        deliver(1_000);
        sink.onMessage(Payload.END, 1_000, Payload.SMALL_LENGTH);

        assertThat(sink.isEnded()).isTrue();
        assertThat(sink.result().get(ResultLine.COUNT)).hasValue(1_000);
    }

    @Test
    void shouldRefuseAMessageOutOfOrder() {
        deliver(10);

        assertThatThrownBy(() -> sink.onMessage(11, ~11, Payload.SMALL_LENGTH))
                .isInstanceOf(BadMessageException.class)
                .hasMessage("not the message that was due: due=10 first=11 last=-12 length=64");
    }

    @Test
    void shouldRefuseAMessageOfWrongContentOrLength() {
        assertThatThrownBy(() -> sink.onMessage(0, 0, Payload.SMALL_LENGTH)).isInstanceOf(BadMessageException.class);
        assertThatThrownBy(() -> sink.onMessage(0, ~0, 63)).isInstanceOf(BadMessageException.class);
    }

    @Test
    void shouldRefuseAnEndThatComesTooSoon() {
        deliver(1_000);

        assertThatThrownBy(() -> sink.onMessage(Payload.END, 1_001, Payload.SMALL_LENGTH))
                .isInstanceOf(BadMessageException.class)
                .hasMessage("messages are lost: sent=1001 received=1000");
    }

    @Test
    void shouldRefuseAStreamTooShortToBeMeasured() {
        final Sink strict = new Sink(false, new Window(0, Long.MAX_VALUE / 2));
        strict.onMessage(0, ~0, Payload.SMALL_LENGTH);

        assertThatThrownBy(() -> strict.onMessage(Payload.END, 1, Payload.SMALL_LENGTH))
                .isInstanceOf(BadMessageException.class)
                .hasMessage("the stream has ended before enough of it was measured: count=1");
    }

    private void deliver(final int count) {
        for (long number = 0; number < count; number++) {
            sink.onMessage(number, ~number, Payload.SMALL_LENGTH);
        }
    }
}
