package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StrikeTest {
    @Test
    void shouldBeCompleteWhenAllButTheVictimHaveTold() {
        final Strike strike = new Strike(new Fault(Fault.Kind.KILL, 1, 5), 1, 3);
        strike.strikeAt(1_000_000);
        strike.lost(2, loss("same", 1_004_200, 0));
        assertThat(strike.isComplete()).isFalse();
        strike.lost(0, loss("same", 1_003_100, 0));
        assertThat(strike.isComplete()).isTrue();

        final FaultReport report = strike.report();
        assertThat(report.isSameCause()).isTrue();
        assertThat(report.cause()).isEqualTo("cause same");
        assertThat(report.survivors()).extracting(FaultReport.Survivor::process).containsExactly(0, 2);
        assertThat(report.survivors())
                .extracting(FaultReport.Survivor::millisToReturn)
                .containsExactly(3.1, 4.2);
    }

    @Test
    void shouldWaitForAllAfterAPanic() {
        final Strike strike = new Strike(new Fault(Fault.Kind.PANIC, 3, 5), 2, 2);
        assertThat(strike.isOn(1)).isFalse();
        strike.lost(0, loss("a", 2_000, 0));
        assertThat(strike.hasStruck()).isFalse();
        strike.lost(1, loss("b", 1_500, 1_000));
        assertThat(strike.isComplete()).isTrue();
        assertThat(strike.hasStruck()).isTrue();
        assertThat(strike.report().isSameCause()).isFalse();
        assertThat(strike.report().survivors())
                .extracting(FaultReport.Survivor::millisToReturn)
                .containsExactly(1.0, 0.5);
    }

    @Test
    void shouldHaveNoSurvivorOfTheOnlyProcess() {
        final Strike strike = new Strike(new Fault(Fault.Kind.KILL, 0, 0), 1, 1);
        assertThat(strike.isComplete()).isTrue();
        assertThat(strike.report().cause()).isEmpty();
        assertThat(strike.report().isSameCause()).isTrue();
    }

    private static Event loss(final String identity, final long returnMicros, final long panicMicros) {
        return new Event(Event.LOST)
                .with("kind", "PEER_LOST")
                .with("cause", "cause " + identity)
                .with("identity", identity)
                .with("returnMicros", returnMicros)
                .with("panicMicros", panicMicros);
    }
}
