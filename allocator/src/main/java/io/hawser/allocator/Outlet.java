package io.hawser.allocator;

import org.agrona.MutableDirectBuffer;

/**
 * Where the messages of one channel to one worker, or to all, go into. Claim, write, then commit or abort; one claim at a time for each
 * worker, over all its channels.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
abstract class Outlet {
    /** Instead of an offset: the channel is full, and refuses. */
    static final int REFUSED = -1;

    final Outbox outbox;
    final ChannelOut channel;

    private boolean isClaimant;

    /** The message that was refused last and not taken since; -1 if there is none. */
    private int refusedLength = -1;

    Outlet(final Outbox outbox, final ChannelOut channel) {
        this.outbox = outbox;
        this.channel = channel;
    }

    /** Claims room for a message, and returns where the message goes in {@link #buffer()}, or {@link #REFUSED}. */
    final int claim(final int length) {
        outbox.checkClaim(channel, length);
        final int offset = doClaim(length);
        if (offset >= 0) {
            outbox.onClaim();
            isClaimant = true;
            if (refusedLength >= 0) {
                refusedLength = -1;
                outbox.room().forget(this);
            }
        }
        return offset;
    }

    /** Throws what a claim would throw that has nothing to do with room. */
    final void check(final int length) {
        outbox.checkClaim(channel, length);
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

    /** Notes that a message was refused; the worker wants to know when there is room for it. */
    final int refuse(final int length) {
        if (refusedLength < 0) {
            outbox.room().onRefused(this);
        }
        refusedLength = length;
        return REFUSED;
    }

    /** Whether there is room for what was refused; if not, asks for a signal. */
    final boolean isRoomMade() {
        final boolean isMade = hasRoom(refusedLength);
        if (isMade) {
            refusedLength = -1;
        }
        return isMade;
    }

    private void endClaim() {
        if (!isClaimant) {
            throw new IllegalStateException("commit or abort without a claim: channelId=" + channel.id());
        }
        isClaimant = false;
        outbox.onClaimEnd();
    }

    /** Whether nobody reads there any more. */
    abstract boolean isReceiverGone();

    abstract int doClaim(int length);

    abstract void doCommit();

    abstract void doAbort();

    abstract boolean hasRoom(int length);
}
