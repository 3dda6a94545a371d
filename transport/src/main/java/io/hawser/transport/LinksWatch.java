package io.hawser.transport;

import io.hawser.fate.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the watches of all links of a process, which have the same settings and so are due at the same moments.
 *
 * <p><em>Threading:</em> {@link #run} is the body of one thread; the rest may be called by any.
 */
final class LinksWatch implements Runnable {
    private final Clock clock;
    private final long idleNs;
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private volatile boolean isStopped;

    LinksWatch(ClusterConfig config) {
        this.clock = config.clock();
        this.idleNs = config.silenceTimeoutNs();
    }

    void add(Watch watch, Thread thread) {
        watches.add(watch);
        LockSupport.unpark(thread);
    }

    void stop(Thread thread) {
        isStopped = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        while (!isStopped) {
            long waitNs = idleNs;
            for (Watch watch : watches) {
                if (isOver(watch)) {
                    watches.remove(watch);
                } else {
                    waitNs = Math.min(waitNs, watch.toNextTickNs(clock.nanoTime()));
                }
            }
            LockSupport.parkNanos(this, waitNs);
        }
    }

    /** What one of them throws must not blind the others. */
    private static boolean isOver(Watch watch) {
        try {
            return watch.step();
        } catch (Throwable untold) {
            Logs.LINK.error("a link has ended, and nobody could be told", untold);
            return true;
        }
    }
}
