package io.hawser.tools;

import java.util.ArrayList;
import java.util.List;

/**
 * Text in columns. The first row is the heading; columns are as wide as their widest cell, two spaces apart.
 *
 * <p><em>Threading:</em> one thread.
 */
public final class Table {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final boolean[] isText;

    /**
     * Begins a table.
     *
     * @param headings one for each column; one that begins with {@code <} stands above text, which is aligned left, the
     *                 others above numbers, which are aligned right.
     */
    public Table(final String... headings) {
        isText = new boolean[headings.length];
        final String[] row = new String[headings.length];
        for (int column = 0; column < headings.length; column++) {
            isText[column] = headings[column].startsWith("<");
            row[column] = isText[column] ? headings[column].substring(1) : headings[column];
        }
        rows.add(row);
    }

    public Table row(final String... cells) {
        if (cells.length != isText.length) {
            throw new IllegalArgumentException("cells=" + cells.length + " columns=" + isText.length);
        }
        rows.add(cells.clone());
        return this;
    }

    /** The lines of the table, the heading first, without spaces at their ends. */
    public List<String> lines() {
        final int[] widths = new int[isText.length];
        for (final String[] row : rows) {
            for (int column = 0; column < row.length; column++) {
                widths[column] = Math.max(widths[column], row[column].length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(final String[] row, final int[] widths) {
        final StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.length; column++) {
            final String padding = " ".repeat(widths[column] - row[column].length());
            line.append(column == 0 ? "" : GAP);
            line.append(isText[column] ? row[column] + padding : padding + row[column]);
        }
        return line.toString().stripTrailing();
    }
}
