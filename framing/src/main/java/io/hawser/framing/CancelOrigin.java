package io.hawser.framing;

/**
 * Where the wish to drop something comes from.
 *
 * <p>Numbers are explicit, unique and never reused.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum CancelOrigin {
    /** A user. */
    USER(1),
    /** The receiver of the stream is gone. */
    RECEIVER_GONE(2),
    /** A reservation is released. */
    RELEASE(3);

    private static final CancelOrigin[] BY_NUMBER = byNumber();

    private final int number;

    CancelOrigin(final int number) {
        this.number = number;
    }

    /**
     * Finds a constant by its number on the wire, without allocation.
     *
     * @param number any value.
     * @return the constant, or null if the number is outside the closed set.
     */
    public static CancelOrigin of(final int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /**
     * The number of this constant on the wire.
     *
     * @return the number, 1 or more.
     */
    public int number() {
        return number;
    }

    private static CancelOrigin[] byNumber() {
        final CancelOrigin[] constants = new CancelOrigin[values().length + 1];
        for (final CancelOrigin constant : values()) {
            constants[constant.number] = constant;
        }
        return constants;
    }
}
