package io.hawser.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.jmh.peers.Workload;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private long nowNs = 1_000;

    @Test
    void shouldAllowEverythingWithoutALimit() {
        final Budget budget = new Budget(plan(Plan.NO_TIME_LIMIT), () -> nowNs);
        pass(1_000_000);

        assertThat(budget.allows(Workload.W1, "grpc")).isTrue();
    }

    @Test
    void shouldLeaveOutOthersOnceTheShareOfAWorkIsUsedUp() {
        final Budget budget = new Budget(plan(40_000), () -> nowNs);
        assertThat(budget.allows(Workload.W1, "grpc")).isTrue();
        pass(9_000);
        budget.count();
        budget.count();

        assertThat(budget.allows(Workload.W1, "grpc")).isTrue();
        pass(9_000);
        budget.count();

        assertThat(budget.allows(Workload.W1, "grpc")).isFalse();
        assertThat(budget.allows(Workload.W2, "grpc")).isTrue();
        assertThat(budget.allows(Workload.W1, "raw-nio")).isTrue();
    }

    @Test
    void shouldLeaveOutEverythingAtTheEnd() {
        final Budget budget = new Budget(plan(40_000), () -> nowNs);
        pass(38_000);

        assertThat(budget.allows(Workload.W2, "hawser")).isFalse();
    }

    private void pass(final long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    private static Plan plan(final long timeLimitMs) {
        return new Plan(
                List.of(Workload.W1, Workload.W2),
                List.of("hawser", "raw-nio", "grpc"),
                1,
                1_000,
                1_000,
                100_000,
                Pinning.NONE,
                new Priority(0),
                timeLimitMs,
                List.of());
    }
}
