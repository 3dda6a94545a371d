package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** When a supervised cluster is formed again: pure, in virtual time. */
class RestartsTest {
    private static final long MS = 1_000_000;

    private static Restarts restarts(final SupervisionPolicy policy) {
        return new Restarts(policy, new SplittableRandom(1));
    }

    @Test
    void shouldAllowSoManyWithinTheWindowAndAgainLater() {
        final Restarts restarts = restarts(
                SupervisionPolicy.builder().restarts(2, Duration.ofSeconds(1)).build());

        assertThat(restarts.tryRestart(Long.MAX_VALUE - 500 * MS, 0)).isTrue();
        assertThat(restarts.tryRestart(Long.MAX_VALUE, 0)).isTrue();
        assertThat(restarts.tryRestart(Long.MIN_VALUE + 400 * MS, 0))
                .as("clock overflow, case G4")
                .isFalse();
        assertThat(restarts.tryRestart(Long.MIN_VALUE + 600 * MS, 0)).isTrue();
        assertThat(restarts.count()).isEqualTo(3);
    }

    @Test
    void shouldAllowNoneIfTheLimitIsZero() {
        assertThat(restarts(SupervisionPolicy.builder()
                                .restarts(0, Duration.ofSeconds(1))
                                .build())
                        .tryRestart(0, 0))
                .isFalse();
    }

    /** Case 31. */
    @Test
    void shouldDoubleTheBoundOfThePauseAndDrawFromAllOfIt() {
        final SupervisionPolicy policy = SupervisionPolicy.builder()
                .restarts(1_000_000, Duration.ofDays(1))
                .backoff(Duration.ofMillis(8), Duration.ofMillis(64))
                .stableAfter(Duration.ofSeconds(1))
                .build();
        for (int inARow = 1; inARow <= 100; inARow++) {
            final long bound = Math.min(64, 8L << Math.min(inARow - 1, 10)) * MS;
            long least = Long.MAX_VALUE;
            long most = 0;
            for (int seed = 0; seed < 200; seed++) {
                final Restarts restarts = new Restarts(policy, new SplittableRandom(seed));
                for (int i = 0; i < inARow; i++) {
                    assertThat(restarts.tryRestart(i, 0)).isTrue();
                }
                least = Math.min(least, restarts.pauseNs());
                most = Math.max(most, restarts.pauseNs());
            }
            assertThat(least).isBetween(0L, bound / 10);
            assertThat(most).isBetween(bound * 9 / 10, bound);
        }
    }

    @Test
    void shouldForgetTheDoublingOnceAGenerationHasLived() {
        final SupervisionPolicy policy = SupervisionPolicy.builder()
                .backoff(Duration.ofMillis(1), Duration.ofSeconds(60))
                .stableAfter(Duration.ofSeconds(1))
                .build();
        final Restarts restarts = restarts(policy);
        for (int i = 0; i < 8; i++) {
            restarts.tryRestart(i, 0);
        }
        restarts.tryRestart(9, 1_000 * MS);

        assertThat(restarts.pauseNs()).isLessThanOrEqualTo(MS);
    }

    @Test
    void shouldRefusePoliciesThatCannotWork() {
        assertThatThrownBy(() -> SupervisionPolicy.builder()
                        .restarts(-1, Duration.ofSeconds(1))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("restarts=-1");
        assertThatThrownBy(() ->
                        SupervisionPolicy.builder().formWithin(Duration.ZERO).build())
                .hasMessageContaining("formWithin=PT0S");
        assertThatThrownBy(() -> SupervisionPolicy.builder()
                        .backoff(Duration.ofSeconds(2), Duration.ofSeconds(1))
                        .build())
                .hasMessageContaining("backoffMax=PT1S")
                .hasMessageContaining("backoffMin=PT2S");
        assertThatThrownBy(() -> SupervisionPolicy.builder()
                        .formWithin(Duration.ofSeconds(8))
                        .backoff(Duration.ofSeconds(2), Duration.ofSeconds(3))
                        .build())
                .hasMessageContaining("quarter of formWithin=PT8S");
    }
}
