package io.hawser.tools;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Numbers as text for people, the same under every locale.
 *
 * <p><em>Threading:</em> safe; no state.
 */
public final class Numbers {
    private static final int GROUP = 3;

    private Numbers() {}

    /** A whole number with a comma before each group of three digits, such as {@code 26,518}. */
    public static String grouped(final long value) {
        final StringBuilder text = new StringBuilder(Long.toString(value));
        final int firstDigit = value < 0 ? 1 : 0;
        for (int i = text.length() - GROUP; i > firstDigit; i -= GROUP) {
            text.insert(i, ',');
        }
        return text.toString();
    }

    /** A number with a fixed count of decimals, such as {@code 4.20}. */
    public static String fixed(final double value, final int decimals) {
        return BigDecimal.valueOf(value)
                .setScale(decimals, RoundingMode.HALF_UP)
                .toPlainString();
    }

    /** A small number with two digits, such as {@code 2.7e-14}. */
    public static String scientific(final double value) {
        return String.format(Locale.ROOT, "%.1e", value);
    }

    /** A count of things, such as {@code 1 process} or {@code 4 processes}. */
    public static String count(final long value, final String one, final String many) {
        return grouped(value) + " " + (value == 1 ? one : many);
    }
}
