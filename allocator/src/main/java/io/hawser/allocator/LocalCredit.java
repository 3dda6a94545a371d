package io.hawser.allocator;

import io.hawser.transport.ConsumptionListener;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.WindowPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The credit of a lane within a process. Both ends see the same books, so nothing has to be granted: what may be under way is the window, and what has been consumed
 * is read where it is counted. Bytes are charged as on the wire.
 *
 * <p><em>Threading:</em> {@link #consumed} by any thread, the rest by the worker that pushes.
 */
final class LocalCredit implements ConsumptionListener {
    /** As between processes: a window that is used up faster than this is too narrow. */
    private static final long FAST_INTERVAL_NS = 4_000_000;

    /** Who is slower than this has no use for a wide window. */
    private static final long SLOW_INTERVAL_NS = 400_000_000;

    private final LaneAddress address;
    private final long ownWindow;
    private final boolean isBounded;
    private final WindowPool pool;

    /** Whether the pushing worker is among the targets: it cannot wait for itself, so more room is the only help. */
    private final boolean isToSelf;

    private final RoomSignal signal;

    /** By target worker of the range. */
    private final AtomicLongArray consumed;

    private long sent;
    private volatile long window;

    /** What had been consumed at the lack from which on it is measured how fast the lane is read, and when that was. */
    private long markLeast;

    private long markNs;

    /** The lane is read slowly, and others wish for more: it is narrowed as soon as what is under way allows. */
    private boolean isToNarrow;

    /** Volatile: the least that all targets have to have consumed before the worker wants to know. */
    private volatile long wanted = Long.MAX_VALUE;

    /** What had been sent when the lane was closed; volatile, so that whoever consumes the last of it sees that. */
    private volatile long sentInAll = Long.MAX_VALUE;

    private final AtomicBoolean isReturned = new AtomicBoolean();

    private final GoneTargets gone;

    LocalCredit(
            final LaneAddress address,
            final long ownWindow,
            final boolean isBounded,
            final WindowPool pool,
            final RoomSignal signal,
            final GoneTargets gone) {
        this.gone = gone;
        this.address = address;
        this.ownWindow = ownWindow;
        this.window = ownWindow;
        this.isBounded = isBounded;
        this.pool = pool;
        final int own = address.sourceWorker() - address.firstTarget();
        this.isToSelf = own >= 0 && own < address.targetCount();
        this.signal = signal;
        this.consumed = new AtomicLongArray(address.targetCount());
        this.markNs = isBounded ? pool.nanoTime() : 0;
    }

    @Override
    public void receiverGone(final int worker) {
        gone.set(worker);
        signal.run();
    }

    /** Whether none of the targets reads anything any more. */
    boolean isReceiverGone() {
        return gone.areGone(address.firstTarget(), address.targetCount());
    }

    LaneAddress address() {
        return address;
    }

    @Override
    public void consumed(final int worker, final int bytes) {
        if (isBounded) {
            consumed.addAndGet(worker - address.firstTarget(), bytes);
            final long least = least();
            if (least >= wanted) {
                wanted = Long.MAX_VALUE;
                signal.run();
            }
            if (least >= sentInAll) {
                giveBack();
            }
        }
    }

    /** How long a row may be now, with the header that it would have as a frame. */
    long creditBytes() {
        return isBounded && !isReceiverGone() ? least() + window - sent - address.charge(0) : Long.MAX_VALUE;
    }

    /** The longest row that there will be room for once all has been consumed, whatever else was sent before. */
    long wholeLimit() {
        return isBounded ? window / 2 - address.charge(0) : Long.MAX_VALUE;
    }

    void charge(final int frameLength) {
        sent += address.charge(frameLength);
        narrow();
    }

    /**
     * A row did not fit. If half of the window has been read quickly since the last time, it grows, provided that the process lends something; if it is read slowly
     * while the process has little left to lend, it is narrowed again.
     */
    void noteLack() {
        if (isToSelf) {
            tryDouble(); // whoever pushes to itself does not read meanwhile
            return;
        }
        final long nowNs = pool.nanoTime();
        final long least = least();
        final long tookNs = nowNs - markNs;
        final boolean isHalfRead = least - markLeast >= window / 2;
        if (!isHalfRead && tookNs <= SLOW_INTERVAL_NS) {
            return; // too early to tell
        }
        markNs = nowNs;
        markLeast = least;
        isToNarrow = tookNs > SLOW_INTERVAL_NS && window > ownWindow && pool.isShort();
        if (tookNs < FAST_INTERVAL_NS) {
            tryDouble();
        }
    }

    /** Never between the moment when a row is found to fit and that when it is charged. */
    private void narrow() {
        if (!isToNarrow) {
            return;
        }
        final long before = window;
        final long outstanding = sent - least();
        while (window > ownWindow && outstanding <= window / 2) {
            window /= 2;
        }
        if (window < before) {
            isToNarrow = false;
            pool.give(before - window);
        }
    }

    private boolean tryDouble() {
        final boolean isLent = 2 * window <= pool.windowMax() && pool.tryTake(window);
        if (isLent) {
            window *= 2;
        }
        return isLent;
    }

    /** Asks for a signal once half of the window is free; look at {@link #isHalfFree()} once more after that. */
    void want() {
        narrow();
        wanted = sent - window / 2;
    }

    void wantNothing() {
        wanted = Long.MAX_VALUE;
    }

    boolean isHalfFree() {
        return isReceiverGone() || least() >= sent - window / 2;
    }

    /**
     * Whether there will be no room for a row, or several, before a worker of this very lane has consumed something. Widens the window first, as far as that goes.
     */
    boolean isStuckWithout(final int worker, final long rowLength) {
        final int index = worker - address.firstTarget();
        if (!isBounded || isReceiverGone() || index < 0 || index >= address.targetCount()) {
            return false;
        }
        final long needed = rowLength + address.charge(0) + sent - consumed.get(index);
        while (window < needed && tryDouble()) {
            // once more
        }
        return window < needed;
    }

    long window() {
        return window;
    }

    /** Whether a worker of this lane has consumed all of it. */
    boolean isEmptyFor(final int worker) {
        final int index = worker - address.firstTarget();
        return index >= 0 && index < address.targetCount() && consumed.get(index) == sent;
    }

    long sent() {
        return sent;
    }

    /** What all targets have consumed; any thread. */
    long least() {
        long least = consumed.get(0);
        for (int i = 1; i < consumed.length(); i++) {
            least = Math.min(least, consumed.get(i));
        }
        return least;
    }

    /** Nothing more is sent: what was borrowed is given back once all has been consumed, by whoever consumes the last of it. Idempotent. */
    void close() {
        if (isBounded) {
            sentInAll = sent; // then a look: whoever consumes adds first and looks then
            if (isSettled()) {
                giveBack();
            }
        }
    }

    /** Whether all that was sent has been consumed, as far as that is counted. */
    boolean isSettled() {
        return !isBounded || least() >= sent;
    }

    private void giveBack() {
        if (isReturned.compareAndSet(false, true)) {
            pool.give(window - ownWindow);
        }
    }
}
