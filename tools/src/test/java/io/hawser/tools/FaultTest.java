package io.hawser.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {
    @Test
    void shouldReadTargetAndIteration() {
        final Fault fault = Fault.parse(Fault.Kind.KILL, "2@15");
        assertThat(fault).isEqualTo(new Fault(Fault.Kind.KILL, 2, 15)).hasToString("2@15");
    }

    @Test
    void shouldReadAStepOfForming() {
        final Fault fault = Fault.parse(Fault.Kind.KILL, "2@ready");
        assertThat(fault)
                .isEqualTo(new Fault(Fault.Kind.KILL, 2, -1, FormingStep.READY))
                .hasToString("2@ready");
        assertThat(fault.isWhileForming()).isTrue();
        fault.checkRange(3, 1);
        assertThatThrownBy(() -> fault.checkRange(2, 1)).hasMessageContaining("process must be 0 to 1");
        assertThatThrownBy(() -> Fault.parse(Fault.Kind.KILL, "2@later"))
                .hasMessage("must be a process and an iteration, such as 2@5, or a step of forming"
                        + " (listening, greeted, ready, started), such as 2@ready, but is '2@later'");
        assertThatThrownBy(() -> Fault.parse(Fault.Kind.FREEZE, "2@ready"))
                .hasMessage("must be a process and an iteration, such as 2@5, but is '2@ready'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "2", "2@", "@5", "2-5", "-1@5", "2@-5", "2@5 ", "a@b", "2@5@6", "99999999999@1", "\u0662@5"})
    void shouldRefuseOtherText(final String text) {
        assertThatThrownBy(() -> Fault.parse(Fault.Kind.PANIC, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be a worker and an iteration, such as 2@5, but is '" + text + "'");
    }

    @Test
    void shouldAcceptTheLimitsOfTheRange() {
        new Fault(Fault.Kind.KILL, 0, 0).checkRange(4, 20);
        new Fault(Fault.Kind.KILL, 3, 19).checkRange(4, 20);
    }

    @Test
    void shouldTellTheRange() {
        assertThatThrownBy(() -> new Fault(Fault.Kind.FREEZE, 4, 5).checkRange(4, 20))
                .hasMessage("process must be 0 to 3, but is 4 in '4@5'");
        assertThatThrownBy(() -> new Fault(Fault.Kind.PANIC, 3, 20).checkRange(8, 20))
                .hasMessage("iteration must be 0 to 19, but is 20 in '3@20'");
    }

    @Test
    void shouldKnowItsOption() {
        for (final Fault.Kind kind : Fault.Kind.values()) {
            assertThat(Fault.Kind.ofOption(kind.option())).isEqualTo(kind);
        }
        assertThat(Fault.Kind.FREEZE.option()).isEqualTo("--freeze");
    }
}
