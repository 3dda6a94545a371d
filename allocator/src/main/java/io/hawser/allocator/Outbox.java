package io.hawser.allocator;

import io.hawser.fate.Health;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.MessageTooLargeException;
import io.hawser.transport.SendRing;
import io.hawser.transport.WindowPool;
import io.hawser.transport.WorkerReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;

/**
 * The sending half of a worker: one send ring for each other process, the lane to the workers of its own, and what is done when there is no room.
 *
 * <p><em>Threading:</em> made before the worker starts; from then on the worker's thread.
 */
final class Outbox {
    private final ClusterConfig config;
    private final Health health;
    private final ProgressStamp progress;
    private final LocalLane lane;
    private final long messageLimit;
    private final Supplier<SpillStore> spillStores;
    private final RoomWait room;
    private final WayMaker wayMaker;

    /** By process; null at the own index. */
    private final SendRing[] rings;

    private final Set<ChannelOut> channels = new LinkedHashSet<>();
    private final Staging staging = new Staging();

    /** Whether one outlet has a claim open. A flag here and one there: storing a reference at each message would cost the collector's barrier. */
    private boolean isClaimOpen;

    private boolean isClosed;

    Outbox(
            final ClusterConfig config,
            final int workerIndex,
            final Health health,
            final ProgressStamp progress,
            final LocalLane lane,
            final SendRing[] rings,
            final RoomSignal signal,
            final WindowPool windows,
            final Supplier<SpillStore> spillStores,
            final WorkerReport report) {
        this.config = config;
        this.health = health;
        this.progress = progress;
        this.lane = lane;
        this.rings = rings;
        this.room = new RoomWait(workerIndex, health, config.clock(), signal, report, this::flushAll);
        this.wayMaker = new WayMaker(config, workerIndex, lane, rings, windows, room, spillStores);
        this.spillStores = spillStores;
        long limit = config.messageLimit();
        for (final SendRing ring : rings) {
            if (ring != null) {
                ring.roomListener(signal);
                limit = Math.min(limit, ring.messageLimit());
            }
        }
        this.messageLimit = limit;
    }

    RoomWait room() {
        return room;
    }

    // ---- channels

    ChannelOut open(final ChannelScope scope, final int channelId, final OnFull onFull) {
        wayMaker.checkLimit(channelId, channels.size());
        if (onFull == OnFull.SPILL) {
            openSpillStore(); // early: what it lacks is to be known before anything is pushed
        }
        final ChannelOut channel = new ChannelOut(scope, channelId, onFull);
        final List<ProcessWays> groups = new ArrayList<>();
        final List<UnicastOutlet> outlets = new ArrayList<>(Collections.nCopies(config.workerCount(), null));
        long wholeLimit = Long.MAX_VALUE;
        for (int process = 0; process < rings.length; process++) {
            for (final ProcessWays ways : wayMaker.waysTo(process, channel)) {
                groups.add(ways);
                wholeLimit = Math.min(wholeLimit, ways.toAll().wholeLimit());
                for (final Way way : ways.toEach()) {
                    wholeLimit = Math.min(wholeLimit, way.wholeLimit());
                    outlets.set(way.address().firstTarget(), new UnicastOutlet(this, channel, way, ways.spill()));
                }
            }
        }
        final boolean isForOne = groups.size() == 1 && groups.get(0).toEach().length == 1;
        final Outlet toAll = isForOne
                ? outlets.get(groups.get(0).toAll().address().firstTarget())
                : new BroadcastOutlet(this, channel, groups);
        channel.open(groups, outlets, toAll, onFull == OnFull.REFUSE ? wholeLimit : pieceLimit());
        channels.add(channel);
        return channel;
    }

    private void openSpillStore() {
        final Whereabouts whereabouts = room.signal().whereabouts();
        whereabouts.beginWait(); // for the disk
        try {
            Objects.requireNonNull(spillStores.get());
        } finally {
            whereabouts.goOn();
        }
    }

    /** Whether a channel may be closed: no claim is open, no message incomplete. */
    void checkClosable(final ChannelOut channel) {
        checkNoClaim(channel.id());
        if (channel.writer() != null) {
            channel.writer().close();
        }
    }

