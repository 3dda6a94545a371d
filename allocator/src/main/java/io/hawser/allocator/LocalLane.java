package io.hawser.allocator;

import io.hawser.framing.FragmentDescriptor;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordDescriptor;
import io.hawser.transport.LaneCell;
import io.hawser.transport.LaneCells;
import io.hawser.transport.SendRing;
import io.hawser.transport.Slab;
import io.hawser.transport.SlabPool;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
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
 * Records of the same lane extend the open row. Another lane, a full row, spent credit, or {@link #flush}
 * seal it: it becomes one {@link Delivery} for each target, which gets a reference to the slab. The lane itself keeps one
 * reference to the slab it writes into. Once unread rows keep too many slabs, rows are copied to cells of their lane, as on receipt.
 *
 * <p><em>Threading:</em> the worker's thread; the bytes are published by the hand-over to an {@link Inbox}.
 */
final class LocalLane {
    private final SlabPool slabs;
    private final LaneCells cells;
    private final int slabLimit;
    private final InboxRouter router;
    private final int sourceWorker;
    private final int rowLimit;
    private final Delivery.Row row = new Delivery.Row();

    private Slab slab;
    private MutableDirectBuffer buffer;
    private int rowStart;
    private int position;

    /** Whose row is open; null if it is empty. */
    private LocalWay rowWay;

    private int rowFlags;

    /** Up to where the open row's credit reaches. */
    private long rowEndMax;

    /** Where the claimed record ends; the same as position if there is no claim. */
    private int claimEnd;

    /** A row was handed over but has not reached all its targets: memory ran out, and somebody went on nevertheless. */
    private boolean isTorn;

    /**
     * A lane without memory; it takes some with the first claim.
     *
     * @param slabs        where memory comes from; closed together with the lane
     * @param cells        where rows are copied to when many slabs are out
     * @param slabLimit    how many slabs may be out before that
     * @param router       whom rows are given to
     * @param sourceWorker global index of the worker that writes
     * @param rowLimit     the longest row in bytes
     */
    LocalLane(
            final SlabPool slabs,
            final LaneCells cells,
            final int slabLimit,
            final InboxRouter router,
            final int sourceWorker,
            final int rowLimit) {
        this.slabs = slabs;
        this.cells = cells;
        this.slabLimit = slabLimit;
        this.router = router;
        this.sourceWorker = sourceWorker;
        this.rowLimit = rowLimit;
    }

    int rowLimit() {
        return rowLimit;
    }

    /** The longest message that a row holds. */
    int recordLimit() {
        return rowLimit - RecordDescriptor.PREFIX_LENGTH;
    }

    /** Claims room for one message; where it goes in {@link #buffer()}, or {@link SendRing#NO_CREDIT}. */
    int tryClaim(final LocalWay way, final int messageLength) {
        final int recordLength = RecordDescriptor.recordLength(messageLength);
        if (way != rowWay
                || position - rowStart + recordLength > rowLimit
                || position + recordLength > rowEndMax
                || recordLength > buffer.capacity() - position) {
            flush();
            if (way.credit().creditBytes() < frameLength(recordLength)) {
                way.credit().noteLack();
                return SendRing.NO_CREDIT;
            }
            open(way, recordLength, FrameFlags.RECORDS);
        }
        claimEnd = position + recordLength;
        return RecordDescriptor.begin(buffer, position, messageLength);
    }

    /** Hands over the next fragment of a message: bytes taken, or {@link SendRing#NO_CREDIT}. */
    int tryFragment(
            final LocalWay way,
            final long messageLength,
            final long done,
            final DirectBuffer source,
            final int offset,
            final int length) {
        flush();
        final int prefix = done == 0 ? FragmentDescriptor.PREFIX_LENGTH : 0;
        final long wish = Math.min(rowLimit, (long) prefix + length);
        final long room = way.credit().creditBytes() - FrameHeaderFlyweight.HEADER_LENGTH;
        if (room < Math.min(wish, SendRing.FRAGMENT_MIN)) {
            way.credit().noteLack();
            return SendRing.NO_CREDIT;
        }
        final int fit = (int) Math.min(wish, room) - prefix;
        final int taken = done == 0 && fit == messageLength ? fit - 1 : fit; // begin and end in one would be a record
        final boolean isEnd = done + taken == messageLength;
        open(way, prefix + taken, (done == 0 ? FrameFlags.BEGIN : 0) | (isEnd ? FrameFlags.END : 0));
        if (prefix != 0) {
            buffer.putLong(position, messageLength, ByteOrder.LITTLE_ENDIAN);
        }
        buffer.putBytes(position + prefix, source, offset, taken);
        position += prefix + taken;
        flush();
        return taken;
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
        if (position == rowStart) {
            rowWay = null;
        }
    }

    /** Gives the open row to its targets. An open claim is not part of it. */
    void flush() {
        if (isTorn) {
            throw new IllegalStateException("a row was lost when it was handed over, so no more may follow it: "
                    + rowWay.credit().address());
        }
        final int rowLength = position - rowStart;
        if (rowWay != null && rowLength > 0) {
            isTorn = true;
            handOver(rowLength);
            isTorn = false;
            rowWay = null;
            position = align(position); // fragments end anywhere
            rowStart = position;
        }
    }

    /** Drops the open row if it is of this way. There is no claim. */
    void discard(final LocalWay way) {
        if (rowWay == way) {
            position = rowStart;
            claimEnd = rowStart;
            rowWay = null;
        }
    }

    /** Gives back all memory that nobody else refers to; what was not flushed is dropped. Idempotent. */
    void close() {
        releaseSlab();
        slabs.close();
    }

    private void handOver(final int rowLength) {
        final LocalCredit credit = rowWay.credit();
        if (credit.isReceiverGone()) {
            position = rowStart; // nobody would read it
            return;
        }
        final int frameLength = frameLength(rowLength);
        row.scopeId = credit.address().scopeId();
        row.channelId = credit.address().channelId();
        row.sourceWorker = sourceWorker;
        row.flags = rowFlags;
        row.lane = credit;
        row.charge = credit.address().charge(frameLength);
        credit.charge(frameLength);
        final int first = credit.address().firstTarget();
        final int count = credit.address().targetCount();
        if (slabs.outCount() < slabLimit) {
            router.route(row, slab, rowStart, rowLength, first, count);
        } else {
            final LaneCell cell = cells.withRoom(rowWay.cell(), rowLength);
            rowWay.cell(cell);
            router.route(row, cell.slab(), cell.put(slab, rowStart, rowLength), rowLength, first, count);
            position = rowStart; // nobody refers to it
        }
    }

    private void open(final LocalWay way, final int rowLength, final int flags) {
        if (slab != null && slab.references() == 1) {
            position = 0; // all that was given away has been read: start again in memory that the caches know
        }
        if (slab == null || rowLength > buffer.capacity() - position) {
            renewSlab();
        }
        rowStart = position;
        rowWay = way;
        rowFlags = flags;
        final long credit = way.credit().creditBytes();
        rowEndMax = credit == Long.MAX_VALUE ? credit : rowStart + credit - FrameHeaderFlyweight.HEADER_LENGTH;
    }

    private static int frameLength(final int rowLength) {
        return FrameHeaderFlyweight.alignedLength(FrameHeaderFlyweight.HEADER_LENGTH + rowLength);
    }

    private static int align(final int offset) {
        return (offset + RecordDescriptor.RECORD_ALIGNMENT - 1) & -RecordDescriptor.RECORD_ALIGNMENT;
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
            rowWay = null;
            old.release();
        }
    }
}
