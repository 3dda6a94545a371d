package io.hawser.framing;

/**
 * What became of a CANCEL.
 *
 * <p>Numbers are explicit, unique and never reused.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum CancelAnswer {
    /** It was cancelled. */
    CANCELLED(1),
    /** It had already ended. */
    ALREADY_DONE(2),
    /** Nothing of that name is known. */
    UNKNOWN(3);

    private static final CancelAnswer[] BY_NUMBER = byNumber();

    private final int number;

    CancelAnswer(final int number) {
        this.number = number;
    }

    /**
     * Finds a constant by its number on the wire, without allocation.
     *
     * @param number any value.
     * @return the constant, or null if the number is outside the closed set.
     */
    public static CancelAnswer of(final int number) {
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

    private static CancelAnswer[] byNumber() {
        final CancelAnswer[] constants = new CancelAnswer[values().length + 1];
        for (final CancelAnswer constant : values()) {
            constants[constant.number] = constant;
        }
        return constants;
    }
}
