package io.hawser.fate;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A cause made beforehand, for the day on which the heap is full. Who it is about, who sees it and what is seen are fixed
 * when it is prepared; when it happens, the time is filled in, which allocates nothing.
 *
 * <p>One object serves one loss: the thread that may fail keeps one per generation.
 *
 * <p><em>Threading:</em> any thread; the first to complete it wins. A thread that comes second gets the same cause, and may
 * only read it after it has seen health lost through it.
 */
public final class PreparedCause {
    private final Cause cause;
    private final AtomicBoolean isComplete = new AtomicBoolean();

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
        if (isComplete.compareAndSet(false, true)) {
            cause.stamp(observedAtEpochMs, Math.max(0, elapsedNs), thrown);
        }
        return cause;
    }
}
