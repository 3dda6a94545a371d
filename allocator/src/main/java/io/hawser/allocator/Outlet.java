package io.hawser.allocator;

import org.agrona.MutableDirectBuffer;

/**
 * Where the messages of one channel to one worker, or to all, go into. Claim, write, then commit or abort; one claim at a time for each
 * worker, over all its channels.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
abstract class Outlet {
    final Outbox outbox;
    final int channelId;

    private boolean isClaimant;

    Outlet(final Outbox outbox, final int channelId) {
        this.outbox = outbox;
        this.channelId = channelId;
    }

    /** Claims room for a message, waiting for it if need be, and returns where the message goes in {@link #buffer()}. */
    final int claim(final int length) {
        outbox.checkClaim(channelId, length);
        final int offset = doClaim(length);
        outbox.onClaim();
        isClaimant = true;
        return offset;
    }

    /** The memory that the claim lies in. */
    abstract MutableDirectBuffer buffer();

    /** Lets the claimed message go. */
    final void commit() {
        endClaim();
        doCommit();
    }

    /** Gives the claim back, without a trace. */
    final void abort() {
        endClaim();
        doAbort();
    }

    final boolean isClaimant() {
        return isClaimant;
    }

    private void endClaim() {
        if (!isClaimant) {
            throw new IllegalStateException("commit or abort without a claim: channelId=" + channelId);
        }
        isClaimant = false;
        outbox.onClaimEnd();
    }

    abstract int doClaim(int length);

    abstract void doCommit();

    abstract void doAbort();
}
