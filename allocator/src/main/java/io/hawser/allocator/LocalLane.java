package io.hawser.allocator;

import io.hawser.framing.RecordDescriptor;
import io.hawser.transport.Slab;
import io.hawser.transport.SlabPool;
import org.agrona.MutableDirectBuffer;

/**
 * The way from one worker to the workers of its own process, itself included. Records lie in a slab exactly as they would on the wire;
 * what a send ring hands to a socket, this hands to inboxes.
 *
 * <pre>
 *     slab   | row given away | row given away | open row: r r r | claim |      free      |
 *                                               rowStart          position
 * </pre>
 *
 * Records to the same channel and targets extend the open row. Another channel or other targets, a full row, or {@link #flush}
 * seal it: it becomes one {@link Delivery}, and each target gets a reference to the slab. The lane itself keeps one
 * reference to the slab it writes into.
 *
 * <p><em>Threading:</em> the worker's thread; the bytes are published by the hand-over to an {@link Inbox}.
 */
final class LocalLane {
    private final SlabPool slabs;
    private final InboxRouter router;
    private final int sourceWorker;
    private final int rowLimit;

    private Slab slab;
    private MutableDirectBuffer buffer;
    private int rowStart;
    private int position;
    private int rowChannelId;
    private int rowFirstTarget;
    private int rowTargetCount;

    /** Where the claimed record ends; the same as position if there is no claim. */
    private int claimEnd;

    /** A row was handed over but has not reached all its targets: memory ran out, and somebody went on nevertheless. */
    private boolean isTorn;

    /**
     * A lane without memory; it takes some with the first claim.
     *
     * @param slabs        where memory comes from; closed together with the lane
     * @param router       whom rows are given to
     * @param sourceWorker global index of the worker that writes
     * @param rowLimit     the longest row in bytes, a long message apart
     */
    LocalLane(final SlabPool slabs, final InboxRouter router, final int sourceWorker, final int rowLimit) {
        this.slabs = slabs;
        this.router = router;
        this.sourceWorker = sourceWorker;
        this.rowLimit = rowLimit;
    }

    /** Claims room for one message and returns where it goes in {@link #buffer()}. Never waits. */
    int claim(final int channelId, final int firstTarget, final int targetCount, final int messageLength) {
        final int recordLength = RecordDescriptor.recordLength(messageLength);
        if (!isRowOf(channelId, firstTarget, targetCount) || position - rowStart + recordLength > rowLimit) {
            flush();
            rewind();
        }
        if (slab == null || recordLength > buffer.capacity() - position) {
            flush();
            renewSlab();
        }
        rowChannelId = channelId;
        rowFirstTarget = firstTarget;
        rowTargetCount = targetCount;
        claimEnd = position + recordLength;
        return RecordDescriptor.begin(buffer, position, messageLength);
    }

    /** The memory that the claim lies in. */
    MutableDirectBuffer buffer() {
        return buffer;
    }

    void commit() {
        position = claimEnd;
    }

    void abort() {
        claimEnd = position;
    }

    /** Gives the open row to its targets. An open claim is not part of it. */
    void flush() {
        if (isTorn) {
            throw new IllegalStateException(
                    "a row was lost when it was handed over, so no more may follow it: channelId=" + rowChannelId);
        }
        final int rowLength = position - rowStart;
        if (rowLength > 0) {
            isTorn = true;
            router.route(slab, rowStart, rowLength, rowChannelId, sourceWorker, rowFirstTarget, rowTargetCount);
            isTorn = false;
            rowStart = position;
        }
    }

    /** Gives back all memory that nobody else refers to; what was not flushed is dropped. Idempotent. */
    void close() {
        releaseSlab();
        slabs.close();
    }

    private boolean isRowOf(final int channelId, final int firstTarget, final int targetCount) {
        return channelId == rowChannelId && firstTarget == rowFirstTarget && targetCount == rowTargetCount;
    }

    /** If all that was given away has been read, starts again in memory that the caches know. */
    private void rewind() {
        if (slab != null && slab.references() == 1) {
            rowStart = 0;
            position = 0;
        }
    }

    private void renewSlab() {
        releaseSlab();
        slab = slabs.acquire();
        buffer = slab.buffer();
    }

    private void releaseSlab() {
        if (slab != null) {
            final Slab old = slab;
            slab = null;
            buffer = null;
            rowStart = 0;
            position = 0;
            claimEnd = 0;
            old.release();
        }
    }
}
