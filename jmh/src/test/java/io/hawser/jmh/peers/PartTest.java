package io.hawser.jmh.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PartTest {
    @Test
    void shouldReadWhatItHasWritten() {
        final Part part = new Part(
                "raw-nio", Workload.W5, Role.NODE, 3, "127.0.0.1", List.of(7, 8, 9), 100, 200, 1_000, Path.of("files"));

        assertThat(PartParser.parse(part.arguments(), Map.of("BENCH_PORTS", "1")))
                .isEqualTo(part);
    }

    @Test
    void shouldReadTheEnvironmentWhereTheCommandLineSaysNothing() {
        final Map<String, String> environment =
                Map.of("BENCH_WORKLOAD", "W3", "BENCH_ROLE", "sender", "BENCH_PORTS", "5,6", "BENCH_WARM_MS", "70");

        final Part part = PartParser.parse(List.of("--entrant", "raw-nio"), environment);

        assertThat(part.entrant()).isEqualTo("raw-nio");
        assertThat(part.workload()).isEqualTo(Workload.W3);
        assertThat(part.role()).isEqualTo(Role.SENDER);
        assertThat(part.index()).isEqualTo(1);
        assertThat(part.ports()).containsExactly(5, 6);
        assertThat(part.warmUpMs()).isEqualTo(70);
        assertThat(part.measureMs()).isEqualTo(8_000);
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        assertThatThrownBy(() -> PartParser.parse(List.of("--bogus", "1"), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no such option: option=--bogus");
        assertThatThrownBy(() -> PartParser.parse(List.of("--rate"), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value is missing: option=--rate");
    }

    @Test
    void shouldTellThatPortsAreMissing() {
        final Part part = PartParser.parse(List.of("--ports", "5"), Map.of());

        assertThatThrownBy(() -> part.port(1)).hasMessage("too few ports: number=1 ports=[5]");
    }
}
