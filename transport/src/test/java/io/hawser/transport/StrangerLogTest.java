package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** One line for many strangers, and none of them is lost from the count (L11). */
class StrangerLogTest {
    @Test
    void shouldTellAtTheEndHowManyWereKeptBack() {
        StrangerLog log = new StrangerLog();
        for (int i = 0; i < 5; i++) {
            log.onAcceptFailed(new IOException("no descriptors"), i);
        }
        assertThat(log.rest()).containsExactly("accept: 4 more like it after the last one told");
        assertThat(log.rest()).as("only once").isEmpty();
    }

    /** A cluster id from the wire, say. */
    @Test
    void shouldKeepToOneLineWhateverIsSaid() {
        assertThat(StrangerLog.plain("clusterId=a\r\n12:00 ERROR all is lost\u001b[2J\u0085"))
                .isEqualTo("clusterId=a??12:00 ERROR all is lost?[2J?");
    }

    @Test
    void shouldTellNothingAtTheEndWhenAllHasBeenTold() {
        StrangerLog log = new StrangerLog();
        log.onAcceptFailed(new IOException("no descriptors"), 0);
        assertThat(log.rest()).isEmpty();
    }
}
