package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Law L4: one outcome per worker. */
class OutcomeTest {
    @Test
    void shouldGiveItsValueWhenCompleted() {
        Outcome<String> outcome = new Outcome.Completed<>("done");

        assertThat(outcome.isCompleted()).isTrue();
        assertThat(outcome.isPanicked() || outcome.isFailed()).isFalse();
        assertThat(outcome.valueOrThrow()).isEqualTo("done");
        assertThat(new Outcome.Completed<String>(null).valueOrThrow()).isNull();
    }

    @Test
    void shouldThrowWithWhatTheWorkerThrewWhenPanicked() {
        Error error = new StackOverflowError();
        Outcome<String> outcome = new Outcome.Panicked<>(error);

        assertThat(outcome.isPanicked()).isTrue();
        assertThat(outcome.isCompleted() || outcome.isFailed()).isFalse();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(outcome::valueOrThrow)
                .withCause(error);
    }

    @Test
    void shouldThrowTheCauseWhenFailed() {
        Cause cause = CauseFixture.number(0);
        Outcome<String> outcome = new Outcome.Failed<>(cause);

        assertThat(outcome.isFailed()).isTrue();
        assertThat(outcome.isCompleted() || outcome.isPanicked()).isFalse();
        assertThatExceptionOfType(HealthLostException.class)
                .isThrownBy(outcome::valueOrThrow)
                .withMessage(cause.describe())
                .satisfies(thrown -> assertThat(thrown.rootCause()).isSameAs(cause));
    }

    @Test
    void shouldBeOneLineWhateverValueOrErrorSayOfThemselves() {
        assertThat(new Outcome.Panicked<String>(new IllegalStateException("no\n2026 ERROR all is lost\u001b[2J")))
                .hasToString("Panicked[error=java.lang.IllegalStateException: no 2026 ERROR all is lost?[2J]");
        assertThat(new Outcome.Completed<>("a\r\nb")).hasToString("Completed[value=a  b]");
        assertThat(new Outcome.Completed<>(null)).hasToString("Completed[value=null]");
        assertThat(new Outcome.Completed<>("x".repeat(100_000)).toString()).hasSizeLessThan(1_100);
        Object hostile = new Object() {
            @Override
            public String toString() {
                throw new UnsupportedOperationException("no words");
            }
        };
        assertThat(new Outcome.Completed<>(hostile).toString())
                .contains(hostile.getClass().getName());
    }

    @Test
    void shouldRefuseWhenThereIsNoErrorOrCause() {
        assertThatNullPointerException().isThrownBy(() -> new Outcome.Panicked<String>(null));
        assertThatNullPointerException().isThrownBy(() -> new Outcome.Failed<String>(null));
    }
}
