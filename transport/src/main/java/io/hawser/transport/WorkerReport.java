package io.hawser.transport;

import java.util.function.LongSupplier;

/**
 * What one worker lets the cluster know of itself: that it moves, and for whose credit a push of it has been waiting.
 *
 * <p><em>Threading:</em> the worker's thread; what it says may be read by any.
 */
public final class WorkerReport {
    private final int worker;
    private final LongSupplier progress;
    private final StandstillWatch watch;

    /** The wait that has lasted for long enough to be spoken of; null if there is none. */
    private volatile WaitNews wait;

    /** How many waits have been spoken of; counted after {@link #wait} is set. */
    private volatile long waitCount;

    private boolean isAnnounced;

    WorkerReport(final int worker, final LongSupplier progress, final StandstillWatch watch) {
        this.worker = worker;
        this.progress = progress;
        this.watch = watch;
    }

    /**
     * How long a push is to wait before it says so, and between two times.
     *
     * @return nanoseconds
     */
    public long patienceNs() {
        return watch.patienceNs();
    }

    /**
     * A push still waits. Tells the other processes, and says in the log who waits for whom if it is time for that.
     *
     * @param lane     for whose credit
     * @param bytes    how much it needs
     * @param waitedNs how long it has waited, ns
     */
    public void stillWaiting(final LaneAddress lane, final long bytes, final long waitedNs) {
        final WaitNews before = wait;
        final WaitNews now =
                before == null ? WaitNews.waiting(worker, lane, waitCount, waitedNs, bytes) : before.after(waitedNs);
        wait = now;
        if (!isAnnounced) {
            waitCount = now.number() + 1;
            isAnnounced = true;
            watch.announce(now);
        }
        watch.check();
    }

    /** The push waits no more, for whatever reason. */
    public void over() {
        final WaitNews last = wait;
        if (last != null) {
            wait = null;
            isAnnounced = false;
            watch.announce(last.over());
        }
    }

    long waitCount() {
        return waitCount;
    }

    WaitNews currentWait() {
        return wait;
    }

    long progress() {
        return progress.getAsLong();
    }
}
