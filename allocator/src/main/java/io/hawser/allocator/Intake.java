package io.hawser.allocator;

import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The receiving half of a worker: sorts what its inbox holds by channel, and waits when there is nothing.
 *
 * <p><em>Threading:</em> the worker's thread; {@link #isAwakeNeeded()} reads shared state only.
 */
final class Intake implements Inbox.ParkWatch {
    private final Inbox inbox;
    private final Health health;
    private final LiveSources sources;
    private final Clock clock;
    private final RoomWait room;
    private final NoticeBox notices;
    private final int assemblyLimit;

    /** Dataflows that were open once; what still comes for them is given back at once. */
    private final IdSet closedScopes = new IdSet();

    private final Long2ObjectHashMap<ScopeQueues> scopes = new Long2ObjectHashMap<>();
    private ScopeQueues lastScope = new ScopeQueues(0);
    private boolean isSomeClosed;

    private final Inbox.ParkWatch roomWatch = this::isRoomAnnounced;
    private final Inbox.ParkWatch noticeWatch = this::isNoticeThere;

    /** All queues in the order in which they came up: closing them after a loss is no time to load an iterator. */
    private final List<ChannelQueue> queueList = new ArrayList<>();

    private long discardedCount;

    /** How many deliveries wait in allocated channels. */
    private int readyCount;

    private boolean isClosed;
    private Reaper reaper = Reaper.NONE;

    /** What dataflows want while their worker waits. */
    interface Reaper {
        /** A worker that has none. */
        Reaper NONE = new Reaper() {
            @Override
            public void reap() {
                // nothing to let go of
            }

            @Override
            public boolean takeNews() {
                return false;
            }

            @Override
            public boolean hasGoAhead() {
                return false;
            }

            @Override
            public boolean showGoAheads() {
                return false;
            }

            @Override
            public boolean isForWork() {
                return false;
            }
        };

        void reap();

        /** The same; and whether something has changed that concerns this worker since it was last asked. */
        boolean takeNews();

        /** Whether there is a go-ahead to show. */
        boolean hasGoAhead();

        /** Shows go-aheads that have come; returns whether there was any. */
        boolean showGoAheads();

        /** Whether the worker waits for work that may come from a thread of this very process: then it is never over for it. */
        boolean isForWork();
    }

    /** What has come for one dataflow, or for the cluster itself. */
    private static final class ScopeQueues {
        private final long id;
        private final Int2ObjectHashMap<ChannelQueue> queues = new Int2ObjectHashMap<>();

        /** Channels that were open once; what still comes for them is given back at once. */
        private final IdSet closedIds = new IdSet();

        /** Those of them whose senders are to know. */
        private final IdSet droppedIds = new IdSet();

        ScopeQueues(final long id) {
            this.id = id;
        }
    }

    Intake(
            final Inbox inbox,
            final Health health,
            final LiveSources sources,
            final Clock clock,
            final RoomWait room,
            final NoticeBox notices,
            final int assemblyLimit) {
        this.room = room;
        this.notices = notices;
        this.assemblyLimit = assemblyLimit;
        this.inbox = inbox;
        this.health = health;
        this.sources = sources;
        this.clock = clock;
        room.intake(this);
        scopes.put(0, lastScope);
    }

    /** Once, before the worker starts. */
    void reaper(final Reaper newReaper) {
        reaper = newReaper;
    }

    /** Opens a channel to be pulled from, with all that has arrived for it. */
    ChannelQueue allocate(final long scopeId, final int channelId) {
        final ChannelQueue queue = queueOf(scopeOf(scopeId), channelId);
        queue.allocate();
        readyCount += queue.deliveryCount();
        return queue;
    }

    /** Ids are never used again: what is still on its way for a closed channel must not be taken for another one's. */
    void checkUnused(final long scopeId, final int channelId) {
        final ScopeQueues scope = scopeOf(scopeId);
        if (scope.closedIds.contains(channelId)) {
            throw new IllegalStateException(
                    "this worker has closed that channel, and ids are not used again: channelId=" + channelId
                            + inScope(scopeId));
        }
        final ChannelQueue queue = scope.queues.get(channelId);
        if (queue != null && queue.isAllocated()) {
            throw new IllegalStateException(
                    "this worker has allocated that channel before: channelId=" + channelId + inScope(scopeId));
        }
    }

    private static String inScope(final long scopeId) {
        return scopeId == 0 ? "" : " dataflowId=" + scopeId;
    }

