package io.hawser.allocator;

import io.hawser.transport.ClusterConfig;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.SendRing;
import io.hawser.transport.WindowPool;
import java.util.function.Supplier;

/**
 * Makes the ways of new channels: lanes of the rings to other processes, and of the lane to the workers of the own one.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class WayMaker {
    /** The scope of the cluster itself; dataflows get others. */
    private static final long CLUSTER_SCOPE = 0;

    private final ClusterConfig config;
    private final int workerIndex;
    private final LocalLane lane;

    /** By process; null at the own index. */
    private final SendRing[] rings;

    private final WindowPool windows;
    private final RoomWait room;
    private final Supplier<SpillStore> spillStores;

    WayMaker(
            final ClusterConfig config,
            final int workerIndex,
            final LocalLane lane,
            final SendRing[] rings,
            final WindowPool windows,
            final RoomWait room,
            final Supplier<SpillStore> spillStores) {
        this.config = config;
        this.workerIndex = workerIndex;
        this.lane = lane;
        this.rings = rings;
        this.windows = windows;
        this.room = room;
        this.spillStores = spillStores;
    }

    /** The ways of a new channel to a process. */
    ProcessWays waysTo(final int process, final ChannelOut channel) {
        final int count = config.workersPerProcess();
        final int first = config.firstWorker(process);
        final Way[] toEach = new Way[count];
        for (int i = 0; i < count; i++) {
            toEach[i] = way(process, channel.id(), first + i, 1);
        }
        final Way toAll = count == 1 ? toEach[0] : way(process, channel.id(), first, count);
        final SpillLane spill = channel.onFull() == OnFull.SPILL
                ? new SpillLane(
                        room,
                        spillStores,
                        toEach,
                        toAll,
                        "channel " + channel.id() + " from worker " + workerIndex + " to process " + process)
                : null;
        return new ProcessWays(toEach, toAll, spill);
    }

    private Way way(final int process, final int channelId, final int firstTarget, final int targetCount) {
        final SendRing ring = rings[process];
        if (ring != null) {
            return new RingWay(ring, ring.openLane(CLUSTER_SCOPE, channelId, firstTarget, targetCount));
        }
        final boolean isBounded = config.channelWindow() != ClusterConfig.UNBOUNDED;
        return new LocalWay(
                lane,
                new LocalCredit(
                        new LaneAddress(CLUSTER_SCOPE, channelId, workerIndex, firstTarget, targetCount),
                        config.channelWindow(),
                        isBounded,
                        windows,
                        room.signal()));
    }

    /** Throws if so many channels are open already. */
    void checkLimit(final int channelId, final int openChannels) {
        long limit = config.channelLimit();
        String whose = "channelLimit of this process";
        for (int process = 0; process < rings.length; process++) {
            if (rings[process] != null && rings[process].laneLimit() / config.lanesPerWorker() < limit) {
                limit = rings[process].laneLimit() / config.lanesPerWorker();
                whose = "channelLimit of process " + process;
            }
        }
        if (openChannels >= limit) {
            throw new IllegalStateException("no more channels at a time, close some or raise the " + whose
                    + ": channelId=" + channelId + " openChannels=" + openChannels + " channelLimit=" + limit);
        }
    }
}
