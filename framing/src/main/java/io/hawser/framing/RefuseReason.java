package io.hawser.framing;

/**
 * Why a process refuses to talk to another.
 *
 * <p>Numbers are explicit, unique and never reused.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum RefuseReason {
    /** No protocol version is spoken by both sides. */
    VERSION(1, false),
    /** Another cluster id. */
    CLUSTER(2, false),
    /** Process count or workers per process differ. */
    SHAPE(3, false),
    /** Heartbeat interval or silence time-out differ. */
    SETTINGS(4, false),
    /** The wrong process at that address, or the process itself; an address may be stale. */
    INDEX(5, true),
    /** That index is held by a process that has proved to be alive. */
    DUPLICATE(6, false),
    /** The refused side has to raise its generation to the one told before it tries again. */
    STALE_GENERATION(7, true),
    /** The process still runs, or closes, another generation, or another instance holds the index and may be dead. */
    BUSY(8, true),
    /** What came was not a well-formed HELLO. */
    MALFORMED(9, false),
    /** The refused side has not proved who it is. Not sent by this version. */
    UNAUTHENTICATED(10, false),
    /** Too many unidentified connections. */
    OVERLOADED(11, true);

    private static final RefuseReason[] BY_NUMBER = byNumber();

    private final int number;
    private final boolean isRetryable;

    RefuseReason(final int number, final boolean isRetryable) {
        this.number = number;
        this.isRetryable = isRetryable;
    }

    /**
     * Finds a constant by its number on the wire, without allocation.
     *
     * @param number any value.
     * @return the constant, or null if the number is outside the closed set.
     */
    public static RefuseReason of(final int number) {
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

    /**
     * Whether the refused side may try again.
     *
     * @return true if a later attempt can succeed.
     */
    public boolean isRetryable() {
        return isRetryable;
    }

    /**
     * Whether the refused side gives up.
     *
     * @return true if no later attempt can succeed.
     */
    public boolean isFinal() {
        return !isRetryable;
    }

    private static RefuseReason[] byNumber() {
        final RefuseReason[] constants = new RefuseReason[values().length + 1];
        for (final RefuseReason constant : values()) {
            constants[constant.number] = constant;
        }
        return constants;
    }
}
