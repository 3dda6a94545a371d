package io.hawser.transport;

import io.hawser.framing.CreditFlyweight;
import io.hawser.framing.FrameHeaderFlyweight;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The sending ends of all lanes of one link, where a CREDIT finds the lane that it is for.
 *
 * <p><em>Threading:</em> any; its monitor is held for one look into the table, by workers that open a lane and by the receive thread for each
 * CREDIT. Nothing is called while it is held.
 */
final class SendLanes {
    private final Hello own;
    private final Hello peer;
    private final Long2ObjectHashMap<SendLane> lanes = new Long2ObjectHashMap<>();

    SendLanes(final Hello own, final Hello peer) {
        this.own = own;
        this.peer = peer;
    }

    /** The longest message that both sides allow, bytes. */
    long messageLimit() {
        return Math.min(own.messageLimit(), peer.messageLimit());
    }

    /** Keeps a lane; returns the one that has been kept under that address, which may be another. */
    synchronized SendLane add(final SendLane lane) {
        final SendLane kept = lanes.putIfAbsent(Lanes.sendKey(lane.address(), own, peer), lane);
        return kept == null ? lane : kept;
    }

    /** The lane of an address, null if it is not open. */
    synchronized SendLane find(final LaneAddress address) {
        return lanes.get(Lanes.sendKey(address, own, peer));
    }

    /** A lane is over that the peer has never heard of. */
    synchronized void remove(final SendLane lane) {
        lanes.remove(Lanes.sendKey(lane.address(), own, peer));
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
            lane = isOurs(header) && isTheirs(granter) ? lanes.get(Lanes.creditKey(header, own, peer)) : null;
        }
        if (lane == null) {
            return "CREDIT for a lane that is not open: channel=" + header.channelId() + " granting worker=" + granter
                    + " source worker=" + header.firstTargetWorker() + "+" + header.targetWorkerCount();
        }
        final String fault = lane.onCredit(credit.creditLimit(), credit.bytesConsumed());
        if (fault == null && lane.isFinished()) {
            remove(lane);
            lane.ring().onLaneForgotten();
        }
        return fault;
    }

    /** A snapshot of all lanes, for whoever wants to see the books. */
    synchronized List<SendLane> all() {
        return new ArrayList<>(lanes.values());
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
