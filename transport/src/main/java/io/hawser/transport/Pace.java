package io.hawser.transport;

/**
 * How often something that lasts is said: after a first while, then after twice as long each time.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Pace {
    private final long firstNs;
    private long intervalNs;
    private long dueNs;

    /**
     * It begins to last.
     *
     * @param firstNs how long it may last unsaid
     * @param nowNs   the time
     */
    Pace(long firstNs, long nowNs) {
        this.firstNs = firstNs;
        this.intervalNs = firstNs;
        this.dueNs = nowNs + firstNs;
    }

    /** {@return whether to say it now} Then it is not due for a while. */
    boolean isDue(long nowNs) {
        if (nowNs - dueNs < 0) {
            return false;
        }
        dueNs = nowNs + intervalNs;
        intervalNs *= 2;
        return true;
    }

    /** {@return when it is to be said next, or the given time if that is earlier} */
    long nextNs(long latestNs) {
        return dueNs - latestNs < 0 ? dueNs : latestNs;
    }

    /** {@return whether it has been said} */
    boolean hasBeenDue() {
        return intervalNs != firstNs;
    }
}
