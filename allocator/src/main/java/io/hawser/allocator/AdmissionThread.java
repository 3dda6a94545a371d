package io.hawser.allocator;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread in which things happen one after the other. It is made with the first thing there is to do, ticks while somebody wants it to, parks else, and ends when it is told.
 *
 * <p><em>Threading:</em> any thread posts, stops and waits for the end; what is posted is done by the thread.
 */
final class AdmissionThread implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    /** Time-outs are noticed this late at most. */
    private static final long TICK_NS = 5_000_000;

    /** What is ticked while it says so. */
    interface Ticking {
        /** Whether there is anything that time may end. */
        boolean isOpen();

        void tick();

        /** Whether the cluster is lost: then nothing will come of what is open. */
        boolean isOver();

        /** Ends what is open. Idempotent. */
        void close();
    }

    private final ThreadFactory factory;
    private final Ticking ticking;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();

    // written under the monitor of this
    private String name;
    private volatile Thread thread;
    private volatile boolean isStopped;

    /** Nobody polls any more: who posts does so himself. */
    private volatile boolean isEnded;

    AdmissionThread(final ThreadFactory factory, final Ticking ticking) {
        this.factory = factory;
        this.ticking = ticking;
    }

    /** From now on there may be a thread; what was posted before is done now. */
    synchronized void open(final String threadName) {
        name = threadName;
        startIfDue();
    }

    /** How much waits to be done. */
    int waitingCount() {
        return waitingCount.get();
    }

    /** Whether anything was ever posted. */
    boolean isStarted() {
        return thread != null;
    }

    void post(final Runnable what) {
        waitingCount.incrementAndGet();
        waiting.add(what);
        if (thread == null) {
            synchronized (this) {
                startIfDue();
                isEnded |= isStopped && thread == null;
            }
        }
        if (isEnded) {
            drainLate();
        }
        LockSupport.unpark(thread);
    }

    /** What comes after the end finds everything closed. */
    private synchronized void drainLate() {
        guarded(ticking::close);
        drain();
    }

    private void drain() {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            waitingCount.decrementAndGet();
            guarded(next);
        }
    }

    private void startIfDue() {
        if (thread == null && name != null && !isStopped && !waiting.isEmpty()) {
            final Thread made = factory.newThread(this);
            made.setName(name);
            made.setDaemon(true);
            made.start();
            thread = made;
            LockSupport.unpark(made); // whoever wanted to wake it before did not know it
        }
    }

    /** Lets it look whether it is over; allocates nothing. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Does what was posted before, then ends. Idempotent. */
    void stop() {
        synchronized (this) {
            isStopped = true;
        }
        LockSupport.unpark(thread);
    }

    /** Waits for the end, unless it is the caller itself; false if the time ran out. */
    boolean join(final long timeoutNs) throws InterruptedException {
        final Thread waitedFor;
        synchronized (this) {
            waitedFor = thread;
        }
        if (waitedFor == null || waitedFor == Thread.currentThread()) {
            return true;
        }
        TimeUnit.NANOSECONDS.timedJoin(waitedFor, timeoutNs);
        return !waitedFor.isAlive();
    }

    @Override
    public void run() {
        while (true) {
            final boolean isLast = isStopped; // asked first: what was posted before it was stopped is done
            if (isLast || ticking.isOver()) {
                guarded(ticking::close); // first: what still waits is not put to anybody any more
            }
            drain();
            if (isLast) {
                isEnded = true; // then a look: who posts adds first and looks then
                drainLate();
                return;
            }
            if (ticking.isOpen()) {
                guarded(ticking::tick);
                LockSupport.parkNanos(this, waiting.isEmpty() ? TICK_NS : 1);
            } else if (waiting.isEmpty() && !isStopped) {
                LockSupport.park(this);
            }
        }
    }

    /** One thing that goes wrong must not keep all others from being done. */
    static void guarded(final Runnable what) {
        try {
            what.run();
        } catch (final Throwable broken) {
            LOG.warn("admission: {}", broken.getMessage(), broken);
        }
    }
}
