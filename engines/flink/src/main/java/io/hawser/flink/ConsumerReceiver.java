package io.hawser.flink;

import io.hawser.fate.Cause;
import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordIterator;
import io.hawser.transport.ConsumptionListener;
import io.hawser.transport.LinkReceiver;
import io.hawser.transport.Notice;
import io.hawser.transport.ReceiveLane;
import io.hawser.transport.Slab;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * What arrives at the consumer's end of a link: buffers and events, each for its channel.
 *
 * <p><em>Threading:</em> as {@link LinkReceiver}; never waits.
 */
final class ConsumerReceiver implements LinkReceiver {
    private final PartitionClient client;
    private final RecordIterator records = new RecordIterator();

    ConsumerReceiver(final PartitionClient client) {
        this.client = client;
    }

    @Override
    public void onData(
            final FrameHeaderFlyweight header, final Slab slab, final int payloadOffset, final ReceiveLane lane) {
        if (!FrameFlags.isRecords(header.flags())) {
            throw new IllegalStateException("data is sent in records: flags=" + header.flags());
        }
        final InboundChannel channel = client.channel(header.channelId());
        final DirectBuffer buffer = slab.buffer();
        records.wrap(header.flags(), buffer, payloadOffset, header.payloadLength());
        while (records.next()) {
            if (channel == null) {
                client.metrics().late();
            } else {
                channel.onRecord(buffer, records.messageOffset(), records.messageLength());
            }
        }
        if (records.fault() != FrameFault.NONE) {
            throw new IllegalStateException("records that do not add up: channelId=" + header.channelId());
        }
        lane.consumed(header.firstTargetWorker(), ReceiveLane.chargeOf(header));
    }

    @Override
    public void onNotice(final Notice notice, final ConsumptionListener books) {
        books.consumed(notice.targetWorker(), notice.charge()); // none is sent
    }

    @Override
    public void onHangUp() {
        // the producer's side hangs up when this one has, see ConsumerLink
    }

    @Override
    public void onEnded(final Optional<Cause> firstCause) {
        client.onEnded(firstCause);
    }
}
