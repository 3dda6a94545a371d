package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;

/**
 * Something that was done to a simulated cluster, and which causes it explains: those that name what it was done to, and nobody else.
 *
 * @param kind    what was done
 * @param atNs    when, since the start of time
 * @param untilNs when it was over
 * @param process to which process, or from which one
 * @param other   to which process a link leads, -1 if it was not a link
 * @param pid     of the process, so that its successor is not blamed
 */
record Fault(Kind kind, long atNs, long untilNs, int process, int other, long pid) {
    /** What can be done. */
    enum Kind {
        /** A process is killed; its kernel closes its sockets. */
        KILL,
        /** A machine is gone, without a word. */
        VANISH,
        /** A process is suspended and goes on later. */
        PAUSE,
        /** A worker throws. */
        PANIC,
        /** A connection is cut at any byte; both ends see its end. */
        CUT,
        /** Nothing gets from one process to another any more. */
        BLOCK,
        /** Nothing gets from one process to another for a while, then all of it does. */
        STALL,
        /** A bit is inverted on the way. */
        FLIP,
        /** A message is taken out so that only the totals tell. */
        TAMPER
    }

    /** The shortest that can look like silence: the time-out of the simulated clusters less what else may add to it. */
    private static final long SILENCE_MIN_NS = 300_000_000;

    /** {@return until when it may show: what bends the next bytes waits for them} */
    long endNs() {
        return kind == Kind.FLIP || kind == Kind.TAMPER ? Long.MAX_VALUE : untilNs;
    }

    /** {@return whether what is open when it strikes is silent from then on, without an end} */
    boolean isForEver() {
        return kind == Kind.VANISH || kind == Kind.BLOCK;
    }

    boolean isDeath() {
        return kind == Kind.KILL || kind == Kind.VANISH;
    }

    boolean isOfLink() {
        return other >= 0;
    }

    boolean harms(int a, int b) {
        return isOfLink() && (process == a && other == b || process == b && other == a);
    }

    boolean explains(Cause cause) {
        return switch (kind) {
            case KILL, VANISH -> isLossOf(cause) && cause.subjectPid() == pid;
            case PAUSE -> isLong() && isOfPause(cause);
            case PANIC ->
                cause.kind() == CauseKind.WORKER_PANICKED && cause.subjectPid() == pid && cause.isSelfReport();
            case CUT -> cause.kind() == CauseKind.PEER_LOST && harms(cause.subjectProcess(), cause.observerProcess());
            case STALL -> isLong() && (cause.kind() == CauseKind.PEER_SILENT && isFromTo(cause) || isEndOfLink(cause));
            case BLOCK -> cause.kind() == CauseKind.PEER_SILENT && isFromTo(cause) || isEndOfLink(cause);
            case FLIP, TAMPER -> cause.kind() == CauseKind.PROTOCOL_VIOLATED && isFromTo(cause) || isEndOfLink(cause);
        };
    }

    /** Others find it silent; it finds itself suspended, or links ended that were given up before their start. */
    private boolean isOfPause(Cause cause) {
        boolean isAboutIt = cause.subjectPid() == pid
                && (cause.kind() == CauseKind.PEER_SILENT || cause.kind() == CauseKind.PROCESS_SUSPENDED);
        return isAboutIt || cause.kind() == CauseKind.PEER_LOST && cause.observerProcess() == process;
    }

    /** Before the start a bad link is closed without a word; a peer that has started sees only its end. */
    private boolean isEndOfLink(Cause cause) {
        return cause.kind() == CauseKind.PEER_LOST
                && cause.subjectProcess() == other
                && cause.observerProcess() == process;
    }

    private boolean isLong() {
        return untilNs - atNs >= SILENCE_MIN_NS;
    }

    private static boolean isLossOf(Cause cause) {
        return cause.kind() == CauseKind.PEER_LOST || cause.kind() == CauseKind.PEER_SILENT;
    }

    private boolean isFromTo(Cause cause) {
        return cause.subjectProcess() == process && cause.observerProcess() == other;
    }

    @Override
    public String toString() {
        return atNs / 1_000 + " us: " + kind + " " + process + (isOfLink() ? "->" + other : "") + " pid=" + pid
                + (untilNs > atNs ? " until " + untilNs / 1_000 + " us" : "");
    }
}
