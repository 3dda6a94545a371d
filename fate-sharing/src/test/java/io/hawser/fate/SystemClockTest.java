package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SystemClockTest {
    @Test
    void shouldGoForwardAndAgreeWithTheMachineWhenAsked() {
        Clock clock = Clock.system();
        long startNs = clock.nanoTime();

        assertThat(clock.nanoTime() - startNs).isNotNegative();
        long startMs = System.currentTimeMillis();
        assertThat(clock.epochMs()).isBetween(startMs, startMs + 60_000);
        assertThat(Clock.system()).isSameAs(clock);
    }
}
