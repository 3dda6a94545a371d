package io.hawser.fate;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A cause made beforehand, for the day on which the heap is full. Who it is about, who sees it and what is seen are fixed
 * when it is prepared; when it happens, the time is filled in, which allocates nothing.
 *
 * <p>One object serves one loss: several threads may share it, where each of them could be the first to fail.
 *
 * <p><em>Threading:</em> any thread; the first to complete it wins. A thread that comes second gets the same cause, whole: it waits,
 * spinning, for the moment that the first one needs to fill it in.
 */
public class PreparedCause { // not final: a test holds one thread up while it fills the cause in
    private final Cause cause;
    private final AtomicBoolean isTaken = new AtomicBoolean();

    /** Written once by the thread that has taken it, after it has filled the cause in: what it wrote before is seen by whoever reads this. */
    private volatile boolean isComplete;

    PreparedCause(Cause cause) {
        this.cause = cause;
    }

    /**
     * Completes the cause. Later calls change nothing.
     *
     * @param observedAtEpochMs when it was seen, see {@link Clock#epochMs()}.
     * @param thrown what was thrown, or null.
     * @return the cause, to be given to {@link Health#lose(Cause)}.
     */
    public Cause complete(long observedAtEpochMs, Throwable thrown) {
        return complete(observedAtEpochMs, 0, thrown);
    }

    /**
     * Completes the cause with a measured silence or pause. Later calls change nothing.
     *
     * @param observedAtEpochMs when it was seen, see {@link Clock#epochMs()}.
     * @param elapsedNs the silence or pause, 0 or more.
     * @param thrown what was thrown, or null.
     * @return the cause, to be given to {@link Health#lose(Cause)}.
     */
    public Cause complete(long observedAtEpochMs, long elapsedNs, Throwable thrown) {
        if (isTaken.compareAndSet(false, true)) {
            try {
                fill(cause, observedAtEpochMs, Math.max(0, elapsedNs), thrown);
            } finally {
                isComplete = true; // whatever happens to this thread, nobody spins for ever
            }
        }
        while (!isComplete) {
            Thread.onSpinWait();
        }
        return cause;
    }

    void fill(Cause prepared, long observedAtEpochMs, long elapsedNs, Throwable thrown) {
        prepared.stamp(observedAtEpochMs, elapsedNs, thrown);
    }
}
