package io.hawser.jmh.bench;

import io.hawser.jmh.peers.ResultLine;
import io.hawser.tools.Numbers;
import java.util.stream.Collectors;

/**
 * One run in one line.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class SampleText {
    private SampleText() {}

    static String of(final Sample sample) {
        final String start = sample.workload() + " round " + sample.round() + " " + sample.entrant() + ": ";
        if (sample.isFailed()) {
            return start + "FAILED: " + sample.failure();
        }
        final String values = Metric.of(sample.workload()).stream()
                .map(metric -> RowTable.shown(metric, sample.number(metric.key())) + " " + metric.shownUnit())
                .collect(Collectors.joining(", "));
        return start + values + ", " + Numbers.fixed(sample.number(ResultLine.CPU_CORES), 2) + " cores";
    }
}
