package io.hawser.allocator;

import io.hawser.transport.SendRing;
import org.agrona.MutableDirectBuffer;

/**
 * An outlet to workers of another process. Waits while the ring is full: the peer takes less than it is sent.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class RingOutlet extends Outlet {
    /** The scope of the cluster itself; dataflows get others. */
    private static final long CLUSTER_SCOPE = 0;

    private final SendRing ring;
    private final int firstTarget;
    private final int targetCount;

    RingOutlet(
            final Outbox outbox,
            final int channelId,
            final SendRing ring,
            final int firstTarget,
            final int targetCount) {
        super(outbox, channelId);
        this.ring = ring;
        this.firstTarget = firstTarget;
        this.targetCount = targetCount;
    }

    @Override
    MutableDirectBuffer buffer() {
        return ring.buffer();
    }

    @Override
    int doClaim(final int length) {
        int offset = ring.tryClaim(CLUSTER_SCOPE, channelId, firstTarget, targetCount, length);
        while (offset == SendRing.FULL) {
            outbox.flushRings(); // nobody is to wait for what we have, while we wait
            ring.awaitSpace();
            offset = ring.tryClaim(CLUSTER_SCOPE, channelId, firstTarget, targetCount, length);
        }
        return offset;
    }

    @Override
    void doCommit() {
        ring.commit();
    }

    @Override
    void doAbort() {
        ring.abort();
    }
}
