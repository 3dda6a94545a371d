package io.hawser.allocator;

import static io.hawser.allocator.StartRequests.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.framing.RejectPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CapacityModelTest {
    private final CapacityModel capacity = new CapacityModel(4, Duration.ofMillis(30));

    @Test
    void shouldRejectLaterHereWhenTooFewPermitsAreFree() {
        final StartRequest three = start(1, 5, 11, 3);
        assertThat(capacity.onStart(three)).isEqualTo(Admission.accept());
        assertThat(capacity.permitsFree()).isOne();
        assertThat(capacity.onStart(start(1, 5, 12, 2)))
                .isEqualTo(Admission.rejectForNow(
                        "too few permits are free: weight=2 free=1 permits=4", Duration.ofMillis(30)));
        assertThat(capacity.onStart(start(1, 5, 13, 0))).isEqualTo(Admission.accept());
        capacity.onEnd(three, false);
        assertThat(capacity.permitsFree()).isEqualTo(4);
        assertThat(capacity.reservationsOpen()).isOne();
    }

    @Test
    void shouldGivePermitsBackWhenTheTaskHasEnded() {
        final StartRequest three = start(1, 5, 11, 3);
        capacity.onStart(three);
        capacity.onGo(three);
        assertThat(capacity.reservationsOpen()).isZero();
        assertThat(capacity.tasksRunning()).isOne();
        assertThat(capacity.permitsFree()).isOne();
        capacity.onEnd(three, true);
        assertThat(capacity.tasksRunning()).isZero();
        assertThat(capacity.permitsFree()).isEqualTo(4);
    }

    @Test
    void shouldRejectElsewhereWhenWorkIsTooHeavyOrItDrains() {
        assertThat(policy(5)).isEqualTo(RejectPolicy.ELSEWHERE);
        assertThat(policy(-1)).isEqualTo(RejectPolicy.NEVER);
        assertThat(capacity.isDraining()).isFalse();
        capacity.drain();
        assertThat(capacity.isDraining()).isTrue();
        assertThat(policy(1)).isEqualTo(RejectPolicy.ELSEWHERE);
    }

    @Test
    void shouldNotBeMadeWithoutPermits() {
        assertThatThrownBy(() -> new CapacityModel(0, Duration.ZERO)).hasMessageEndingWith("permits=0 retryAfter=PT0S");
    }

    private RejectPolicy policy(final int weight) {
        return ((Admission.Rejected) capacity.onStart(start(1, 5, 20, weight))).policy();
    }
}
