package io.hawser.framing;

/**
 * How a scope ended in one process. The order is that of their weight: the worst word of all members is the outcome.
 *
 * <p>Numbers are explicit, unique and never reused.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum FateWord {
    /** All its members have finished. */
    COMPLETED(1),
    /** Somebody has asked for its end. */
    CANCELLED(2),
    /** Something in it has failed. */
    FAILED(3);

    private static final FateWord[] BY_NUMBER = byNumber();

    private final int number;

    FateWord(final int number) {
        this.number = number;
    }

    /**
     * Finds a constant by its number on the wire, without allocation.
     *
     * @param number any value.
     * @return the constant, or null if the number is outside the closed set.
     */
    public static FateWord of(final int number) {
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

    private static FateWord[] byNumber() {
        final FateWord[] constants = new FateWord[values().length + 1];
        for (final FateWord constant : values()) {
            constants[constant.number] = constant;
        }
        return constants;
    }
}