    /** Closes a channel: what has arrived for it and what will arrive is given back. */
    void close(final ChannelQueue queue, final boolean isDropped) {
        final ScopeQueues scope = scopes.get(queue.scopeId());
        if (scope != null) {
            if (isDropped) {
                scope.droppedIds.add(queue.channelId());
                queue.forEach(Delivery::tellReceiverGone);
            }
            closeQueue(queue);
            scope.queues.remove(queue.channelId());
            scope.closedIds.add(queue.channelId());
            isSomeClosed = true;
            sortArrived(); // what has arrived and not been sorted may be of it, too
        }
    }

    /** The memory that is being looked at must not be given back. */
    void checkClosable(final long scopeId) {
        final ScopeQueues scope = scopes.get(scopeId);
        if (scope != null) {
            scope.queues.values().forEach(ChannelQueue::checkClosable);
        }
    }

    /** Closes all channels of a dataflow, allocated or not: what has arrived for it and what will arrive is given back. Idempotent. */
    void closeScope(final long scopeId) {
        final ScopeQueues scope = scopes.remove(scopeId);
        if (scope != null) {
            scope.queues.values().forEach(this::closeQueue);
        }
        if (lastScope.id == scopeId) {
            lastScope = scopes.get(0);
        }
        closedScopes.add(scopeId);
        isSomeClosed = true;
        sortArrived(); // what has arrived and not been sorted is of it, too
    }

    private void closeQueue(final ChannelQueue queue) {
        if (queue.isAllocated()) {
            readyCount -= queue.deliveryCount();
        }
        discardedCount += queue.deliveryCount();
        queue.close();
        queueList.remove(queue);
    }

    /** Deliveries that were given back unread because their channel was closed. */
    long discardedCount() {
        return discardedCount;
    }

    /** Sorts what has arrived until something is there for the wanted channel; false if the inbox ran empty first. */
    boolean fetch(final ChannelQueue wanted) {
        if (isClosed) {
            throw new IllegalStateException("the worker has ended: channelId=" + wanted.channelId());
        }
        if (wanted.isClosed()) {
            throw new IllegalStateException("the channel is closed: channelId=" + wanted.channelId());
        }
        for (Delivery delivery = inbox.poll(); delivery != null; delivery = inbox.poll()) {
            if (sort(delivery) == wanted) {
                return true;
            }
        }
        return false;
    }

    /**
     * Waits until an allocated channel has something to pull, a notice has been shown, or there is room for a push that was refused. Meanwhile what was spilled goes on its way.
     *
     * @param timeoutNs how long at most; {@link Long#MAX_VALUE} for no limit
     * @return true if there is something; false if the time ran out, or the thread was interrupted
     */
    boolean await(final long timeoutNs) {
        final long startNs = timeoutNs == Long.MAX_VALUE ? 0 : clock.nanoTime();
        long leftNs = timeoutNs;
        while (true) {
            // asked before health and inbox: whoever ends has lost health, or delivered its last, before it is counted
            final boolean isOnlyOne = sources.isOnlyOne();
            health.check();
            room.signal().clear();
            final boolean isChanged = reaper.takeNews();
            room.sendSpilled();
            // each of them: one that is busy must not keep the others from being shown
            final boolean isShown = isChanged | reaper.showGoAheads() | notices.show();
            if (isShown || isReady() || room.hasRefused() && room.isRoomMade()) {
                return true;
            }
            if (isOnlyOne && !room.isWaitingForRoom() && !reaper.isForWork()) {
                throw endOfStream();
            }
            if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            inbox.park(this, leftNs);
            if (timeoutNs != Long.MAX_VALUE) {
                leftNs = timeoutNs - (clock.nanoTime() - startNs);
            }
        }
    }

    /**
     * Waits until a notice has been shown, whatever there is to pull. Meanwhile what was spilled goes on its way.
     *
     * @param timeoutNs how long at most; {@link Long#MAX_VALUE} for no limit
     * @return true if one has been shown; false if the time ran out, or the thread was interrupted
     */
    boolean awaitNotice(final long timeoutNs) {
        return await(notices::show, noticeWatch, timeoutNs);
    }

    /**
     * Waits until something is the case that whoever makes it so rings the bell for, whatever there is to pull. Meanwhile what was spilled goes on its way.
     *
     * @param condition what is waited for
     * @param timeoutNs how long at most; {@link Long#MAX_VALUE} for no limit
     * @return false if the time ran out, or the thread was interrupted
     */
    boolean awaitCondition(final BooleanSupplier condition, final long timeoutNs) {
        return await(condition, roomWatch, timeoutNs);
    }

