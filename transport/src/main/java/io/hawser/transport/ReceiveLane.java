package io.hawser.transport;

import io.hawser.framing.FragmentDescriptor;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.DirectBuffer;

/**
 * The receiving end of a lane from another process: what has come, what has been consumed, and how much more may come. All counts are bytes as frames
 * are charged ({@link Lanes#charge}), since the lane was opened, and only grow.
 *
 * <pre>
 *        consumed          received               granted = consumed + window, as of the last grant
 *           |   held here     |   in flight, or      |
 *           |                 |   credit unused      |
 *     ------+-----------------+----------------------+
 * </pre>
 *
 * <p>The window is the channel window, which is the lane's own, plus what it has of the process's {@link WindowPool}. It doubles while half of it is read
 * so fast that grants would be a burden, and falls again, when the pool is short, once it is read slowly.
 *
 * <p><em>Threading:</em> {@link #admit} is for the receive thread, {@link #consumed} for any thread, {@link #prepareGrant} and {@link #told} for the holder of the
 * sending half, who alone decides how much is granted.
 */
public final class ReceiveLane implements ConsumptionListener {
    /** Where a lane tells that it may have something to grant. */
    interface GrantSink {
        /** Called by whoever consumed; cheap, does not wait. */
        void onGrantDue(ReceiveLane lane);

        /** A worker reads nothing of the lane any more, and its sender is to know. */
        void onReceiverGone(ReceiveLane lane, int worker);
    }

    /** The window of lanes that are not limited. */
    static final long UNBOUNDED = Long.MAX_VALUE;

    /**
     * A window should last for this long: then no lane needs more than some hundred grants in a second, each of which costs both sides a wake-up, and
     * round trips of a network of one site are covered.
     */
    private static final long GRANT_INTERVAL_NS = 4_000_000;

    /** A window that is read more slowly than this may be narrowed. */
    private static final long SLOW_INTERVAL_NS = 100 * GRANT_INTERVAL_NS;

    private static final long NOT_LAST = -1;

    private final GrantSink sink;
    private final WindowPool pool;
    private final LaneAddress address;
    private final long ownWindow;

    /** Whether the lane is in the list of due grants. */
    private final AtomicBoolean isDue = new AtomicBoolean();

    /** By target worker of the range; added to by any thread. */
    private final AtomicLongArray consumed;

    /** By target worker of the range: 1 once the sender has been told that it reads nothing any more. */
    private final AtomicIntegerArray toldGone;

    // the receive thread
    private volatile long received;
    private volatile long lastReceived = NOT_LAST;
    private LaneCell cell;

    /** Volatile; nothing more comes, however much was consumed. */
    private volatile boolean isDropped;

    /** What is missing of the message whose fragments come, 0 between messages. */
    private long messageRest;

    // the holder of the sending half
    private volatile long granted;
    private volatile long window;
    private long lastGrantNs;
    private long told;
    private boolean isForgotten;

    /** What lies below in the list of due grants; written by whoever pushes it there. */
    ReceiveLane nextDue;

    /** What lies below in the list of lanes to be forgotten; written by the sending half. */
    ReceiveLane nextForgotten;

    ReceiveLane(final LaneAddress address, final long ownWindow, final WindowPool pool, final GrantSink sink) {
        this.address = address;
        this.ownWindow = ownWindow;
        this.pool = pool;
        this.sink = sink;
        this.consumed = new AtomicLongArray(address.targetCount());
        this.toldGone = new AtomicIntegerArray(address.targetCount());
        this.granted = ownWindow;
        this.window = ownWindow;
        this.lastGrantNs = isBounded() ? pool.nanoTime() : 0;
    }

    /**
     * Between whom the lane is.
     *
     * @return the address
     */
    public LaneAddress address() {
        return address;
    }

    /**
     * What a frame of this lane was charged, and has to be given back for it.
     *
     * @param header of the frame
     * @return bytes
     */
    public static int chargeOf(final FrameHeaderFlyweight header) {
        return Lanes.charge(header.frameLength(), header.targetWorkerCount());
    }

    @Override
    public void consumed(final int worker, final int bytes) {
        if (isBounded()) {
            consumed.addAndGet(worker - address.firstTarget(), bytes);
            if (isGrantWorthwhile()) {
                sink.onGrantDue(this);
            }
        }
    }

    @Override
    public void receiverGone(final int worker) {
        if (toldGone.getAndSet(worker - address.firstTarget(), 1) == 0) {
            sink.onReceiverGone(this, worker);
        }
    }

    /**
     * Counts a frame that has come.
     *
     * @param bytes  as the frame is charged
     * @param isLast whether nothing follows on this lane
     * @return whether there was credit for it
     */
    boolean admit(final int bytes, final boolean isLast) {
        final long total = received + bytes;
        if (total > granted || lastReceived != NOT_LAST) {
            return false;
        }
        received = total;
        if (isLast) {
            lastReceived = total;
        }
        return true;
    }

