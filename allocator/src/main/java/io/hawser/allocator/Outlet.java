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

    Outlet(final Outbox outbox, final int channelId) {
        this.outbox = outbox;
        this.channelId = channelId;
    }

    /** Claims room for a message, waiting for it if need be, and returns where the message goes in {@link #buffer()}. */
    final int claim(final int length) {
        outbox.checkClaim(channelId, length);
        final int offset = doClaim(length);
        outbox.openClaim(this);
        return offset;
    }

    /** The memory that the claim lies in. */
    abstract MutableDirectBuffer buffer();

    /** Lets the claimed message go. */
    final void commit() {
        outbox.closeClaim(this);
        doCommit();
    }

    /** Gives the claim back, without a trace. */
    final void abort() {
        outbox.closeClaim(this);
        doAbort();
    }

    abstract int doClaim(int length);

    abstract void doCommit();

    abstract void doAbort();
}
