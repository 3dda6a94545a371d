package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Outcome;
import io.hawser.transport.Former;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomesTest {
    @Test
    void shouldBeOneLineWhateverWasThrown() {
        final Outcomes<String> outcomes = new Outcomes<>(
                new Former(3, 9, 0, 1, 2),
                List.of(
                        new Outcome.Panicked<>(new IllegalStateException("first\nsecond\u2028third")),
                        new Outcome.Completed<>("one\ntwo")),
                null,
                List.of(),
                false);

        assertThat(outcomes)
                .hasToString("generation 3: [Panicked[error=java.lang.IllegalStateException: first second third],"
                        + " Completed[value=one two]], clean");
    }
}
