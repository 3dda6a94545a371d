package io.hawser.fate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Judges how long nothing was heard from one peer. Pure: time comes in, a verdict goes out. Time values are monotonic
 * nanoseconds, which may be negative and may overflow; only differences are used.
 *
 * <p><em>Threading:</em> one thread hears (the receive thread), one thread forgives (the watch), any thread judges. Both
 * writes are release stores, both reads acquire loads; nothing else is published through them.
 */
public final class SilenceDetector {
    private static final VarHandle HEARD = handle("heardNs");
    private static final VarHandle FORGIVEN = handle("forgivenNs");

    private final long timeoutNs;

    /** Written by the thread that hears. */
    @SuppressWarnings("UnusedVariable") // through HEARD
    private long heardNs;

    /** Written by the thread that forgives. */
    @SuppressWarnings("UnusedVariable") // through FORGIVEN
    private long forgivenNs;

    /**
     * Starts as if the peer had just been heard.
     *
     * @param timeoutNs how much silence is too much, more than 0.
     * @param nowNs the present.
     */
    public SilenceDetector(long timeoutNs, long nowNs) {
        if (timeoutNs <= 0) {
            throw new IllegalArgumentException("must be more than 0: timeoutNs=" + timeoutNs);
        }
        this.timeoutNs = timeoutNs;
        onHeard(nowNs);
        forgive(nowNs);
    }

    /**
     * Something came: any byte counts.
     *
     * @param nowNs the present.
     */
    public void onHeard(long nowNs) {
        HEARD.setRelease(this, nowNs);
    }

    /**
     * Forgives the silence so far, because the listening process was itself suspended and could not hear. The peer gets the
     * whole time-out again.
     *
     * @param nowNs the present.
     */
    public void forgive(long nowNs) {
        FORGIVEN.setRelease(this, nowNs);
    }

    /**
     * For how long nothing was heard, not counting what was forgiven.
     *
     * @param nowNs the present.
     * @return 0 or more; 0 also if something was heard after the caller read its clock.
     */
    public long silenceNs(long nowNs) {
        long sinceHeardNs = nowNs - (long) HEARD.getAcquire(this);
        long sinceForgivenNs = nowNs - (long) FORGIVEN.getAcquire(this);
        return Math.max(0, Math.min(sinceHeardNs, sinceForgivenNs));
    }

    /**
     * Whether the silence has reached the time-out.
     *
     * @param nowNs the present.
     * @return true if the peer has failed.
     */
    public boolean isSilent(long nowNs) {
        return silenceNs(nowNs) >= timeoutNs;
    }

    /**
     * How much silence is too much.
     *
     * @return the time-out in nanoseconds.
     */
    public long timeoutNs() {
        return timeoutNs;
    }

    /**
     * What was seen, in words fit for {@link CauseBuilder#seen(String)}: the measured silence, the setting that it exceeds
     * and its value, and whether this process had pauses of its own.
     *
     * @param nowNs the present.
     * @param longestPauseNs the longest pause of the judging process, see {@link PauseDetector#longestPauseNs()}.
     * @return one line.
     */
    public String describe(long nowNs, long longestPauseNs) {
        return "no byte came for " + Elapsed.text(silenceNs(nowNs)) + ", silenceTimeout is " + Elapsed.text(timeoutNs)
                + ", the longest pause of the observer itself was " + Elapsed.text(longestPauseNs);
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(SilenceDetector.class, field, long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }
}
