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
    private static final long RETRY_NS = 100_000_000;

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
                waitNs = Math.min(waitNs, step(watch));
            }
            LockSupport.parkNanos(this, waitNs);
        }
    }

    /** Returns for how long nothing is due. What one of them throws must not blind the others; it is looked at again, since somebody waits to be told of its end. */
    private long step(Watch watch) {
        try {
            if (watch.step()) {
                watches.remove(watch);
                return idleNs;
            }
            return watch.toNextTickNs(clock.nanoTime());
        } catch (Throwable untold) {
            say(untold);
            return RETRY_NS;
        }
    }

    private static void say(Throwable untold) {
        try {
            Logs.LINK.error("the watch of a link failed, and goes on", untold);
        } catch (Throwable noMemory) {
            // a log line is not worth all links
        }
    }
}
