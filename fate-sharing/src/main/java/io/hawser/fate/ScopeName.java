package io.hawser.fate;

import java.util.Objects;

/** Names of scopes and listeners: they end up in thread names and log lines, so they are short and printable. */
final class ScopeName {
    private static final int MAX_BYTES = 255;

    private ScopeName() {}

    static String check(String name, String what) {
        Objects.requireNonNull(name, what);
        if (name.isBlank() || !name.equals(OneLineText.of(name, MAX_BYTES))) {
            throw new IllegalArgumentException("must be one line of 1 to " + MAX_BYTES + " bytes, trimmed: " + what
                    + "=" + OneLineText.of(name, MAX_BYTES));
        }
        return name;
    }
}
