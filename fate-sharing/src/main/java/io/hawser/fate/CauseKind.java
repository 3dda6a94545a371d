package io.hawser.fate;

/**
 * Why health was lost. The codes are those of the ABORT frame; they are never reused.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum CauseKind {
    /** A peer's stream ended without its hang-up: the process has most likely died. */
    PEER_LOST(
            1,
            "was lost",
            "look at its exit status and log; if both say nothing, ask the kernel log whether it was killed for memory"),

    /** No byte came from a peer for the silence time-out. */
    PEER_SILENT(
            2,
            "fell silent",
            "see whether it was stopped, swapping, collecting garbage or cut off; raise silenceTimeout if pauses of"
                    + " this length are normal"),

    /** A peer sent what the protocol does not allow. */
    PROTOCOL_VIOLATED(
            3,
            "violated the protocol",
            "check that all processes run the same release; if they do, keep the logs of both sides and report it"),

    /** A worker's code threw. */
    WORKER_PANICKED(4, "panicked", "look for the stack trace in the log of that process"),

    /** A process is being ended from inside or by a signal that it could still handle. */
    PROCESS_EXITING(
            5,
            "was exiting",
            "find out who ended it: System.exit, SIGTERM or Ctrl-C; its exit status tells them apart"),

    /** A thread of the transport itself failed. */
    THREAD_FAILED(
            6,
            "lost a transport thread",
            "look for the stack trace in its log; after an OutOfMemoryError give it more memory, otherwise report it"),

    /** The user of a process closed the cluster before its work was done. */
    CLOSED_BY_USER(7, "was closed by its user", "nothing is broken if that was intended"),

    /** A process found that it had itself been suspended for longer than its peers can tolerate. */
    PROCESS_SUSPENDED(
            8,
            "was suspended",
            "look for SIGSTOP, a suspended machine or a long garbage collection; raise silenceTimeout if pauses of"
                    + " this length are normal"),

    /** A process gave up forming the cluster after it had told others that it was ready. */
    FORMATION_ABANDONED(
            9,
            "gave up forming the cluster",
            "look at its formation report; if a newer generation was being formed, nothing is broken"),

    /** A worker's code did not call the library for longer than its process allows. */
    WORKER_STALLED(
            10,
            "stalled",
            "look at its stack above: it computes, sleeps or waits for a lock without calling the library; raise stallLimit if"
                    + " steps of this length are normal");

    private static final CauseKind[] BY_CODE = values();

    private final int code;
    private final String phrase;
    private final String advice;

    CauseKind(int code, String phrase, String advice) {
        this.code = code;
        this.phrase = phrase;
        this.advice = advice;
    }

    /**
     * The number of this kind on the wire.
     *
     * @return 1 to 10.
     */
    public int code() {
        return code;
    }

    /**
     * What happened, as a verb phrase that follows the name of the process or worker.
     *
     * @return for example {@code "fell silent"}.
     */
    public String phrase() {
        return phrase;
    }

    /**
     * What the person on call does next.
     *
     * @return one or two clauses in the imperative, without a full stop.
     */
    public String advice() {
        return advice;
    }

    /**
     * Whether a number stands for a kind.
     *
     * @param code any number, for example from the wire.
     * @return true if {@link #fromCode(int)} accepts it.
     */
    public static boolean isCode(int code) {
        return code >= 1 && code <= BY_CODE.length;
    }

    /**
     * The kind with a given number.
     *
     * @param code 1 to 10.
     * @return the kind.
     * @throws IllegalArgumentException if no kind has this number.
     */
    public static CauseKind fromCode(int code) {
        if (!isCode(code)) {
            throw new IllegalArgumentException("unknown kind of cause: code=" + code);
        }
        return BY_CODE[code - 1];
    }
}
