package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.framing.RejectPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    @Test
    void shouldCutTheReasonAtACodePointWhenItIsLong() {
        final Admission.Rejected rejected =
                (Admission.Rejected) Admission.rejectForever("a".repeat(509) + "\u20ac\u20ac");
        assertThat(rejected.reason().getBytes(StandardCharsets.UTF_8)).hasSize(512);
        final Admission.Rejected wide =
                (Admission.Rejected) Admission.rejectElsewhere("a" + "\ud83d\ude00".repeat(200));
        assertThat(wide.reason().getBytes(StandardCharsets.UTF_8)).hasSize(509);
    }

    @Test
    void shouldRoundTheTimeUpWhenItIsNoWholeMillisecond() {
        assertThat(Admission.rejectForNow("busy", Duration.ofNanos(1_000_001)))
                .isEqualTo(new Admission.Rejected("busy", RejectPolicy.LATER_HERE, 2));
        assertThat(Admission.rejectForNow("busy", Duration.ofDays(1_000_000)))
                .isEqualTo(new Admission.Rejected("busy", RejectPolicy.LATER_HERE, Integer.MAX_VALUE));
        assertThat(Admission.rejectForNow("busy", Duration.ZERO))
                .isEqualTo(new Admission.Rejected("busy", RejectPolicy.LATER_HERE, 0));
    }

    @Test
    void shouldRefuseTimesThatCannotBe() {
        assertThatThrownBy(() -> Admission.rejectForNow("busy", Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Admission.Rejected("busy", RejectPolicy.ELSEWHERE, 1))
                .hasMessageEndingWith("policy=ELSEWHERE retryAfterMs=1");
    }
}
