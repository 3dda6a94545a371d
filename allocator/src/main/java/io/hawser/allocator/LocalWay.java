package io.hawser.allocator;

import io.hawser.framing.FragmentDescriptor;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordDescriptor;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.LaneCell;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A lane to a worker of the same process, or to all of them.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class LocalWay extends Way {
    private static final int OVERHEAD =
            FrameHeaderFlyweight.HEADER_LENGTH + RecordDescriptor.PREFIX_LENGTH + RecordDescriptor.RECORD_ALIGNMENT;

    private final LocalLane lane;
    private final LocalCredit credit;

    /** Where rows are copied to while many slabs are out; null if that was not necessary yet. */
    private LaneCell cell;

    LocalWay(final ChannelScope scope, final LocalLane lane, final LocalCredit credit) {
        super(scope);
        this.lane = lane;
        this.credit = credit;
    }

    LocalCredit credit() {
        return credit;
    }

    LaneCell cell() {
        return cell;
    }

    void cell(final LaneCell newCell) {
        cell = newCell;
    }

    @Override
    LaneAddress address() {
        return credit.address();
    }

    @Override
    int recordLimit() {
        return lane.recordLimit();
    }

    @Override
    long wholeLimit() {
        return Math.min(lane.recordLimit(), credit.wholeLimit() - OVERHEAD);
    }

    @Override
    int tryClaim(final int length) {
        return lane.tryClaim(this, length);
    }

    @Override
    MutableDirectBuffer buffer() {
        return lane.buffer();
    }

    @Override
    void commit() {
        lane.commit();
    }

    @Override
    void abort() {
        lane.abort();
    }

    @Override
    int tryFragment(
            final long messageLength, final long done, final DirectBuffer source, final int offset, final int length) {
        return lane.tryFragment(this, messageLength, done, source, offset, length);
    }

    @Override
    boolean want(final int lack) {
        credit.want();
        return credit.isHalfFree();
    }

    @Override
    boolean isStuckWithout(final int worker, final int length) {
        return credit.isStuckWithout(worker, length <= wholeLimit() ? length + OVERHEAD : cutLength(length));
    }

    /** What the fragments of a message take of the credit, at most. */
    private long cutLength(final int length) {
        final long bytes = (long) FragmentDescriptor.PREFIX_LENGTH + length;
        final long rows = bytes / lane.rowLimit() + 1;
        return bytes + rows * (OVERHEAD + credit.address().charge(0));
    }

    @Override
    long window() {
        return credit.window();
    }

    @Override
    boolean isEmptyFor(final int worker) {
        return credit.isEmptyFor(worker);
    }

    @Override
    boolean isReceiverGone() {
        return credit.isReceiverGone();
    }

    @Override
    void drop() {
        lane.discard(this);
        close();
    }

    @Override
    boolean tryClose() {
        close();
        return true;
    }

    /** Nothing more is sent: gives back what only this lane refers to, and its credit once that is not in use. Idempotent. */
    void close() {
        credit.close();
        releaseCell();
    }

    void releaseCell() {
        if (cell != null) {
            cell.slab().release();
            cell = null;
        }
    }
}
