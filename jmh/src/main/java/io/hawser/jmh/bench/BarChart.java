package io.hawser.jmh.bench;

import java.util.List;
import java.util.stream.Stream;

/**
 * Rows as an SVG chart: one panel for each work and metric, one bar for each entrant, with a line from the least to the greatest round.
 *
 * <p><em>Threading:</em> one thread.
 */
final class BarChart {
    private static final int WIDTH = 760;
    private static final int MARGIN = 16;
    private static final int LABEL_WIDTH = 120;
    private static final int VALUE_WIDTH = 150;
    private static final int BAR_WIDTH = WIDTH - 2 * MARGIN - LABEL_WIDTH - VALUE_WIDTH;
    private static final int BAR_HEIGHT = 16;
    private static final int BAR_STEP = 22;
    private static final int TITLE_HEIGHT = 30;
    private static final int PANEL_GAP = 12;
    private static final int TEXT_DROP = 12;
    private static final String OURS = "#1f6f8b";
    private static final String OTHERS = "#b8c4c9";

    private final StringBuilder out = new StringBuilder();
    private int y = MARGIN;

    private BarChart() {}

    static String of(final List<Row> rows, final Surroundings surroundings) {
        final BarChart chart = new BarChart();
        surroundings.lines().forEach(chart::caption);
        rows.stream()
                .map(BarChart::panelOf)
                .distinct()
                .forEach(panel ->
                        chart.panel(rows.stream().filter(row -> panelOf(row).equals(panel))));
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + (chart.y + MARGIN)
                + "\" viewBox=\"0 0 " + WIDTH + " " + (chart.y + MARGIN)
                + "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                + "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + chart.out + "</svg>\n";
    }

    private static String panelOf(final Row row) {
        return row.workload() + row.metric().label();
    }

    private void caption(final String line) {
        text(MARGIN, "#555555", "", line);
        y += BAR_HEIGHT;
    }

    private void panel(final Stream<Row> rows) {
        final List<Row> own =
                rows.filter(row -> Double.isFinite(row.spread().median())).toList();
        if (own.isEmpty()) {
            return;
        }
        y += PANEL_GAP;
        text(MARGIN, "#000000", " font-weight=\"bold\"", RowTable.title(own.get(0)));
        y += TITLE_HEIGHT - TEXT_DROP;
        final double greatest =
                own.stream().mapToDouble(row -> row.spread().max()).max().orElseThrow();
        own.forEach(row -> bar(row, greatest));
    }

    private void bar(final Row row, final double greatest) {
        final int left = MARGIN + LABEL_WIDTH;
        final int width = scaled(row.spread().median(), greatest);
        text(MARGIN, "#000000", "", row.entrant());
        out.append("<rect x=\"").append(left).append("\" y=\"").append(y);
        out.append("\" width=\"")
                .append(Math.max(1, width))
                .append("\" height=\"")
                .append(BAR_HEIGHT);
        out.append("\" fill=\"")
                .append(row.entrant().startsWith("hawser") ? OURS : OTHERS)
                .append("\"/>\n");
        final int middle = y + BAR_HEIGHT / 2;
        out.append("<path d=\"M")
                .append(left + scaled(row.spread().min(), greatest))
                .append(' ')
                .append(middle);
        out.append('H').append(left + scaled(row.spread().max(), greatest)).append("\" stroke=\"#333333\"/>\n");
        text(left + BAR_WIDTH + PANEL_GAP, "#000000", "", value(row));
        y += BAR_STEP;
    }

    private static String value(final Row row) {
        final String value = RowTable.shown(row.metric(), row.spread().median()) + " "
                + row.metric().shownUnit();
        return Double.isFinite(row.ratio()) ? value + "  ×" + RowTable.ratio(row) : value;
    }

    private static int scaled(final double value, final double greatest) {
        return (int) Math.round(value / greatest * BAR_WIDTH);
    }

    private void text(final int x, final String color, final String style, final String text) {
        out.append("<text x=\"").append(x).append("\" y=\"").append(y + TEXT_DROP);
        out.append("\" fill=\"").append(color).append('"').append(style).append('>');
        out.append(escaped(text)).append("</text>\n");
    }

    private static String escaped(final String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