    /** Closes a channel: what was pushed is sent, what was spilled waited for, and every target learns that nothing more comes. */
    void close(final ChannelOut channel) {
        checkClosable(channel);
        channel.onClosed();
        try {
            flush();
            for (final ProcessWays ways : channel.processes()) {
                if (ways.spill() != null) {
                    room.awaitSpilled(ways.spill());
                    ways.spill().close();
                }
                closeWays(ways);
            }
        } catch (final ScopeCancelledException | HealthLostException stopped) {
            if (channel.scope().id() == 0 || health.isLost()) {
                throw stopped;
            }
            drop(channel); // its dataflow was stopped meanwhile: nothing of it is sent any more
            return;
        }
        forget(channel);
        flushRings();
    }

    private void forget(final ChannelOut channel) {
        room.forget(channel);
        if (channels.remove(channel)) { // it may have been dropped while its end was waited for
            wayMaker.onClosed(channel);
        }
    }

    /** Lets go of a channel whose dataflow was stopped: what was pushed and not sent is dropped, nobody is waited for. There is no claim. Idempotent. */
    void drop(final ChannelOut channel) {
        channel.onClosed();
        channel.writer(null);
        for (final ProcessWays ways : channel.processes()) {
            if (ways.spill() != null) {
                room.forget(ways.spill());
                ways.spill().close();
            }
            for (final Way way : ways.toEach()) {
                way.drop();
            }
            if (ways.toEach().length > 1) {
                ways.toAll().drop();
            }
        }
        forget(channel);
    }

    /** Whether a message is just being written in place: until it is committed or aborted its memory must not be given away. */
    boolean isClaimOpen() {
        return isClaimOpen;
    }

    /** Gives the open claim up if there is one. */
    void abortClaim() {
        if (isClaimOpen) {
            claimant().abort();
        }
    }

    SendRing[] rings() {
        return rings;
    }

    private void closeWays(final ProcessWays ways) {
        for (final Way way : ways.toEach()) {
            closeWay(way);
        }
        if (ways.toEach().length > 1) {
            closeWay(ways.toAll());
        }
    }

    private void closeWay(final Way way) {
        while (!way.tryClose()) {
            room.await(way, SendRing.FULL, 0);
        }
    }

    // ---- pushing

    void checkClaim(final ChannelOut channel, final int length) {
        progress.step();
        channel.scope().check();
        if (length < 0 || length > channel.messageLimit()) {
            throw unfit(channel, length);
        }
        if (isClaimOpen || isClosed || channel.isClosed() || channel.writer() != null) {
            throw unready(channel);
        }
    }

    void checkWrite(final ChannelOut channel, final MessageWriter writer) {
        progress.step();
        channel.scope().check();
        if (isClaimOpen || isClosed || channel.isClosed() || channel.writer() != writer) {
            throw unready(channel);
        }
    }

    void onClaim() {
        isClaimOpen = true;
    }

    void onClaimEnd() {
        isClaimOpen = false;
    }

    Staging staging() {
        return staging;
    }

    /** Starts a message that is written piece by piece. */
    MessageWriter write(final UnicastOutlet outlet, final long length) {
        checkClaim(outlet.channel, 0);
        final long limit = messageLimit;
        if (length < 1) {
            throw new IllegalArgumentException(
                    "must be positive: channelId=" + outlet.channel.id() + " messageLength=" + length);
        }
        if (length > limit) {
            throw new MessageTooLargeException(length, limit);
        }
        final boolean isWhole = length <= Math.min(outlet.way().wholeLimit(), outlet.channel.messageLimit());
        final MessageWriter writer = new MessageWriter(this, outlet, length, isWhole);
        outlet.channel.writer(writer);
        return writer;
    }

    /** Sends a message to one worker, cut if need be; waits for room. */
    void pushWhole(final Way way, final DirectBuffer message, final int offset, final int length) {
        room.checkNotStuck(way, length);
        if (length <= way.recordLimit()) {
            int lack = way.tryClaim(length);
            while (lack == SendRing.FULL || lack < 0 && length <= way.wholeLimit()) {
                room.await(way, lack, length);
                lack = way.tryClaim(length);
            }
            if (lack >= 0) {
                way.buffer().putBytes(lack, message, offset, length);
                way.commit();
                return;
            }
        }
        int done = 0;
        while (done < length) {
            final int result = way.tryFragment(length, done, message, offset + done, length - done);
            if (result < 0) {
                room.await(way, result, length - done);
            } else {
                done += result;
            }
        }
    }