    private boolean await(final BooleanSupplier condition, final Inbox.ParkWatch watch, final long timeoutNs) {
        final long startNs = timeoutNs == Long.MAX_VALUE ? 0 : clock.nanoTime();
        long leftNs = timeoutNs;
        while (true) {
            health.check();
            room.signal().clear();
            reaper.reap();
            room.sendSpilled();
            if (condition.getAsBoolean()) {
                return true;
            }
            if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            sortArrived(); // a bed with something in it is not slept in
            inbox.park(watch, leftNs);
            if (timeoutNs != Long.MAX_VALUE) {
                leftNs = timeoutNs - (clock.nanoTime() - startNs);
            }
        }
    }

    /** Whether something may come that nobody will pull. */
    boolean isToDiscard() {
        return !isClosed && isSomeClosed;
    }

    /** Sorts what has arrived, which gives back what is for closed channels, then waits for more, or for room. May return for no reason. */
    void discard(final long timeoutNs) {
        sortArrived();
        inbox.park(roomWatch, timeoutNs);
    }

    /** Sorts what has arrived, which gives back what is for closed channels. */
    void sortArrived() {
        for (Delivery delivery = inbox.poll(); delivery != null; delivery = inbox.poll()) {
            sort(delivery);
        }
    }

    @Override
    public boolean isAwakeNeeded() {
        return health.isLost()
                || room.signal().isSet()
                || notices.hasAny()
                || reaper.hasGoAhead()
                || sources.isOnlyOne() && !room.isWaitingForRoom() && !reaper.isForWork();
    }

    private boolean isNoticeThere() {
        return health.isLost() || room.signal().isSet() || notices.hasAny();
    }

    private boolean isRoomAnnounced() {
        return health.isLost() || room.signal().isSet();
    }

    /** A delivery of an allocated channel has been read to its end. */
    void onConsumed() {
        readyCount--;
    }

    /** What was put off has to be looked at again. */
    void onResumed() {
        readyCount++;
    }

    /** Releases what has arrived and all that will arrive. */
    void close() {
        isClosed = true;
        notices.close();
        inbox.close();
        for (int i = 0; i < queueList.size(); i++) {
            queueList.get(i).close();
        }
    }

    private boolean isReady() {
        while (readyCount == 0) {
            final Delivery delivery = inbox.poll();
            if (delivery == null) {
                return false;
            }
            sort(delivery);
        }
        return true;
    }

    /** Puts a delivery where it belongs; if there is no memory for that, it is released, and the worker panics. */
    private ChannelQueue sort(final Delivery delivery) {
        boolean isKept = false;
        try {
            if (isSomeClosed && isForClosed(delivery)) {
                tellIfDropped(delivery);
                discardedCount++;
                return null;
            }
            final ChannelQueue queue = queueOf(scopeOf(delivery.scopeId()), delivery.channelId());
            queue.add(delivery);
            isKept = true;
            if (queue.isAllocated()) {
                readyCount++;
            }
            return queue;
        } finally {
            if (!isKept) {
                delivery.release();
            }
        }
    }

    private boolean isForClosed(final Delivery delivery) {
        final long scopeId = delivery.scopeId();
        return scopeId != lastScope.id && closedScopes.contains(scopeId)
                || scopeOf(scopeId).closedIds.contains(delivery.channelId());
    }

    private void tellIfDropped(final Delivery delivery) {
        final ScopeQueues scope = scopes.get(delivery.scopeId());
        if (scope != null && scope.droppedIds.contains(delivery.channelId())) {
            delivery.tellReceiverGone();
        }
    }

    /** What has come for a scope that is not closed. */
    private ScopeQueues scopeOf(final long scopeId) {
        if (lastScope.id != scopeId) {
            ScopeQueues scope = scopes.get(scopeId);
            if (scope == null) {
                scope = new ScopeQueues(scopeId);
                scopes.put(scopeId, scope);
            }
            lastScope = scope;
        }
        return lastScope;
    }

    private ChannelQueue queueOf(final ScopeQueues scope, final int channelId) {
        ChannelQueue queue = scope.queues.get(channelId);
        if (queue == null) {
            queue = new ChannelQueue(scope.id, channelId, this, assemblyLimit);
            scope.queues.put(channelId, queue);
            queueList.add(queue);
        }
        return queue;
    }

    private EndOfStreamException endOfStream() {
        final long unallocatedCount = queueList.stream()
                .filter(queue -> !queue.isAllocated() && queue.deliveryCount() > 0)
                .count();
        return new EndOfStreamException(
                "nothing can arrive any more: every other process has hung up, every other worker of this"
                        + " process has ended: openChannels="
                        + queueList.stream().filter(ChannelQueue::isAllocated).count()
                        + " unallocatedChannelsWithMessages="
                        + unallocatedCount);
    }
}
