package io.hawser.transport;

import io.hawser.framing.FrameHeaderFlyweight;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.BitSet;

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

    private static final long OPEN = -1;

    /** More than any ring holds: what is without limit can be added to a place in one. */
    private static final long CREDIT_MAX = 1L << 30;

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
    private long windowSeen;
    private long forgottenSeen;
    private boolean isGoneSeen;
    private boolean isAmidMessage;

    /** Volatile: what will have been sent with the closing frame; set before that is published. */
    private volatile long closedAt = OPEN;

    /** Volatile: the worker waits, or wants to be told. Cleared by whoever tells it. */
    private volatile boolean isWanted;

    /** Which of the targets read nothing any more; the receive thread's. */
    private final BitSet goneTargets = new BitSet();

    /** Volatile: none of them reads anything any more, so nothing need be sent. */
    private volatile boolean isGone;

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
        return creditUpTo(limit);
    }

    /**
     * The longest frame that credit will always come for, whatever else was sent before. What is longer is to be cut unless there happens to be credit for it.
     *
     * @return bytes
     */
    public long wholeFrameLimit() {
        return ownWindow == ReceiveLane.UNBOUNDED ? ownWindow : window / 2 - lastReserve - frameCharge;
    }

    /**
     * How much may be in flight at most, as of the latest grant.
     *
     * @return bytes as frames are charged
     */
    public long window() {
        return window;
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
        return closedAt != OPEN;
    }

    /** The next frame is the closing one. */
    void onClosed() {
        closedAt = sent + lastReserve;
    }

    /**
     * {@link #creditBytes()}, or none if there is no slot for the lane. Notes what that depends on before it counts: whatever comes from then on is
     * something else, see {@link #hasMore}.
     */
    long lookAtCredit(final long freedSlots, final boolean isSlotFree) {
        forgottenSeen = freedSlots;
        windowSeen = window;
        limitSeen = limit;
        isGoneSeen = isGone;
        if (isSink()) {
            return CREDIT_MAX; // for what will not be sent
        }
        return isAlive || isSlotFree ? creditUpTo(limitSeen) : 0;
    }

    private long creditUpTo(final long end) {
        final long bytes = end - lastReserve - frameCharge - sent;
        return Math.max(0, Math.min(CREDIT_MAX, bytes)) & -FrameHeaderFlyweight.FRAME_ALIGNMENT;
    }

    /** Asks to be told of more credit; then look at {@link #hasMore} once more. */
    void want() {
        isWanted = true;
        VarHandle.fullFence();
    }

    void wantNothing() {
        isWanted = false;
    }

    /**
     * Whether there is anything else than when it was last looked at: credit, or a slot for a lane that has none yet; or a narrower window, for which the
     * message may have to be cut.
     */
    boolean hasMore(final long freedSlots) {
        return isGone != isGoneSeen
                || limit != limitSeen
                || window != windowSeen
                || !isAlive && freedSlots != forgottenSeen;
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

    /** The worker: whether what is pushed is dropped here. A message that has begun is sent to its end: its receiver counts on that, and gives back its credit. */
    boolean isSink() {
        return isGone && !isAmidMessage;
    }

    void amidMessage(final boolean isNow) {
        isAmidMessage = isNow;
    }

    /** The receive thread: one of the targets reads nothing any more. */
    void onReceiverGone(final int worker) {
        goneTargets.set(worker - address.firstTarget());
        if (goneTargets.cardinality() == address.targetCount()) {
            isGone = true;
            VarHandle.fullFence(); // pairs with want
            if (isWanted) {
                isWanted = false;
                ring.wake();
            }
        }
    }

    /**
     * Whether none of its targets reads anything any more: what is pushed then is dropped here. Any thread.
     *
     * @return true for good
     */
    public boolean isReceiverGone() {
        return isGone;
    }

    /** The receive thread: whether all that was sent, the closing frame included, has been consumed. */
    boolean isFinished() {
        return consumed == closedAt;
    }
}