    /**
     * Judges what an admitted frame brings: whole messages between fragments of another, fragments that do not add up, and a closing frame that brings
     * something are wrong.
     *
     * @return null, or what is wrong
     */
    String onPayload(
            final FrameHeaderFlyweight header, final DirectBuffer buffer, final int payload, final long messageLimit) {
        final int flags = header.flags();
        final int length = header.payloadLength();
        if (FrameFlags.isRecords(flags)) {
            return messageRest == 0 && FrameFlags.isLast(flags) == (length == 0)
                    ? null
                    : "DATA on " + address
                            + (messageRest == 0 ? " closes it and holds messages" : " amid the fragments of a message")
                            + ": messageRest=" + messageRest + " payloadLength=" + length;
        }
        if (address.targetCount() > 1) {
            return "DATA on " + address + ": a fragment for several workers";
        }
        final boolean isBegin = (flags & FrameFlags.BEGIN) != 0;
        final boolean isEnd = (flags & FrameFlags.END) != 0;
        final long whole = isBegin ? buffer.getLong(payload, ByteOrder.LITTLE_ENDIAN) : 0;
        final int bytes = length - (isBegin ? FragmentDescriptor.PREFIX_LENGTH : 0);
        final long rest = (isBegin ? whole : messageRest) - bytes;
        if (isBegin == (messageRest != 0) || rest < 0 || isEnd != (rest == 0) || whole > messageLimit) {
            return "DATA on " + address + ": a fragment that does not fit: begin=" + isBegin + " end=" + isEnd
                    + " bytes=" + bytes + " messageLength=" + whole + " messageRest=" + messageRest + " messageLimit="
                    + messageLimit;
        }
        messageRest = rest;
        return null;
    }

    /** Whether some of a message is still to come; the receive thread. */
    boolean isAmidMessage() {
        return messageRest != 0;
    }

    boolean isBounded() {
        return ownWindow != UNBOUNDED;
    }

    long received() {
        return received;
    }

    /** How far the sender may go. */
    long granted() {
        return granted;
    }

    long window() {
        return window;
    }

    /** What all targets have consumed. */
    long leastConsumed() {
        long least = consumed.get(0);
        for (int i = 1; i < consumed.length(); i++) {
            least = Math.min(least, consumed.get(i));
        }
        return least;
    }

    /** Whether the caller is to put the lane into the list of due grants. */
    boolean markDue() {
        return isDue.compareAndSet(false, true);
    }

    /**
     * Decides what the sender is to be told: {@link #granted} and {@link #told}. The lane has been taken out of the list of due grants; who consumes
     * from now on puts it there again.
     *
     * @return whether there is something to tell
     */
    boolean prepareGrant() {
        isDue.set(false);
        if (isDropped) {
            giveBack();
            return false;
        }
        final long least = leastConsumed();
        if (isForgotten || !isFinished(least) && !isWorthwhile(least)) {
            return false;
        }
        told = least;
        if (isFinished(least)) {
            giveBack();
        } else {
            adapt(granted - least);
            granted = Math.max(granted, least + window);
        }
        return true;
    }

    /** Nothing more will be granted: what the window has grown by goes back. Idempotent. */
    void giveBack() {
        if (!isForgotten) {
            isForgotten = true;
            pool.give(window - ownWindow);
        }
    }

    /** Whether its sender has closed it: then it ends by itself, once all of it has been consumed. */
    boolean isClosed() {
        return lastReceived != NOT_LAST;
    }

    /** The receive thread: the sender has stopped the scope. */
    void drop() {
        isDropped = true;
    }

    /** As of the last grant, what all targets had consumed. */
    long told() {
        return told;
    }

    /** Whether the last grant said that all has been consumed after the last frame: then nobody needs the lane any more. */
    boolean isForgotten() {
        return isForgotten;
    }

    LaneCell cell() {
        return cell;
    }

    void cell(final LaneCell newCell) {
        cell = newCell;
    }

    private boolean isGrantWorthwhile() {
        final long least = leastConsumed();
        return isFinished(least) || isWorthwhile(least);
    }

    private boolean isFinished(final long least) {
        return least == lastReceived;
    }

    /** Half of the window: whoever needs less than that at a time is never stuck, and grants are few. */
    private boolean isWorthwhile(final long least) {
        return least + window - granted >= window >> 1;
    }

    /** Widens or narrows the window, never below what is granted already. */
    private void adapt(final long outstanding) {
        final long nowNs = pool.nanoTime();
        final long tookNs = nowNs - lastGrantNs;
        lastGrantNs = nowNs;
        final long width = window;
        if (tookNs < GRANT_INTERVAL_NS) {
            if (width * 2 <= pool.windowMax() && pool.tryTake(width)) {
                window = width * 2;
            }
        } else if (tookNs > SLOW_INTERVAL_NS && width > ownWindow && outstanding <= width / 2 && pool.isShort()) {
            window = width / 2;
            pool.give(width / 2);
        }
    }
}
