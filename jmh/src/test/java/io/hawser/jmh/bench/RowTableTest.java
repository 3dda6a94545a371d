package io.hawser.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.jmh.peers.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowTableTest {
    @Test
    void shouldShowRatesInMillions() {
        final List<String> lines = RowTable.lines(of(Workload.W2));

        assertThat(lines).element(1).isEqualTo("W2 small: 64 B one way — rate, more is better");
        assertThat(lines.get(2)).matches("entrant +M/s +min–max +ratio +CPU s/GB +CPU s/M +peak MiB");
        assertThat(lines.get(3)).matches("hawser +25\\.00 +20\\.00–30\\.00 +1\\.25 +.* 100");
        assertThat(lines.get(5)).matches("grpc +1\\.00 +1\\.00–1\\.00 +0\\.05 .* FAILED: 1 round");
    }

    @Test
    void shouldShowTheTailOfLatencies() {
        final List<String> lines = RowTable.lines(of(Workload.W3));

        assertThat(lines).element(1).isEqualTo("W3 ping-pong: 64 B round trip — latency p50, less is better");
        assertThat(lines.get(3)).matches("hawser +12\\.0 +12\\.0–12\\.0 +1\\.20 +24\\.0 +36\\.0 +100\\.000 +-");
    }

    private static List<Row> of(final Workload workload) {
        return Samples.rows().stream().filter(row -> row.workload() == workload).toList();
    }
}
