package io.hawser.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hawser.jmh.peers.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowTest {
    @Test
    void shouldCompareMediansWithTheReference() {
        final Row row = Samples.rows().get(0);

        assertThat(row.entrant()).isEqualTo("hawser");
        assertThat(row.metric()).isEqualTo(Metric.RATE);
        assertThat(row.spread()).isEqualTo(new Spread(25e6, 20e6, 30e6));
        assertThat(row.ratio()).isEqualTo(1.25);
        assertThat(row.rounds()).isEqualTo(2);
        assertThat(row.peakMib()).isEqualTo(100);
    }

    @Test
    void shouldDivideProcessorTimeByWhatWasMoved() {
        final Row row =
                Row.of(Workload.W2, List.of(Samples.small("hawser", 1, 10e6))).get(0);

        assertThat(row.cpuSecondsPerMillion()).isCloseTo(0.15, within(1e-9));
        assertThat(row.cpuSecondsPerGb()).isCloseTo(1.5 / 0.64, within(1e-9));
        assertThat(row.ratio()).isNaN();
    }

    @Test
    void shouldCountFailuresAndLeaveThemOut() {
        final Row row = Samples.rows().get(2);

        assertThat(row.entrant()).isEqualTo("grpc");
        assertThat(row.failures()).isEqualTo(1);
        assertThat(row.rounds()).isEqualTo(1);
        assertThat(row.spread().median()).isEqualTo(1e6);
    }

    @Test
    void shouldCompareMixedWorkTwice() {
        assertThat(Metric.of(Workload.W6)).containsExactly(Metric.LATENCY, Metric.THROUGHPUT);
    }
}
