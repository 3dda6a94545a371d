package io.hawser.transport;

import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The receiving ends of all lanes of one link, and the list of those that have credit to grant. Part of {@link Session}'s receive half.
 *
 * <p><em>Threading:</em> lanes are found and made by the receive thread; {@link #onGrantDue} is for any thread, {@link #pollDue} for the holder of the
 * sending half.
 */
final class ReceiveLanes implements ReceiveLane.GrantSink {
    private static final long NO_KEY = -1;

    private final Hello own;
    private final Hello peer;
    private final WindowPool pool;
    private final ScopeFrames frames;
    private final Runnable dueListener;
    private final long channelWindow;
    private final long laneLimit;

    // the receive thread; the lane of the last frame is kept apart, since the next one is probably its, too
    private final LaneTable<ReceiveLane> lanes = new LaneTable<>();
    private long lastScopeId;
    private long lastKey = NO_KEY;
    private ReceiveLane lastLane;

    /** Compared-and-set by any thread that pushes; emptied as a whole by the sending half. */
    private final AtomicReference<ReceiveLane> due = new AtomicReference<>();

    /** The same the other way round: pushed by the sending half, emptied by the receive thread. */
    private final AtomicReference<ReceiveLane> forgotten = new AtomicReference<>();

    private final Queue<Long> overScopes = new ConcurrentLinkedQueue<>();

    /** The sending half's: what it has taken from the list and not told yet. */
    private ReceiveLane telling;

    /**
     * Creates the books of a link on which nothing has come yet.
     *
     * @param own         who we are
     * @param peer        who sends
     * @param pool        where windows grow from
     * @param frames      where senders are told that a receiver is gone
     * @param dueListener told when there is something to grant, by any thread
     */
    ReceiveLanes(
            final Hello own,
            final Hello peer,
            final WindowPool pool,
            final ScopeFrames frames,
            final Runnable dueListener) {
        this.frames = frames;
        this.own = own;
        this.peer = peer;
        this.pool = pool;
        this.dueListener = dueListener;
        this.channelWindow = Lanes.channelWindow(own, peer);
        this.laneLimit = Lanes.laneLimit(own, peer) * peer.workersPerProcess();
    }

    /**
     * Finds the lane of a DATA frame and charges it.
     *
     * @param header whose address has been found to be right
     * @return the lane, or null if the frame came without credit, see {@link #fault}
     */
    ReceiveLane charge(final FrameHeaderFlyweight header) {
        final ReceiveLane lane = laneOf(header);
        final int bytes = Lanes.charge(header.frameLength(), header.targetWorkerCount());
        if (lane == null || !lane.admit(bytes, FrameFlags.isLast(header.flags()))) {
            return null;
        }
        if (FrameFlags.isLast(header.flags())) {
            onLast(lane, bytes);
        }
        return lane;
    }

    /** What was wrong with a frame that was not admitted. */
    String fault(final FrameHeaderFlyweight header) {
        final LaneAddress address = addressOf(header);
        final ReceiveLane lane = lanes.get(header.scopeId(), Lanes.receiveKey(header, own, peer));
        if (lane == null) {
            return "DATA on " + address + ": one lane more than linkWindow="
                    + Math.min(own.linkWindow(), peer.linkWindow()) + " holds with channelWindow=" + channelWindow
                    + ": lanes=" + lanes.size();
        }
        return "DATA on " + address + " without credit: received=" + lane.received() + " frameLength="
                + header.frameLength() + " granted=" + lane.granted();
    }

    @Override
    public void onGrantDue(final ReceiveLane lane) {
        if (lane.markDue()) {
            ReceiveLane below;
            do {
                below = due.get();
                lane.nextDue = below;
            } while (!due.compareAndSet(below, lane));
            dueListener.run();
        }
    }

    @Override
    public void onReceiverGone(final ReceiveLane lane, final int worker) {
        final LaneAddress address = lane.address();
        frames.gone(address.scopeId(), address.channelId(), worker, address.sourceWorker());
        dueListener.run();
    }

    /** Whether {@link #pollDue} may find something; for the holder of the sending half, or one who has just let go of it. */
    boolean hasDue() {
        return telling != null || due.get() != null;
    }

    /** The next lane whose sender is to be told, null if there is none. The order among lanes means nothing. */
    ReceiveLane pollDue() {
        while (true) {
            if (telling == null) {
                telling = due.getAndSet(null);
            }
            final ReceiveLane lane = telling;
            if (lane == null) {
                return null;
            }
            telling = lane.nextDue; // before the lane may be pushed again
            if (lane.prepareGrant()) {
                if (lane.isForgotten()) {
                    pushForgotten(lane); // before the peer can know that there is room for another lane
                }
                return lane;
            }
        }
    }

    /** Gives back the memory that lanes keep; by the receive thread, at its end. */
    synchronized void close() {
        for (final ReceiveLane lane : lanes.all()) {
            releaseCell(lane);
        }
        lastKey = NO_KEY;
        lastLane = null;
    }

    /** Gives back what windows have grown by, to a pool that others may go on using; once both halves of the link have ended. */
    synchronized void giveBack() {
        for (final ReceiveLane lane : lanes.all()) {
            lane.giveBack();
        }
        lanes.clear();
        giveBack(telling);
        giveBack(due.getAndSet(null));
    }

    /** Lanes that have been dropped are in the list only. */
    private static void giveBack(final ReceiveLane first) {
        for (ReceiveLane lane = first; lane != null; lane = lane.nextDue) {
            lane.giveBack();
        }
    }

    private ReceiveLane laneOf(final FrameHeaderFlyweight header) {
        final long key = Lanes.receiveKey(header, own, peer);
        final long scopeId = header.scopeId();
        if (key != lastKey || scopeId != lastScopeId) {
            ReceiveLane lane = lanes.get(scopeId, key);
            if (lane == null) {
                lane = open(key, header);
                if (lane == null) {
                    return null;
                }
            }
            lastKey = key;
            lastScopeId = scopeId;
            lastLane = lane;
        }
        return lastLane;
    }

    /** Changes of the table hold the monitor, so that {@link #all} sees a whole one; the receive thread alone makes them, so it looks without. */
    private synchronized ReceiveLane open(final long key, final FrameHeaderFlyweight header) {
        removeForgotten();
        dropOverScopes();
        if (lanes.size() >= laneLimit) {
            return null;
        }
        final ReceiveLane lane = new ReceiveLane(addressOf(header), channelWindow, pool, this);
        lanes.putIfAbsent(header.scopeId(), key, lane);
        return lane;
    }

    /** A closing frame holds nothing that a worker could consume. */
    private void onLast(final ReceiveLane lane, final int bytes) {
        if (!lane.isBounded()) {
            remove(lane);
            return;
        }
        final LaneAddress address = lane.address();
        for (int i = 0; i < address.targetCount(); i++) {
            lane.consumed(address.firstTarget() + i, bytes);
        }
    }

    private void pushForgotten(final ReceiveLane lane) {
        ReceiveLane below;
        do {
            below = forgotten.get();
            lane.nextForgotten = below;
        } while (!forgotten.compareAndSet(below, lane));
    }

    private void removeForgotten() {
        for (ReceiveLane lane = forgotten.getAndSet(null); lane != null; lane = lane.nextForgotten) {
            remove(lane);
        }
    }

    /** A scope is over, and nothing of it is under way: lanes that its senders have left open are not needed any more. Any thread; done by the receive thread when it next opens a lane. */
    void forgetScope(final long scopeId) {
        overScopes.add(scopeId);
    }

    private void dropOverScopes() {
        for (Long scopeId = overScopes.poll(); scopeId != null; scopeId = overScopes.poll()) {
            for (final ReceiveLane lane : lanes.ofScope(scopeId)) {
                if (!lane.isClosed()) {
                    remove(lane);
                    lane.drop();
                    onGrantDue(lane);
                }
            }
        }
    }

    /** The peer has stopped a scope: nothing more comes on its lanes, and it takes their places to be free. The receive thread. */
    synchronized void dropScope(final long scopeId) {
        for (final ReceiveLane lane : lanes.removeScope(scopeId)) {
            releaseCell(lane);
            lane.drop();
            onGrantDue(lane); // what it has borrowed goes back by who lends it
        }
        lastKey = NO_KEY;
        lastLane = null;
    }

    /** A lane on which a message has begun and not ended, null if there is none; the receive thread. */
    ReceiveLane amidMessage() {
        for (final ReceiveLane lane : lanes.all()) {
            if (lane.isAmidMessage()) {
                return lane;
            }
        }
        return null;
    }

    /** A snapshot of all lanes, for whoever wants to see the books; any thread. */
    synchronized List<ReceiveLane> all() {
        return lanes.all();
    }

    private synchronized void remove(final ReceiveLane lane) {
        releaseCell(lane);
        lanes.remove(lane.address().scopeId(), Lanes.receiveKey(lane.address(), own, peer), lane);
        lastKey = NO_KEY;
        lastLane = null;
    }

    private static void releaseCell(final ReceiveLane lane) {
        final LaneCell cell = lane.cell();
        if (cell != null) {
            lane.cell(null);
            cell.slab().release();
        }
    }

    private static LaneAddress addressOf(final FrameHeaderFlyweight header) {
        return new LaneAddress(
                header.scopeId(),
                header.channelId(),
                header.sourceWorker(),
                header.firstTargetWorker(),
                header.targetWorkerCount());
    }
}
