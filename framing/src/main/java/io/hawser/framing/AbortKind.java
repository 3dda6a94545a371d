package io.hawser.framing;

/**
 * The kinds of first cause that an ABORT tells.
 *
 * <p>Numbers are explicit, unique and never reused.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum AbortKind {
    /** A connection ended without a hang-up. */
    PEER_LOST(1),
    /** No byte came for the silence time-out. */
    PEER_SILENT(2),
    /** A peer sent what it must not send. */
    PROTOCOL_VIOLATED(3),
    /** A worker threw. */
    WORKER_PANICKED(4),
    /** A process is being ended. */
    PROCESS_EXITING(5),
    /** A thread of the transport itself threw. */
    TRANSPORT_THREAD_FAILED(6),
    /** The user closed the cluster before its work was done. */
    CLOSED_BY_USER(7),
    /** A process found that it had been stopped for longer than the silence time-out. */
    PROCESS_SUSPENDED(8),
    /** A process gave up forming, or raised its generation, after it had sent READY. */
    FORMATION_ABANDONED(9),
    /** A worker's code stood still for longer than its process allows. */
    WORKER_STALLED(10);

    private static final AbortKind[] BY_NUMBER = byNumber();

    private final int number;

    AbortKind(final int number) {
        this.number = number;
    }

    /**
     * Finds a constant by its number on the wire, without allocation.
     *
     * @param number any value.
     * @return the constant, or null if the number is outside the closed set.
     */
    public static AbortKind of(final int number) {
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

    private static AbortKind[] byNumber() {
        final AbortKind[] constants = new AbortKind[values().length + 1];
        for (final AbortKind constant : values()) {
            constants[constant.number] = constant;
        }
        return constants;
    }
}
