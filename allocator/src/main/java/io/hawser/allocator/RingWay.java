package io.hawser.allocator;

import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordDescriptor;
import io.hawser.transport.LaneAddress;
import io.hawser.transport.SendLane;
import io.hawser.transport.SendRing;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A lane to another process.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class RingWay extends Way {
    private static final int OVERHEAD =
            FrameHeaderFlyweight.HEADER_LENGTH + RecordDescriptor.PREFIX_LENGTH + RecordDescriptor.RECORD_ALIGNMENT;

    private final SendRing ring;
    private final SendLane lane;

    RingWay(final ChannelScope scope, final SendRing ring, final SendLane lane) {
        super(scope);
        this.ring = ring;
        this.lane = lane;
    }

    @Override
    LaneAddress address() {
        return lane.address();
    }

    @Override
    int recordLimit() {
        return ring.recordLimit();
    }

    @Override
    long wholeLimit() {
        return Math.min(ring.recordLimit(), lane.wholeFrameLimit() - OVERHEAD);
    }

    @Override
    int tryClaim(final int length) {
        return ring.tryClaim(lane, length);
    }

    @Override
    MutableDirectBuffer buffer() {
        return ring.buffer();
    }

    @Override
    void commit() {
        ring.commit();
    }

    @Override
    void abort() {
        ring.abort();
    }

    @Override
    int tryFragment(
            final long messageLength, final long done, final DirectBuffer source, final int offset, final int length) {
        return ring.tryFragment(lane, messageLength, done, source, offset, length);
    }

    @Override
    boolean want(final int lack) {
        return ring.want(lane, lack);
    }

    @Override
    boolean isStuckWithout(final int worker, final int length) {
        return false;
    }

    @Override
    long window() {
        return lane.window();
    }

    @Override
    boolean isEmptyFor(final int worker) {
        return false;
    }

    @Override
    boolean isReceiverGone() {
        return lane.isReceiverGone();
    }

    @Override
    void drop() {
        ring.drop(lane);
    }

    @Override
    boolean tryClose() {
        return ring.tryClose(lane);
    }
}
