package io.hawser.allocator;

import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.MessageTooLargeException;
import io.hawser.transport.SendRing;
import io.hawser.transport.WindowPool;
import io.hawser.transport.WorkerReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The sending half of a worker: one send ring for each other process, the lane to the workers of its own, and what is done when there is no room.
 *
 * <p><em>Threading:</em> made before the worker starts; from then on the worker's thread.
 */
final class Outbox {
    /** The scope of the cluster itself; dataflows get others. */
    private static final long CLUSTER_SCOPE = 0;

    private final ClusterConfig config;
    private final int workerIndex;
    private final Health health;
    private final ProgressStamp progress;
    private final LocalLane lane;
    private final RoomSignal signal;
    private final WindowPool windows;
    private final long messageLimit;
    private final Supplier<SpillStore> spillStores;
    private final WorkerReport report;

    /** By process; null at the own index. */
    private final SendRing[] rings;

    private final Int2ObjectHashMap<ChannelOut> channels = new Int2ObjectHashMap<>();
    private final Staging staging = new Staging();

    /** Those that hold something. */
    private final List<SpillLane> spilling = new ArrayList<>();

    /** Those whose last push was refused. */
    private final List<Outlet> refused = new ArrayList<>();

    private final List<MessageWriter> refusedWriters = new ArrayList<>();

    /** Whether one outlet has a claim open. A flag here and one there: storing a reference at each message would cost the collector's barrier. */
    private boolean isClaimOpen;

    private boolean isClosed;

    /** The other half of the worker; set once, before the worker starts. */
    private Intake intake;

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
        this.report = report;
        this.config = config;
        this.workerIndex = workerIndex;
        this.health = health;
        this.progress = progress;
        this.lane = lane;
        this.rings = rings;
        this.signal = signal;
        this.windows = windows;
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

    void intake(final Intake otherHalf) {
        intake = otherHalf;
    }

    // ---- channels

    ChannelOut open(final int channelId, final OnFull onFull) {
        checkRoomForChannel(channelId);
        if (onFull == OnFull.SPILL) {
            Objects.requireNonNull(spillStores.get()); // early: what it lacks is to be known before anything is pushed
        }
        final ChannelOut channel = new ChannelOut(channelId, onFull);
        final ProcessWays[] processes = new ProcessWays[rings.length];
        final List<UnicastOutlet> outlets = new ArrayList<>();
        long wholeLimit = Long.MAX_VALUE;
        for (int process = 0; process < rings.length; process++) {
            processes[process] = waysTo(process, channel);
            wholeLimit = Math.min(wholeLimit, processes[process].toAll().wholeLimit());
            for (final Way way : processes[process].toEach()) {
                wholeLimit = Math.min(wholeLimit, way.wholeLimit());
                outlets.add(new UnicastOutlet(this, channel, way, processes[process].spill()));
            }
        }
        final Outlet toAll = outlets.size() == 1 ? outlets.get(0) : new BroadcastOutlet(this, channel, processes);
        channel.open(processes, outlets, toAll, onFull == OnFull.REFUSE ? wholeLimit : pieceLimit());
        channels.put(channelId, channel);
        return channel;
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
        flush();
        for (final ProcessWays ways : channel.processes()) {
            if (ways.spill() != null) {
                awaitSpilled(ways.spill());
                ways.spill().close();
            }
            closeWays(ways);
        }
        refused.removeIf(outlet -> outlet.channel == channel);
        refusedWriters.removeIf(writer -> writer.isOf(channel));
        channels.remove(channel.id());
        flushRings();
    }

