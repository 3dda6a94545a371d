package io.hawser.fate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices that this process itself was suspended (SIGSTOP, a long garbage collection, a starved machine): a thread that
 * should have come round came much too late. Whoever was suspended must not blame its peers for the silence.
 *
 * <p>Pure: time comes in, monotonic, compared by difference only. A clock that stands still while the machine is suspended
 * hides that pause.
 *
 * <p><em>Threading:</em> one thread ticks; any thread reads the longest pause.
 */
public final class PauseDetector {
    private final long tickNs;
    private final long toleranceNs;

    /** Written by the ticking thread. */
    private long lastTickNs;

    /** Written by the ticking thread, read by all. */
    private final AtomicLong longestPauseNs = new AtomicLong();

    /**
     * Starts with a tick.
     *
     * @param tickNs how far apart ticks are meant to be, more than 0.
     * @param toleranceNs how late a tick may be without being taken for a pause, 0 or more.
     * @param nowNs the present.
     */
    public PauseDetector(long tickNs, long toleranceNs, long nowNs) {
        if (tickNs <= 0) {
            throw new IllegalArgumentException("must be more than 0: tickNs=" + tickNs);
        }
        if (toleranceNs < 0) {
            throw new IllegalArgumentException("must be at least 0: toleranceNs=" + toleranceNs);
        }
        this.tickNs = tickNs;
        this.toleranceNs = toleranceNs;
        lastTickNs = nowNs;
    }

    /**
     * The ticking thread came round.
     *
     * @param nowNs the present.
     * @return the pause, that is by how much the tick came late; 0 if it was within the tolerance.
     */
    public long onTick(long nowNs) {
        long lateNs = nowNs - lastTickNs - tickNs;
        lastTickNs = nowNs;
        if (lateNs <= toleranceNs) {
            return 0;
        }
        if (lateNs > longestPauseNs.getPlain()) {
            longestPauseNs.setRelease(lateNs);
        }
        return lateNs;
    }

    /**
     * The longest pause noticed so far.
     *
     * @return nanoseconds; 0 if there was none.
     */
    public long longestPauseNs() {
        return longestPauseNs.getAcquire();
    }
}
