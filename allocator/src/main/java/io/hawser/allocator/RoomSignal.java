package io.hawser.allocator;

import java.util.concurrent.locks.LockSupport;

/**
 * Tells a worker that there may be room again in something that it asks for: a ring, or credit.
 *
 * <p>The worker clears the signal, looks, and sleeps if it is still clear; whoever makes room sets it and then wakes the worker, wherever that sleeps.
 *
 * <p><em>Threading:</em> {@link #run} by any thread, the rest by the worker.
 */
final class RoomSignal implements Runnable {
    private final Inbox inbox;

    private volatile boolean isSet;
    private volatile Thread waiter;

    RoomSignal(final Inbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public void run() {
        isSet = true;
        final Thread waiting = waiter;
        if (waiting == null) {
            inbox.wake();
        } else {
            LockSupport.unpark(waiting);
        }
    }

    /** Where the worker is that is told. */
    Whereabouts whereabouts() {
        return inbox.whereabouts();
    }

    boolean isSet() {
        return isSet;
    }

    void clear() {
        isSet = false;
    }

    /** Parks unless the signal is set; may return for no reason. */
    void await(final long timeoutNs) {
        waiter = Thread.currentThread();
        if (!isSet) {
            whereabouts().beginWait();
            if (timeoutNs == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, timeoutNs);
            }
            whereabouts().goOn();
        }
        waiter = null;
    }
}