    /** Sends a message to all workers of a process, once if it can travel whole; waits for room. */
    void pushToAll(final ProcessWays ways, final DirectBuffer message, final int offset, final int length) {
        final Way toAll = ways.toAll();
        if (length <= toAll.recordLimit()) {
            int lack = toAll.tryClaim(length);
            while (lack == SendRing.FULL || lack < 0 && length <= toAll.wholeLimit()) {
                room.await(toAll, lack, length);
                lack = toAll.tryClaim(length);
            }
            if (lack >= 0) {
                toAll.buffer().putBytes(lack, message, offset, length);
                toAll.commit();
                return;
            }
        }
        for (final Way way : ways.toEach()) {
            pushWhole(way, message, offset, length);
        }
    }

    /** Sends what was pushed. */
    void flush() {
        checkNoClaim(-1);
        room.drainSpilled();
        flushAll();
    }

    private void flushAll() {
        lane.flush();
        flushRings();
    }

    /** Sends what was pushed to other processes. */
    private void flushRings() {
        for (final SendRing ring : rings) {
            if (ring != null) {
                ring.flush();
            }
        }
    }

    // ---- the end

    /** Drops an open claim, and sends what was pushed, what was spilled included. */
    void finish() {
        abortClaim();
        for (final ChannelOut channel : channels) {
            if (channel.writer() != null) {
                channel.writer().close();
            }
        }
        flush();
        room.awaitSpilled();
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
        for (final ChannelOut channel : channels) {
            for (final ProcessWays ways : channel.processes()) {
                first = releaseLocal(ways, first);
            }
        }
        try {
            lane.close();
        } catch (final Throwable broken) {
            first = first == null ? broken : first;
        }
        if (first != null) {
            LangUtil.rethrowUnchecked(first);
        }
    }

    /** Gives back what does not belong to a ring; returns the first failure. */
    private static Throwable releaseLocal(final ProcessWays ways, final Throwable firstBefore) {
        Throwable first = firstBefore;
        for (int i = -1; i <= ways.toEach().length; i++) {
            try {
                if (i < 0) {
                    closeSpill(ways.spill());
                } else {
                    closeLocal(i < ways.toEach().length ? ways.toEach()[i] : ways.toAll());
                }
            } catch (final Throwable broken) {
                first = first == null ? broken : first;
            }
        }
        return first;
    }

    private static void closeSpill(final SpillLane spill) {
        if (spill != null) {
            spill.close();
        }
    }

    private static void closeLocal(final Way way) {
        if (way instanceof LocalWay) {
            ((LocalWay) way).close();
        }
    }

    private long pieceLimit() {
        return Math.min(messageLimit, config.assemblyLimit());
    }

    private void checkNoClaim(final int channelId) {
        if (isClaimOpen || isClosed) {
            throw isClosed
                    ? new IllegalStateException("the worker has ended: channelId=" + channelId)
                    : new IllegalStateException(
                            "a claim is still open, commit or abort it first: channelId=" + channelId
                                    + " claimedChannelId=" + claimant().channel.id());
        }
    }

    private RuntimeException unfit(final ChannelOut channel, final int length) {
        if (length < 0) {
            return new IllegalArgumentException("negative: channelId=" + channel.id() + " messageLength=" + length);
        }
        if (channel.onFull() == OnFull.REFUSE) {
            return new MessageTooLargeException(
                    "message too large for a channel that refuses, where it has to fit a frame and half of the channel"
                            + " window; write it piece by piece, or raise frameLimit and channelWindow on all processes",
                    length,
                    "limit",
                    channel.messageLimit());
        }
        if (length > messageLimit) {
            return new MessageTooLargeException(length, messageLimit);
        }
        return new MessageTooLargeException(
                "message too large to be held in memory; write it piece by piece, or raise assemblyLimit",
                length,
                Assembly.LIMIT_NAME,
                config.assemblyLimit());
    }

    private IllegalStateException unready(final ChannelOut channel) {
        if (channel.isClosed()) {
            return new IllegalStateException("the channel is closed: channelId=" + channel.id());
        }
        if (channel.writer() != null) {
            return new IllegalStateException("a message is being written to that channel, complete it first: channelId="
                    + channel.id() + " remaining=" + channel.writer().remaining());
        }
        checkNoClaim(channel.id());
        throw new IllegalStateException(
                "nothing is wrong with that channel, please report it: channelId=" + channel.id());
    }

    private Outlet claimant() {
        for (final ChannelOut channel : channels) {
            final Outlet outlet = channel.claimant();
            if (outlet != null) {
                return outlet;
            }
        }
        throw new IllegalStateException("no outlet has the open claim, please report it: channels=" + channels.size());
    }
}
