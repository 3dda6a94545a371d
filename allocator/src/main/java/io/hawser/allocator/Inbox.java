package io.hawser.allocator;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What has arrived for one worker and was not yet taken, in order of arrival, and the bed that the worker sleeps in.
 *
 * <p>No wake-up is lost: a producer puts its delivery into the queue and then reads the flag that says whether the worker is
 * parked; the worker sets that flag and then looks into the queue once more. A full fence stands between the two steps on both sides, so one
 * of the two sees the other. Who finds the flag set clears it, so that of many producers one wakes, and none wakes who is awake.
 *
 * <p>A delivery that arrives after the worker has ended is released at once, by whoever brings it.
 *
 * <p><em>Threading:</em> any thread delivers and wakes; the worker alone polls, parks and closes.
 */
final class Inbox {
    private static final VarHandle PARKED;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(Inbox.class, "parked", boolean.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final DeliveryQueue queue = new DeliveryQueue();
    private final Whereabouts whereabouts = new Whereabouts();

    /** How many threads wish to empty the closed queue; the first does it for all. */
    private final AtomicInteger disposalCount = new AtomicInteger();

    // written by the worker's thread; parked is also cleared by whoever wakes it
    private volatile Thread owner;
    private volatile boolean parked;
    private volatile boolean isClosed;

    /** Where the worker is that this is the inbox of. */
    Whereabouts whereabouts() {
        return whereabouts;
    }

    /** Hands a delivery over, with one reference to its slab. */
    void deliver(final Delivery delivery) {
        queue.offer(delivery);
        VarHandle.fullFence(); // pairs with park and close
        if (isClosed) {
            dispose();
        } else {
            wake();
        }
    }

    /** Something has changed that the worker's watch reads: wakes it if it is parked, or about to. */
    void wakeUnlessAwake() {
        VarHandle.fullFence(); // pairs with park
        wake();
    }

    /** Wakes the worker if it is parked. */
    void wake() {
        if (parked && PARKED.compareAndSet(this, true, false)) {
            LockSupport.unpark(owner);
        }
    }

    /** Takes the oldest delivery, or returns null if there is none. */
    Delivery poll() {
        return queue.poll();
    }

    /**
     * Parks the calling worker unless something has arrived or {@code watch} asks it to stay awake. May return for no reason.
     *
     * @param watch     what else there is to wake up for; read after the flag was set
     * @param timeoutNs how long at most; {@link Long#MAX_VALUE} for no limit
     */
    void park(final ParkWatch watch, final long timeoutNs) {
        owner = Thread.currentThread();
        parked = true;
        VarHandle.fullFence(); // pairs with deliver, and with whatever the watch reads
        if (queue.isEmpty() && !watch.isAwakeNeeded()) {
            whereabouts.beginWait();
            if (timeoutNs == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, timeoutNs);
            }
            whereabouts.goOn();
        }
        parked = false;
    }

    /** Releases all that is here and all that will come. Idempotent. */
    void close() {
        isClosed = true;
        VarHandle.fullFence(); // pairs with deliver
        dispose();
    }

    /** Empties the closed queue. The queue bears one consumer, so a thread that finds another at it leaves it a note. */
    private void dispose() {
        if (disposalCount.getAndIncrement() != 0) {
            return;
        }
        int noticed = 1;
        do {
            for (Delivery delivery = queue.poll(); delivery != null; delivery = queue.poll()) {
                delivery.release();
            }
            noticed = disposalCount.addAndGet(-noticed);
        } while (noticed != 0);
    }

    /** What a worker asks about between announcing that it parks and parking. */
    @FunctionalInterface
    interface ParkWatch {
        /** Whether there is a reason not to sleep. */
        boolean isAwakeNeeded();
    }
}
