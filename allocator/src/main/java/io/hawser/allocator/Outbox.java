package io.hawser.allocator;

import io.hawser.fate.Health;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.MessageTooLargeException;
import io.hawser.transport.SendRing;
import java.util.ArrayList;
import java.util.List;
import org.agrona.LangUtil;

/**
 * The sending half of a worker: one send ring for each other process, and the lane to the workers of its own.
 *
 * <p><em>Threading:</em> made before the worker starts; from then on the worker's thread.
 */
final class Outbox {
    private final int processIndex;
    private final int workersPerProcess;
    private final int messageLimit;
    private final Health health;
    private final ProgressStamp progress;
    private final LocalLane lane;

    /** By process; null at the own index. */
    private final SendRing[] rings;

    /** Every outlet that was ever given out, to find the one whose claim is open. */
    private final List<Outlet> outlets = new ArrayList<>();

    /** Whether one of them has a claim open. A flag here and one there: storing a reference at each message would cost the collector's barrier. */
    private boolean isClaimOpen;

    private boolean isClosed;

    Outbox(
            final ClusterConfig config,
            final Health health,
            final ProgressStamp progress,
            final LocalLane lane,
            final SendRing[] rings) {
        this.processIndex = config.processIndex();
        this.workersPerProcess = config.workersPerProcess();
        this.messageLimit = messageLimit(config, rings);
        this.health = health;
        this.progress = progress;
        this.lane = lane;
        this.rings = rings;
    }

    /** The outlets of a channel, by the global index of the target worker. */
    Outlet[] outletsToEach(final int channelId) {
        final Outlet[] toEach = new Outlet[rings.length * workersPerProcess];
        for (int target = 0; target < toEach.length; target++) {
            toEach[target] = outlet(channelId, target / workersPerProcess, target, 1);
            outlets.add(toEach[target]);
        }
        return toEach;
    }

    /** The outlet of a channel to all workers. */
    Outlet outletToAll(final int channelId) {
        final RingOutlet[] elsewhere = new RingOutlet[rings.length - 1];
        int count = 0;
        for (int process = 0; process < rings.length; process++) {
            if (process != processIndex) {
                elsewhere[count++] =
                        new RingOutlet(this, channelId, rings[process], process * workersPerProcess, workersPerProcess);
            }
        }
        final LocalOutlet here =
                new LocalOutlet(this, channelId, lane, processIndex * workersPerProcess, workersPerProcess);
        final Outlet toAll = elsewhere.length == 0 ? here : new BroadcastOutlet(this, channelId, here, elsewhere);
        outlets.add(toAll);
        return toAll;
    }

    void checkClaim(final int channelId, final int length) {
        progress.step();
        health.check();
        if (length < 0 || length > messageLimit) {
            throw unfit(channelId, length);
        }
        if (isClaimOpen || isClosed) {
            throw unready(channelId);
        }
    }

    void onClaim() {
        isClaimOpen = true;
    }

    void onClaimEnd() {
        isClaimOpen = false;
    }

    /** Sends what was pushed. */
    void flush() {
        if (isClaimOpen || isClosed) {
            throw unready(-1);
        }
        lane.flush();
        flushRings();
    }

    /** Sends what was pushed to other processes. */
    void flushRings() {
        for (final SendRing ring : rings) {
            if (ring != null) {
                ring.flush();
            }
        }
    }

    /** Drops an open claim, and sends what was pushed. */
    void finish() {
        if (isClaimOpen) {
            claimant().abort();
        }
        flush();
    }

    /** Gives back all memory. Goes through all of it whatever happens, and throws the first failure then. Idempotent. */
    void close() {
        isClosed = true;
        Throwable first = null;
        for (final SendRing ring : rings) {
            try {
                if (ring != null) {
                    ring.close();
                }
            } catch (final Throwable broken) {
                first = first == null ? broken : first;
            }
        }
        lane.close();
        if (first != null) {
            LangUtil.rethrowUnchecked(first);
        }
    }

    /** The least of what all ways out allow, so that a message fits or does not fit wherever it goes. */
    private static int messageLimit(final ClusterConfig config, final SendRing[] rings) {
        int limit = config.messageLimit();
        for (final SendRing ring : rings) {
            limit = ring == null ? limit : Math.min(limit, ring.recordLimit());
        }
        return limit;
    }

    private Outlet outlet(final int channelId, final int process, final int firstTarget, final int targetCount) {
        return process == processIndex
                ? new LocalOutlet(this, channelId, lane, firstTarget, targetCount)
                : new RingOutlet(this, channelId, rings[process], firstTarget, targetCount);
    }

    private RuntimeException unfit(final int channelId, final int length) {
        return length < 0
                ? new IllegalArgumentException("negative: channelId=" + channelId + " messageLength=" + length)
                : new MessageTooLargeException(length, messageLimit);
    }

    private IllegalStateException unready(final int channelId) {
        return isClosed
                ? new IllegalStateException("the worker has ended: channelId=" + channelId)
                : new IllegalStateException("a claim is still open, commit or abort it first: channelId=" + channelId
                        + " claimedChannelId=" + claimant().channelId);
    }

    private Outlet claimant() {
        for (final Outlet outlet : outlets) {
            if (outlet.isClaimant()) {
                return outlet;
            }
        }
        throw new IllegalStateException("no outlet has the open claim, please report it: outlets=" + outlets.size());
    }
}
