package io.hawser.fate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class HealthTest {
    private final Health health = Health.root("cluster");
    private final Cause first = CauseFixture.number(1);
    private final Cause later = CauseFixture.number(2);

    @Test
    void shouldBeHealthyWhenNew() {
        assertThat(health.state()).isEqualTo(HealthState.HEALTHY);
        assertThat(health.isLost()).isFalse();
        assertThatCode(health::check).doesNotThrowAnyException();
        assertThat(health.firstCause()).isNull();
        assertThat(health.rootCause()).isNull();
        assertThat(health.secondaryCauses()).isEmpty();
        assertThat(health.secondaryCount()).isZero();
        assertThat(health.name()).isEqualTo("cluster");
        assertThat(health).hasToString("health of cluster: HEALTHY");
    }

    /** Law L2: the first cause is kept. */
    @Test
    void shouldKeepTheFirstCauseAndAttachTheOthersWhenLostAgain() {
        assertThat(health.lose(first)).isTrue();
        assertThat(health.lose(later)).isFalse();

        assertThat(health.state()).isEqualTo(HealthState.LOST);
        assertThat(health.isLost()).isTrue();
        assertThat(health.firstCause()).isSameAs(first);
        assertThat(health.rootCause()).isSameAs(first);
        assertThat(health.secondaryCauses()).containsExactly(later);
        assertThat(health.secondaryCount()).isEqualTo(1);
        assertThat(health.toString()).startsWith("health of cluster: LOST; process 2 was lost");
    }

    /** Lose reports in the order in which this process saw; only what is considered competes. */
    @Test
    void shouldKeepTheFirstCauseWhenAnEarlierOneIsLostLater() {
        health.lose(later);
        health.lose(first);

        assertThat(health.rootCause()).isSameAs(later);
        assertThat(health.secondaryCauses()).containsExactly(first);
    }

    @Test
    void shouldThrowTheRootCauseOutOfTheLoopWhenLost() {
        health.lose(first);

        assertThatExceptionOfType(HealthLostException.class)
                .isThrownBy(health::check)
                .withMessage(first.describe())
                .satisfies(thrown -> assertThat(thrown.rootCause()).isSameAs(first));
    }

    @Test
    void shouldNotBeLostAnyMoreWhenEnded() {
        assertThat(health.end()).isTrue();

        assertThat(health.lose(first)).isFalse();
        assertThat(health.consider(first)).isFalse();
        health.settle();
        assertThat(health.end()).isFalse();
        assertThat(health.state()).isEqualTo(HealthState.ENDED);
        assertThat(health.isLost()).isFalse();
        assertThatCode(health::check).doesNotThrowAnyException();
        assertThat(health.rootCause()).isNull();
        assertThat(health.secondaryCauses()).isEmpty();
        assertThat(health.secondaryCount()).isZero();
        assertThat(health).hasToString("health of cluster: ENDED");
    }

    @Test
    void shouldNotEndWhenLost() {
        health.lose(first);

        assertThat(health.end()).isFalse();
        assertThat(health.state()).isEqualTo(HealthState.LOST);
    }

    /** Case 99: close from any state, any number of times. */
    @Test
    void shouldCloseFromAnyStateWhenClosedTwice() {
        Health lost = Health.root("lost");
        lost.lose(first);
        for (int i = 0; i < 2; i++) {
            health.close();
            lost.close();
        }

        assertThat(health.state()).isEqualTo(HealthState.ENDED);
        assertThat(lost.state()).isEqualTo(HealthState.LOST);
    }

    @Test
    void shouldRefuseWhenMisused() {
        assertThatNullPointerException().isThrownBy(() -> health.lose(null));
        assertThatNullPointerException().isThrownBy(() -> health.consider(null));
        assertThatNullPointerException().isThrownBy(() -> health.addWakeup(null));
        assertThatNullPointerException().isThrownBy(() -> health.addThread(null));
        assertThatNullPointerException().isThrownBy(() -> health.onLost("x", null));
        assertThatNullPointerException().isThrownBy(() -> health.child("x", null));
        assertThatNullPointerException().isThrownBy(() -> Health.root(null));
        assertThatNullPointerException().isThrownBy(() -> Health.root("x", null));
        assertThatIllegalArgumentException().isThrownBy(() -> health.child(" ")).withMessageEndingWith("name=");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Health.root("a\nb"))
                .withMessageEndingWith("name=a b");
        assertThat(health.childCount()).isZero();
    }
}
