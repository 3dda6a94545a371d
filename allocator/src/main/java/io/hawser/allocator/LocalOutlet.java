package io.hawser.allocator;

import org.agrona.MutableDirectBuffer;

/**
 * An outlet to workers of the same process.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class LocalOutlet extends Outlet {
    private final LocalLane lane;
    private final int firstTarget;
    private final int targetCount;

    LocalOutlet(
            final Outbox outbox,
            final int channelId,
            final LocalLane lane,
            final int firstTarget,
            final int targetCount) {
        super(outbox, channelId);
        this.lane = lane;
        this.firstTarget = firstTarget;
        this.targetCount = targetCount;
    }

    @Override
    MutableDirectBuffer buffer() {
        return lane.buffer();
    }

    @Override
    int doClaim(final int length) {
        return lane.claim(channelId, firstTarget, targetCount, length);
    }

    @Override
    void doCommit() {
        lane.commit();
    }

    @Override
    void doAbort() {
        lane.abort();
    }
}
