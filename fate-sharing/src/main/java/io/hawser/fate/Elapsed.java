package io.hawser.fate;

/** Spans of time as people read them, the same under every locale. */
final class Elapsed {
    private static final long NS_PER_US = 1_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_S = 1_000_000_000;

    private Elapsed() {}

    /** For example {@code "3.250 s"}, {@code "12.003 ms"}, {@code "0.045 ms"}. */
    static String text(long spanNs) {
        return spanNs >= NS_PER_S
                ? decimal(spanNs / NS_PER_S, spanNs % NS_PER_S / NS_PER_MS, " s")
                : decimal(spanNs / NS_PER_MS, spanNs % NS_PER_MS / NS_PER_US, " ms");
    }

    private static String decimal(long whole, long thousandths, String unit) {
        return whole + "." + Long.toString(1_000 + thousandths).substring(1) + unit;
    }
}
