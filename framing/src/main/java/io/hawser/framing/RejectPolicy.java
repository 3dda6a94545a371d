package io.hawser.framing;

/**
 * What the side whose work was rejected may do next.
 *
 * <p>Numbers are explicit, unique and never reused.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum RejectPolicy {
    /** Nowhere: the work itself is at fault. */
    NEVER(1),
    /** Try here again after the time told. */
    LATER_HERE(2),
    /** Try another process. */
    ELSEWHERE(3);

    private static final RejectPolicy[] BY_NUMBER = byNumber();

    private final int number;

    RejectPolicy(final int number) {
        this.number = number;
    }

    /**
     * Finds a constant by its number on the wire, without allocation.
     *
     * @param number any value.
     * @return the constant, or null if the number is outside the closed set.
     */
    public static RejectPolicy of(final int number) {
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

    private static RejectPolicy[] byNumber() {
        final RejectPolicy[] constants = new RejectPolicy[values().length + 1];
        for (final RejectPolicy constant : values()) {
            constants[constant.number] = constant;
        }
        return constants;
    }
}
