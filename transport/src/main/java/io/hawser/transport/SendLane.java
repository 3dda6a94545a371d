package io.hawser.transport;

import io.hawser.framing.FrameHeaderFlyweight;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The sending end of a lane to another process: what has been sent, and how far the receiver lets it go. Counts are bytes of frames, headers included.
 *
 * <p><em>Threading:</em> the worker that owns the ring, except where a method says otherwise.
 */
public final class SendLane {
    private static final VarHandle SENT;

    static {
        try {
            SENT = MethodHandles.lookup().findVarHandle(SendLane.class, "sent", long.class);
        } catch (final ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final LaneAddress address;
    private final SendRing ring;
    private final long ownWindow;

    /** What each frame costs beside its bytes. */
    private final int frameCharge;

    /** What is held back for the frame that closes the lane, so that closing needs no credit. */
    private final int lastReserve;

    // the worker; sent is stored before the frames are published, so that the receive thread never sees less than the
    // peer has
    private long sent;
    private boolean isAlive;
    private long limitSeen;

    /** Volatile: set before the closing frame is published. */
    private volatile boolean isClosed;

    /** Volatile: the worker waits, or wants to be told. Cleared by whoever tells it. */
    private volatile boolean isWanted;

    // the receive thread
    private volatile long limit;
    private volatile long window;
    private volatile long consumed;

    SendLane(final LaneAddress address, final SendRing ring, final long ownWindow) {
        this.address = address;
        this.ring = ring;
        this.ownWindow = ownWindow;
        this.frameCharge = Lanes.targetCharge(address.targetCount());
        this.lastReserve = Lanes.charge(FrameHeaderFlyweight.HEADER_LENGTH, address.targetCount());
        this.limit = ownWindow;
        this.window = ownWindow;
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
     * How long a frame may be now, header included.
     *
     * @return bytes, a multiple of 8, 0 or more
     */
    public long creditBytes() {
        final long now = limit;
        limitSeen = now; // the very one that is used: a grant that comes right after it must count as more
        return Math.max(0, now - lastReserve - frameCharge - sent);
    }

    /**
     * The longest frame that credit will always come for, whatever else was sent before. What is longer is to be cut unless there happens to be credit for it.
     *
     * @return bytes
     */
    public long wholeFrameLimit() {
        return ownWindow == ReceiveLane.UNBOUNDED ? ownWindow : window / 2 - lastReserve - frameCharge;
    }

    SendRing ring() {
        return ring;
    }

    long ownWindow() {
        return ownWindow;
    }

    /** Any thread. */
    long sent() {
        return (long) SENT.getAcquire(this);
    }

    /** Any thread. */
    long limit() {
        return limit;
    }

    /** Any thread. */
    long consumed() {
        return consumed;
    }

    boolean isAlive() {
        return isAlive;
    }

    void onFirstFrame() {
        isAlive = true;
    }

    void charge(final int alignedLength) {
        SENT.setRelease(this, sent + alignedLength + frameCharge);
    }

    boolean isClosed() {
        return isClosed;
    }

    void onClosed() {
        isClosed = true;
    }

    /** Asks to be told of more credit; then look at {@link #hasMore()} once more. */
    void want() {
        isWanted = true;
        VarHandle.fullFence();
    }

    void wantNothing() {
        isWanted = false;
    }

    /** Whether there is more than {@link #creditBytes()} last told. */
    boolean hasMore() {
        return limit != limitSeen;
    }

    /**
     * The receive thread: a grant has come.
     *
     * @return null, or what is wrong with it
     */
    String onCredit(final long newLimit, final long newConsumed) {
        final long total = sent();
        if (newLimit < limit || newConsumed < consumed || newConsumed > total || newLimit < newConsumed) {
            return "CREDIT on " + address + " says limit=" + newLimit + " consumed=" + newConsumed + " after limit="
                    + limit + " consumed=" + consumed + " sent=" + total;
        }
        consumed = newConsumed;
        window = newLimit - newConsumed;
        limit = newLimit;
        VarHandle.fullFence(); // pairs with want
        if (isWanted) {
            isWanted = false;
            ring.wake();
        }
        return null;
    }

    /** The receive thread: whether all that was sent, the closing frame included, has been consumed. */
    boolean isFinished() {
        return isClosed && consumed == sent();
    }
}
