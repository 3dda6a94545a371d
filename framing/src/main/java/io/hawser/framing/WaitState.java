package io.hawser.framing;

/**
 * Whether a push still waits, or its worker is stalled.
 *
 * <p>Numbers are explicit, unique and never reused.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum WaitState {
    /** It waits. */
    WAITING(1),
    /** It goes on: the wait is over. */
    OVER(2),
    /** No push waits: the worker's code has not called the library for a while. */
    STALLED(3);

    private static final WaitState[] BY_NUMBER = byNumber();

    private final int number;

    WaitState(final int number) {
        this.number = number;
    }

    /**
     * Finds a constant by its number on the wire, without allocation.
     *
     * @param number any value.
     * @return the constant, or null if the number is outside the closed set.
     */
    public static WaitState of(final int number) {
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

    private static WaitState[] byNumber() {
        final WaitState[] constants = new WaitState[values().length + 1];
        for (final WaitState constant : values()) {
            constants[constant.number] = constant;
        }
        return constants;
    }
}
