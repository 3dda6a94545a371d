package io.hawser.jmh.peers;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import java.nio.ByteBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Claims room for small messages and writes them there; offers large ones.
 *
 * <p><em>Threading:</em> the sending thread.
 */
final class AeronOutlet implements Outlet {
    private final ExclusivePublication publication;
    private final BufferClaim claim = new BufferClaim();
    private final IdleStrategy idle = YieldingIdleStrategy.INSTANCE;
    private final byte[] message;
    private final UnsafeBuffer[] bulk;

    AeronOutlet(final Lane lane, final ExclusivePublication publication) {
        this.publication = publication;
        message = Payload.blank(lane.messageLength());
        final ByteBuffer[] buffers = BulkBuffers.direct(lane.isBulk());
        bulk = new UnsafeBuffer[buffers.length];
        for (int number = 0; number < bulk.length; number++) {
            bulk[number] = new UnsafeBuffer(buffers[number]);
        }
    }

    @Override
    public void send(final long first, final long last) {
        Payload.stamp(message, first, last);
        for (long result = publication.tryClaim(message.length, claim);
                result < 0;
                result = publication.tryClaim(message.length, claim)) {
            await(result);
        }
        claim.buffer().putBytes(claim.offset(), message);
        claim.commit();
    }

    @Override
    public void sendBulk(final int number) {
        for (long result = publication.offer(bulk[number], 0, Payload.BULK_LENGTH);
                result < 0;
                result = publication.offer(bulk[number], 0, Payload.BULK_LENGTH)) {
            await(result);
        }
    }

    @Override
    public void flush() {
        // the driver takes whatever is there
    }

    private void await(final long result) {
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
            throw new IllegalStateException("the publication takes no more: result=" + result);
        }
        idle.idle();
    }
}
