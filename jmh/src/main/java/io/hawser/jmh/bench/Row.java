package io.hawser.jmh.bench;

import io.hawser.jmh.peers.Entrants;
import io.hawser.jmh.peers.ResultLine;
import io.hawser.jmh.peers.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One entrant at one work by one metric, over all rounds: a row of the table, an object of the JSON, a bar of the chart.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param workload             the work
 * @param metric               what is compared
 * @param entrant              who
 * @param rounds               how many runs count
 * @param failures             how many failed
 * @param spread               of the metric, as measured
 * @param ratio                of its median to the reference's
 * @param p99Us                median of the rounds, where latency is measured
 * @param p999Us               likewise
 * @param maxUs                likewise
 * @param cpuSecondsPerGb      median of the rounds, all processes together
 * @param cpuSecondsPerMillion likewise, for each million messages or round trips
 * @param peakMib              likewise, the peaks of all processes added up
 */
record Row(
        Workload workload,
        Metric metric,
        String entrant,
        int rounds,
        int failures,
        Spread spread,
        double ratio,
        double p99Us,
        double p999Us,
        double maxUs,
        double cpuSecondsPerGb,
        double cpuSecondsPerMillion,
        double peakMib) {

    /** The rows of a work, metric by metric, entrants in the order in which they first ran. */
    static List<Row> of(final Workload workload, final List<Sample> samples) {
        final List<Sample> own =
                samples.stream().filter(sample -> sample.workload() == workload).toList();
        final List<Row> rows = new ArrayList<>();
        for (final Metric metric : Metric.of(workload)) {
            final double reference = median(of(own, Entrants.REFERENCE), sample -> sample.number(metric.key()));
            own.stream()
                    .map(Sample::entrant)
                    .distinct()
                    .forEach(entrant -> rows.add(row(workload, metric, entrant, of(own, entrant), reference)));
        }
        return rows;
    }

    private static Row row(
            final Workload workload,
            final Metric metric,
            final String entrant,
            final List<Sample> samples,
            final double reference) {
        final int failures = (int) samples.stream().filter(Sample::isFailed).count();
        final Spread spread = Spread.of(samples.stream().mapToDouble(sample -> sample.number(metric.key())));
        return new Row(
                workload,
                metric,
                entrant,
                samples.size() - failures,
                failures,
                spread,
                spread.median() / reference,
                metric.isLatency() ? median(samples, sample -> sample.number(ResultLine.P99_US)) : Double.NaN,
                metric.isLatency() ? median(samples, sample -> sample.number(ResultLine.P999_US)) : Double.NaN,
                metric.isLatency() ? median(samples, sample -> sample.number(ResultLine.MAX_US)) : Double.NaN,
                median(samples, Sample::cpuSecondsPerGb),
                median(samples, Sample::cpuSecondsPerMillion),
                median(samples, sample -> sample.number(ResultLine.PEAK_MIB)));
    }

    private static List<Sample> of(final List<Sample> samples, final String entrant) {
        return samples.stream()
                .filter(sample -> sample.entrant().equals(entrant))
                .toList();
    }

    private static double median(final List<Sample> samples, final ToDoubleFunction<Sample> number) {
        return Spread.of(samples.stream().mapToDouble(number)).median();
    }
}
