package io.hawser.fate;

/**
 * Judges whether one worker of this process still calls the library. Pure: what is seen of the worker and the time come in at each look, a verdict goes out.
 *
 * <p>Only time that this process itself has lived through counts: between two looks at most twice of what is meant to lie between them, so that a process which was stopped, or collected garbage,
 * does not blame its workers. It counts while the worker's own code runs and has not called the library since the look before; any other sight begins anew.
 *
 * <pre>
 *               timeout          stack, or 1 s        limit            2 × limit
 *    QUIET ----------------&gt; BEGUN ----------&gt; TOLD --------&gt; FAILED -----------&gt; LOST
 *      ^------------------------'  nothing       |               |                  |
 *      '-----------------------------------------'---------------'------------------'  OVER
 * </pre>
 *
 * <p><em>Threading:</em> one thread looks.
 */
public final class StallDetector {
    /** How long what is told of a stall waits for the stack of the worker: it takes a moment, or may never come. Not a setting: nothing but the text hangs on it. */
    public static final long STACK_WAIT_NS = 1_000_000_000;

    /** A limit that is never reached. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    private static final int GAP_TICKS_MAX = 2;

    /** What a look has brought up; each but {@link #NONE} once for each stall, and in this order. */
    public enum Verdict {
        /** Nothing new. */
        NONE,
        /** It has stood still for the time-out: its stack is to be taken. */
        BEGUN,
        /** It still does, and its stack is there or has been waited for: it is to be told. */
        TOLD,
        /** It has stood still for the limit: its scope has failed. */
        FAILED,
        /** It has stood still for twice the limit: all has failed. */
        LOST,
        /** What was told is over. */
        OVER
    }

    private final long timeoutNs;
    private final long limitNs;
    private final long gapMaxNs;

    // by the thread that looks
    private Verdict stage = Verdict.NONE;
    private boolean hasLooked;
    private long phase;
    private long stamp;
    private long lookNs;
    private long ageNs;
    private long begunAgeNs;
    private long number = -1;

    /**
     * Nothing has been seen yet.
     *
     * @param tickNs    how far apart looks are meant to be, more than 0.
     * @param timeoutNs for how long a worker stands still unsaid, more than 0.
     * @param limitNs   for how long at most, not below the time-out; or {@link #NO_LIMIT}.
     */
    public StallDetector(long tickNs, long timeoutNs, long limitNs) {
        if (tickNs <= 0 || timeoutNs <= 0 || limitNs < timeoutNs) {
            throw new IllegalArgumentException("must be more than 0, and the limit not below the time-out: tickNs="
                    + tickNs + " timeoutNs=" + timeoutNs + " limitNs=" + limitNs);
        }
        this.gapMaxNs = GAP_TICKS_MAX * tickNs;
        this.timeoutNs = timeoutNs;
        this.limitNs = limitNs;
    }

    /**
     * Whether the worker's own code runs.
     *
     * @param phase of the worker, see {@link #onLook}.
     * @return true if it is even.
     */
    public static boolean isInUserCode(long phase) {
        return (phase & 1) == 0;
    }

    /**
     * Looks at the worker.
     *
     * @param seenPhase    a number that changes whenever the worker begins or ends to wait within the library: even while its own code runs, odd while it waits, has not begun, or has ended.
     * @param seenStamp    a number that grows with each of its calls into the library.
     * @param isStackThere whether its stack has been taken since the stall began.
     * @param nowNs        the present.
     * @return what this look has brought up.
     */
    public Verdict onLook(long seenPhase, long seenStamp, boolean isStackThere, long nowNs) {
        boolean hasStood = hasLooked && seenPhase == phase && seenStamp == stamp && isInUserCode(seenPhase);
        ageNs = hasStood ? ageNs + Math.min(Math.max(0, nowNs - lookNs), gapMaxNs) : 0;
        hasLooked = true;
        phase = seenPhase;
        stamp = seenStamp;
        lookNs = nowNs;
        return hasStood ? next(isStackThere) : end();
    }

    private Verdict end() {
        boolean wasTold = stage.compareTo(Verdict.TOLD) >= 0;
        stage = Verdict.NONE;
        return wasTold ? Verdict.OVER : Verdict.NONE;
    }

    private Verdict next(boolean isStackThere) {
        boolean isDue = switch (stage) {
            case NONE -> ageNs >= timeoutNs;
            case BEGUN -> isStackThere || ageNs - begunAgeNs >= STACK_WAIT_NS;
            case TOLD -> ageNs >= limitNs;
            case FAILED -> ageNs - limitNs >= limitNs;
            case LOST, OVER -> false;
        };
        if (!isDue) {
            return Verdict.NONE;
        }
        stage = Verdict.values()[stage.ordinal() + 1]; // they are in order
        if (stage == Verdict.BEGUN) {
            begunAgeNs = ageNs;
            number++;
        }
        return stage;
    }

    /**
     * For how long it has stood still, as far as that counts.
     *
     * @return nanoseconds, as of the last look.
     */
    public long ageNs() {
        return ageNs;
    }

    /**
     * Which stall of the worker is the current one, or was the last.
     *
     * @return a number that rises with each; -1 before the first.
     */
    public long number() {
        return number;
    }
}
