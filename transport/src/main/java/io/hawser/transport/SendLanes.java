package io.hawser.transport;

import io.hawser.framing.CreditFlyweight;
import io.hawser.framing.FrameHeaderFlyweight;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * The sending ends of all lanes of one link, where a CREDIT finds the lane that it is for.
 *
 * <p><em>Threading:</em> any; its monitor is held for one look into the table, by workers that open a lane and by the receive thread for each
 * CREDIT. Nothing is called while it is held.
 */
final class SendLanes {
    private final Hello own;
    private final Hello peer;
    private final StoppedScopes stopped;
    private final LaneTable<SendLane> lanes = new LaneTable<>();

    /** Stopped scopes of which the peer has been told, so that it has forgotten, or will before anything newer, all lanes of theirs. */
    private final LongHashSet toldScopes = new LongHashSet();

    /** By scope: rings whose workers have let go of lanes that the peer may not have forgotten, once for each lane. */
    private final Long2ObjectHashMap<List<SendRing>> owed = new Long2ObjectHashMap<>();

    SendLanes(final Hello own, final Hello peer, final StoppedScopes stopped) {
        this.own = own;
        this.peer = peer;
        this.stopped = stopped;
    }

    StoppedScopes stopped() {
        return stopped;
    }

    /** The longest message that both sides allow, bytes. */
    long messageLimit() {
        return Math.min(own.messageLimit(), peer.messageLimit());
    }

    /** Keeps a lane; returns the one that has been kept under that address, which may be another. */
    synchronized SendLane add(final SendLane lane) {
        final SendLane kept =
                lanes.putIfAbsent(lane.address().scopeId(), Lanes.sendKey(lane.address(), own, peer), lane);
        return kept == null ? lane : kept;
    }

    /** The lane of an address, null if it is not open. */
    synchronized SendLane find(final LaneAddress address) {
        return lanes.get(address.scopeId(), Lanes.sendKey(address, own, peer));
    }

    /** A lane is over that the peer has never heard of, or has forgotten; returns whether it was still here: only who has removed it gives its place back. */
    synchronized boolean remove(final SendLane lane) {
        return lanes.remove(lane.address().scopeId(), Lanes.sendKey(lane.address(), own, peer), lane);
    }

    /** The worker lets go of a lane of a stopped scope. Its place is free once the peer has been told of the stop: it counts lanes, too. */
    void drop(final SendLane lane) {
        final boolean isFree;
        final long scopeId = lane.address().scopeId();
        synchronized (this) {
            if (!remove(lane) || !lane.isAlive()) {
                return;
            }
            isFree = toldScopes.contains(scopeId);
            if (!isFree) {
                owed.computeIfAbsent(scopeId, id -> new ArrayList<>()).add(lane.ring());
            }
        }
        if (isFree) {
            lane.ring().onLaneForgotten();
        }
    }

    /** The stop of a scope stands in our stream; the holder of the sending half. */
    void onStopTold(final long scopeId) {
        final List<SendRing> rings;
        synchronized (this) {
            if (stopped.contains(scopeId)) { // else it is forgotten already
                toldScopes.add(scopeId);
            }
            rings = owed.remove(scopeId);
        }
        giveBack(rings);
    }

    /**
     * Nothing of a scope is under way any more, in either direction, and our workers have let go of it.
     *
     * @param isStopped whether we have told the peer of a stop, or will: then it tells nothing more of lanes that were closed before
     */
    void forget(final long scopeId, final boolean isStopped) {
        List<SendRing> rings = null;
        synchronized (this) {
            if (isStopped) {
                for (final SendLane lane : lanes.removeScope(scopeId)) {
                    if (lane.isAlive()) {
                        owed.computeIfAbsent(scopeId, id -> new ArrayList<>()).add(lane.ring());
                    }
                }
            }
            if (toldScopes.remove(scopeId)) {
                rings = owed.remove(scopeId);
            }
        }
        giveBack(rings);
    }

    private static void giveBack(final List<SendRing> rings) {
        if (rings != null) {
            rings.forEach(SendRing::onLaneForgotten);
        }
    }

    /**
     * A grant has come; the receive thread.
     *
     * @return null, or what is wrong with it
     */
    String onCredit(final FrameHeaderFlyweight header, final CreditFlyweight credit) {
        final int granter = header.sourceWorker();
        final SendLane lane;
        synchronized (this) {
            lane = isOurs(header) && isTheirs(granter)
                    ? lanes.get(header.scopeId(), Lanes.creditKey(header, own, peer))
                    : null;
        }
        if (lane == null && header.scopeId() != 0) {
            return null; // it has been let go of, because the scope was stopped
        }
        if (lane == null) {
            return "CREDIT for a lane that is not open: channel=" + header.channelId() + " granting worker=" + granter
                    + " source worker=" + header.firstTargetWorker() + "+" + header.targetWorkerCount();
        }
        final String fault = lane.onCredit(credit.creditLimit(), credit.bytesConsumed());
        if (fault == null && lane.isFinished() && remove(lane)) {
            lane.ring().onLaneForgotten();
        }
        return fault;
    }

    /** A worker reads nothing of a channel any more that one of ours pushes to; the receive thread. Lanes that are not open will hear of it when something has come on them. */
    void onReceiverGone(final FrameHeaderFlyweight header) {
        final SendLane sole;
        final SendLane shared;
        synchronized (this) {
            sole = lanes.get(header.scopeId(), Lanes.soleKey(header, own, peer));
            shared = lanes.get(header.scopeId(), Lanes.sharedKey(header, own));
        }
        if (sole != null) {
            sole.onReceiverGone(header.sourceWorker());
        }
        if (shared != null && shared != sole) {
            shared.onReceiverGone(header.sourceWorker());
        }
    }

    /** A snapshot of all lanes, for whoever wants to see the books. */
    synchronized List<SendLane> all() {
        return lanes.all();
    }

    private boolean isOurs(final FrameHeaderFlyweight header) {
        final int worker = header.firstTargetWorker() - own.firstWorker();
        return header.targetWorkerCount() == 1 && worker >= 0 && worker < own.workersPerProcess();
    }

    private boolean isTheirs(final int granter) {
        final int worker = granter - peer.firstWorker();
        return granter == FrameHeaderFlyweight.NO_WORKER || worker >= 0 && worker < peer.workersPerProcess();
    }
}
