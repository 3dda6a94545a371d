package io.hawser.allocator;

import io.hawser.transport.ClusterConfig;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.SendRing;
import io.hawser.transport.WindowPool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes the ways of new channels: lanes of the rings to other processes, and of the lane to the workers of the own one.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class WayMaker {
    private final ClusterConfig config;
    private final int workerIndex;
    private final LocalLane lane;

    /** By process; null at the own index. */
    private final SendRing[] rings;

    private final WindowPool windows;
    private final RoomWait room;
    private final Supplier<SpillStore> spillStores;

    /** Closed channels of which workers of this process have not read everything. */
    private final List<ChannelOut> unread = new ArrayList<>();

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

    /** The ways of a new channel to the members in a process. */
    List<ProcessWays> waysTo(final int process, final ChannelOut channel) {
        final int count = config.workersPerProcess();
        final int first = config.firstWorker(process);
        final List<Way> ways = new ArrayList<>();
        final GoneTargets gone = new GoneTargets(first, count);
        for (int worker = first; worker < first + count; worker++) {
            if (channel.scope().isMember(worker)) {
                ways.add(way(process, channel, worker, 1, gone));
            }
        }
        if (ways.size() < count) { // a lane leads to one worker, or to all of a process
            return ways.stream()
                    .map(way -> groupOf(process, channel, new Way[] {way}, way))
                    .toList();
        }
        final Way toAll = count == 1 ? ways.get(0) : way(process, channel, first, count, gone);
        return List.of(groupOf(process, channel, ways.toArray(new Way[0]), toAll));
    }

    private ProcessWays groupOf(final int process, final ChannelOut channel, final Way[] toEach, final Way toAll) {
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

    private Way way(
            final int process,
            final ChannelOut channel,
            final int firstTarget,
            final int targetCount,
            final GoneTargets gone) {
        final ChannelScope scope = channel.scope();
        final SendRing ring = rings[process];
        if (ring != null) {
            return new RingWay(scope, ring, ring.openLane(scope.id(), channel.id(), firstTarget, targetCount));
        }
        final boolean isBounded = config.channelWindow() != ClusterConfig.UNBOUNDED;
        return new LocalWay(
                scope,
                lane,
                new LocalCredit(
                        new LaneAddress(scope.id(), channel.id(), workerIndex, firstTarget, targetCount),
                        config.channelWindow(),
                        isBounded,
                        windows,
                        room.signal(),
                        gone));
    }

    /** A channel is closed. As long as something of it lies unread in this process it takes the memory, and the place, of an open one. */
    void onClosed(final ChannelOut channel) {
        unread.removeIf(WayMaker::isSettled);
        if (!isSettled(channel)) {
            unread.add(channel);
        }
    }

    /** Throws if so many channels are open already, or are closed and not read to their end. */
    void checkLimit(final int channelId, final int openChannels) {
        unread.removeIf(WayMaker::isSettled);
        if (!unread.isEmpty()) {
            room.discardArrived(); // some of it may be for this very worker
            unread.removeIf(WayMaker::isSettled);
        }
        long limit = config.channelLimit();
        long count = (long) openChannels + unread.size();
        String whose = "channelLimit of this process";
        for (int process = 0; process < rings.length; process++) {
            if (rings[process] != null
                    && rings[process].laneLimit() / config.lanesPerWorker() - openChannels < limit - count) {
                limit = rings[process].laneLimit() / config.lanesPerWorker();
                count = openChannels;
                whose = "channelLimit of process " + process;
            }
        }
        if (count >= limit) {
            throw new IllegalStateException("no more channels at a time, close some or raise the " + whose
                    + (count == openChannels
                            ? ""
                            : "; closed ones count until other workers of this process have read them, or closed theirs: unreadClosedChannels="
                                    + unread.size())
                    + ": channelId=" + channelId + " openChannels=" + openChannels + " channelLimit=" + limit);
        }
    }

    private static boolean isSettled(final ChannelOut channel) {
        for (final ProcessWays ways : channel.processes()) {
            for (final Way way : ways.toEach()) {
                if (!isSettled(way)) {
                    return false;
                }
            }
            if (!isSettled(ways.toAll())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSettled(final Way way) {
        return !(way instanceof LocalWay) || ((LocalWay) way).credit().isSettled();
    }
}
