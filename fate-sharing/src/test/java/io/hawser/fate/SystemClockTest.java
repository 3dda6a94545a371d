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

    /** Case G7. Nobody sends this machine to sleep amid a test. */
    @Test
    void shouldTellTheSameOfSleepWhileTheMachineIsAwake() {
        long sleptNs = Clock.system().sleptNs();

        for (int i = 0; i < 1_000; i++) {
            assertThat(Clock.system().sleptNs() - sleptNs).isBetween(-60_000_000L, 60_000_000L);
        }
    }
}
