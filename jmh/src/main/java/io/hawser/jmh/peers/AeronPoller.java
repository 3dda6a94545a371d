package io.hawser.jmh.peers;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.ByteOrder;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Polls a subscription without end, and delivers; large messages are put together from their fragments.
 *
 * <p><em>Threading:</em> the receiving thread.
 */
final class AeronPoller {
    private static final int FRAGMENT_LIMIT = 64;

    private final Subscription subscription;
    private final Receiver receiver;
    private final FragmentHandler handler;

    AeronPoller(final Lane lane, final Subscription subscription, final Receiver receiver) {
        this.subscription = subscription;
        this.receiver = receiver;
        final FragmentHandler delivery = (buffer, offset, length, header) -> receiver.onMessage(
                buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN),
                buffer.getLong(offset + length - Long.BYTES, ByteOrder.LITTLE_ENDIAN),
                length);
        handler = lane.isBulk() ? new FragmentAssembler(delivery, Payload.BULK_LENGTH) : delivery;
    }

    void run() {
        final IdleStrategy idle = YieldingIdleStrategy.INSTANCE;
        while (true) {
            final int fragments = subscription.poll(handler, FRAGMENT_LIMIT);
            if (fragments > 0) {
                receiver.onBatchEnd();
            }
            idle.idle(fragments);
        }
    }
}