    private ProcessWays waysTo(final int process, final ChannelOut channel) {
        final int count = config.workersPerProcess();
        final int first = config.firstWorker(process);
        final Way[] toEach = new Way[count];
        for (int i = 0; i < count; i++) {
            toEach[i] = way(process, channel.id(), first + i, 1);
        }
        final Way toAll = count == 1 ? toEach[0] : way(process, channel.id(), first, count);
        final SpillLane spill = channel.onFull() == OnFull.SPILL
                ? new SpillLane(
                        this,
                        channel,
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
                        signal));
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
            await(way, SendRing.FULL, 0);
        }
    }

    private void checkRoomForChannel(final int channelId) {
        long limit = config.channelLimit();
        String whose = "channelLimit of this process";
        for (int process = 0; process < rings.length; process++) {
            if (rings[process] != null && rings[process].laneLimit() / config.lanesPerWorker() < limit) {
                limit = rings[process].laneLimit() / config.lanesPerWorker();
                whose = "channelLimit of process " + process;
            }
        }
        if (channels.size() >= limit) {
            throw new IllegalStateException("no more channels at a time, close some or raise the " + whose
                    + ": channelId=" + channelId + " openChannels=" + channels.size() + " channelLimit=" + limit);
        }
    }

    // ---- pushing

    void checkClaim(final ChannelOut channel, final int length) {
        progress.step();
        health.check();
        if (length < 0 || length > channel.messageLimit()) {
            throw unfit(channel, length);
        }
        if (isClaimOpen || isClosed || channel.isClosed() || channel.writer() != null) {
            throw unready(channel);
        }
    }

    void checkWrite(final ChannelOut channel, final MessageWriter writer) {
        progress.step();
        health.check();
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
        checkNotStuck(way, length);
        if (length <= way.recordLimit()) {
            int lack = way.tryClaim(length);
            while (lack == SendRing.FULL || lack < 0 && length <= way.wholeLimit()) {
                await(way, lack, length);
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
                await(way, result, length - done);
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
                await(toAll, lack, length);
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
        drainSpilled();
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

    // ---- waiting for room

    void checkNotStuck(final Way way, final int length) {
        if (way.isStuckWithout(workerIndex, length)) {
            throw new StandstillException("worker " + workerIndex + " would wait for itself: " + way.address()
                    + " is full until that worker pulls from it; pull in between, push with " + OnFull.REFUSE + " or "
                    + OnFull.SPILL
                    + ", or raise channelWindowMax: messageLength=" + length + " channelWindow="
                    + config.channelWindow());
        }
    }

    /** Waits until what was lacking may be there. Nobody is to wait meanwhile for what we have: all is sent, and what was spilled goes on. */
    void await(final Way way, final int lack, final int length) {
        checkNotStuck(way, length);
        lane.flush();
        flushRings();
        final long startNs = config.clock().nanoTime();
        boolean isInterrupted = false;
        try {
            while (true) {
                signal.clear();
                health.check();
                if (way.want(lack)) {
                    return;
                }
                if (drainSpilled()) {
                    lane.flush();
                    flushRings();
                }
                sleep(way.address(), length, startNs);
                isInterrupted |= Thread.interrupted();
            }
        } finally {
            report.over();
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Sleeps until there may be room. What comes for closed channels is given back meanwhile: others may wait for that. */
    private void sleep(final long timeoutNs) {
        if (intake != null && intake.isToDiscard()) {
            intake.discard(timeoutNs);
        } else {
            signal.await(timeoutNs);
        }
    }

    /** The same for a while. Whoever sleeps for long says so, and looks who waits for whom. */
    private void sleep(final LaneAddress address, final int length, final long startNs) {
        final long patienceNs = report.patienceNs();
        sleep(patienceNs);
        if (!signal.isSet()) {
            final long waitedNs = config.clock().nanoTime() - startNs;
            if (waitedNs >= patienceNs) {
                report.stillWaiting(address, length, waitedNs);
            }
        }
    }

    /** Whether a message can be sent whole now; if not, asks for a signal. */
    boolean hasRoom(final Way way, final int length) {
        int lack = way.tryClaim(length);
        while (lack < 0) {
            if (!way.want(lack)) {
                return false;
            }
            lack = way.tryClaim(length);
        }
        way.abort();
        return true;
    }

    /** The same for some bytes of a longer message. */
    boolean hasRoomForFragment(final Way way, final long remaining) {
        return hasRoom(way, (int) Math.min(remaining, Math.min(SendRing.FRAGMENT_MIN, way.wholeLimit())));
    }

    /** Waits until a push that was refused may be tried again; false if the time ran out, or the thread was interrupted. */
    boolean awaitRoom(final long timeoutNs, final Clock clock) {
        final long startNs = timeoutNs == Long.MAX_VALUE ? 0 : clock.nanoTime();
        long leftNs = timeoutNs;
        while (hasRefused()) {
            signal.clear();
            health.check();
            if (isRoomMade()) {
                return true;
            }
            if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            if (drainSpilled()) {
                flush();
            }
            sleep(leftNs);
            if (timeoutNs != Long.MAX_VALUE) {
                leftNs = timeoutNs - (clock.nanoTime() - startNs);
            }
        }
        return true;
    }

    void onRefused(final Outlet outlet) {
        refused.add(outlet);
    }

    void onWriterRefused(final MessageWriter writer) {
        if (!writer.isRefused()) {
            writer.refused(true);
            refusedWriters.add(writer);
        }
    }

    /** Whether a push that was refused may be tried again. Asks for a signal for all that may not. */
    boolean isRoomMade() {
        boolean isMade = false;
        for (int i = refused.size() - 1; i >= 0; i--) {
            if (refused.get(i).isRoomMade()) {
                refused.remove(i);
                isMade = true;
            }
        }
        for (int i = refusedWriters.size() - 1; i >= 0; i--) {
            if (refusedWriters.get(i).hasRoom()) {
                refusedWriters.remove(i).refused(false);
                isMade = true;
            }
        }
        return isMade;
    }

    /** Whether something waits for room: then the worker is not done when nothing more arrives. */
    boolean isWaitingForRoom() {
        return !spilling.isEmpty() || !refused.isEmpty() || !refusedWriters.isEmpty();
    }

    /** Whether something has been refused and not been possible since. */
    boolean hasRefused() {
        return !refused.isEmpty() || !refusedWriters.isEmpty();
    }

    RoomSignal signal() {
        return signal;
    }

    // ---- spilling

    SpillStore spillStore() {
        return spillStores.get();
    }

    void onSpilling(final SpillLane spill) {
        if (!spilling.contains(spill)) { // it may have run empty without anybody looking
            spilling.add(spill);
        }
    }

    /** Sends what was spilled, as far as there is room; asks for a signal for the rest. Returns whether anything was there. */
    boolean drainSpilled() {
        if (spilling.isEmpty()) {
            return false;
        }
        for (int i = spilling.size() - 1; i >= 0; i--) {
            if (spilling.get(i).drain()) {
                spilling.remove(i);
            }
        }
        return true;
    }

    private void awaitSpilled(final SpillLane spill) {
        final long startNs = config.clock().nanoTime();
        boolean isInterrupted = false;
        try {
            while (!spill.isEmpty()) {
                signal.clear();
                health.check();
                drainSpilled();
                lane.flush();
                flushRings();
                if (!spill.isEmpty()) {
                    sleep(spill.headAddress(), 0, startNs);
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            report.over();
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---- the end

    /** Drops an open claim, and sends what was pushed, what was spilled included. */
    void finish() {
        if (isClaimOpen) {
            claimant().abort();
        }
        for (final ChannelOut channel : channels.values()) {
            if (channel.writer() != null) {
                channel.writer().close();
            }
        }
        flush();
        while (!spilling.isEmpty()) {
            awaitSpilled(spilling.get(0));
        }
        flush();
    }

    boolean hasSpilled() {
        return !spilling.isEmpty();
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
        for (final ChannelOut channel : channels.values()) {
            releaseLocal(channel);
        }
        lane.close();
        if (first != null) {
            LangUtil.rethrowUnchecked(first);
        }
    }

    private static void releaseLocal(final ChannelOut channel) {
        for (final ProcessWays ways : channel.processes()) {
            if (ways.spill() != null) {
                ways.spill().close();
            }
            for (final Way way : ways.toEach()) {
                releaseCell(way);
            }
            releaseCell(ways.toAll());
        }
    }

    private static void releaseCell(final Way way) {
        if (way instanceof LocalWay) {
            ((LocalWay) way).releaseCell();
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
        final String what = channel.onFull() == OnFull.REFUSE
                ? "message too large for a channel that refuses, where it has to fit a frame and half of the channel"
                        + " window; write it piece by piece, or raise frameLimit and channelWindow on all processes"
                : length > messageLimit
                        ? "message too large; cut it into several, or raise messageLimit on all processes"
                        : "message too large to be held in memory; write it piece by piece, or raise assemblyLimit";
        return new MessageTooLargeException(what, length, channel.messageLimit());
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
        for (final ChannelOut channel : channels.values()) {
            final Outlet outlet = channel.claimant();
            if (outlet != null) {
                return outlet;
            }
        }
        throw new IllegalStateException("no outlet has the open claim, please report it: channels=" + channels.size());
    }
}
