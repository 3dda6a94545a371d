package io.hawser.allocator;

import io.hawser.transport.SendRing;
import org.agrona.MutableDirectBuffer;

/**
 * An outlet to one worker. A message is claimed where the socket, or the other worker, reads it; only one that has to be cut or spilled is written
 * beside it first.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class UnicastOutlet extends Outlet {
    private final Way way;
    private final int recordLimit;

    /** The spilled messages of the channel to the same process, which go first; null if the channel does not spill. */
    private final SpillLane spill;

    private boolean isStaged;
    private int length;

    UnicastOutlet(final Outbox outbox, final ChannelOut channel, final Way way, final SpillLane spill) {
        super(outbox, channel);
        this.way = way;
        this.recordLimit = way.recordLimit();
        this.spill = spill;
    }

    Way way() {
        return way;
    }

    SpillLane spill() {
        return spill;
    }

    @Override
    MutableDirectBuffer buffer() {
        return isStaged ? outbox.staging().buffer() : way.buffer();
    }

    @Override
    boolean isReceiverGone() {
        return way.isReceiverGone();
    }

    @Override
    int doClaim(final int messageLength) {
        if (messageLength <= recordLimit && (spill == null || spill.isEmpty())) {
            final int offset = way.tryClaim(messageLength);
            if (offset >= 0) {
                isStaged = false;
                return offset;
            }
            return claimFull(messageLength, offset);
        }
        return stage(messageLength);
    }

    @Override
    void doCommit() {
        if (!isStaged) {
            way.commit();
        } else if (spill == null) {
            outbox.pushWhole(way, outbox.staging().buffer(), 0, length);
            outbox.staging().shrink();
        } else {
            spill.push(way, outbox.staging().buffer(), 0, length);
            outbox.staging().shrink();
        }
    }

    @Override
    void doAbort() {
        if (!isStaged) {
            way.abort();
        }
    }

    @Override
    boolean hasRoom(final int messageLength) {
        return outbox.room().hasRoom(way, messageLength);
    }

    private int claimFull(final int messageLength, final int firstLack) {
        int lack = firstLack;
        if (channel.onFull() == OnFull.REFUSE) {
            return refuse(messageLength);
        }
        while (channel.onFull() == OnFull.WAIT && (lack == SendRing.FULL || messageLength <= way.wholeLimit())) {
            outbox.room().await(way, lack, messageLength);
            lack = way.tryClaim(messageLength);
            if (lack >= 0) {
                isStaged = false;
                return lack;
            }
        }
        return stage(messageLength);
    }

    private int stage(final int messageLength) {
        outbox.staging().ensure(messageLength);
        isStaged = true;
        length = messageLength;
        return 0;
    }
}
