package io.hawser.jmh.bench;

import io.hawser.tools.Numbers;
import io.hawser.tools.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows as text in columns.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class RowTable {
    private static final int RATIO_DECIMALS = 2;
    private static final int CPU_DECIMALS = 3;

    private RowTable() {}

    /** The tables of one work, one for each metric, each under a line that says what it is. */
    static List<String> lines(final List<Row> rows) {
        final List<String> lines = new ArrayList<>();
        for (final Metric metric : rows.stream().map(Row::metric).distinct().toList()) {
            final List<Row> own =
                    rows.stream().filter(row -> row.metric() == metric).toList();
            lines.add("");
            lines.add(title(own.get(0)));
            lines.addAll(table(metric, own).lines());
        }
        return lines;
    }

    static String title(final Row row) {
        return row.workload() + " " + row.workload().description() + " — "
                + row.metric().label() + ", " + (row.metric().isMoreBetter() ? "more" : "less") + " is better";
    }

    private static Table table(final Metric metric, final List<Row> rows) {
        final String unit = metric.shownUnit();
        final Table table = metric.isLatency()
                ? new Table("<entrant", unit, "min–max", "ratio", "p99 µs", "p99.9 µs", "CPU s/M", "peak MiB", "<")
                : new Table("<entrant", unit, "min–max", "ratio", "CPU s/GB", "CPU s/M", "peak MiB", "<");
        rows.forEach(row -> table.row(cells(metric, row)));
        return table;
    }

    private static String[] cells(final Metric metric, final Row row) {
        final List<String> cells = new ArrayList<>();
        cells.add(row.entrant());
        cells.add(shown(metric, row.spread().median()));
        cells.add(shown(metric, row.spread().min()) + "–"
                + shown(metric, row.spread().max()));
        cells.add(ratio(row));
        if (metric.isLatency()) {
            cells.add(fixed(row.p99Us(), 1));
            cells.add(fixed(row.p999Us(), 1));
        } else {
            cells.add(fixed(row.cpuSecondsPerGb(), CPU_DECIMALS));
        }
        cells.add(fixed(row.cpuSecondsPerMillion(), CPU_DECIMALS));
        cells.add(fixed(row.peakMib(), 0));
        cells.add(row.failures() == 0 ? "" : "FAILED: " + Numbers.count(row.failures(), "round", "rounds"));
        return cells.toArray(String[]::new);
    }

    static String shown(final Metric metric, final double value) {
        return fixed(value * metric.shownScale(), metric.decimals());
    }

    static String ratio(final Row row) {
        return fixed(row.ratio(), RATIO_DECIMALS);
    }

    private static String fixed(final double value, final int decimals) {
        return Double.isFinite(value) ? Numbers.fixed(value, decimals) : "-";
    }
}
