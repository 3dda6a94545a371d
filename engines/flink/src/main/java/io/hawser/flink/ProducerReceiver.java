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
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.apache.flink.runtime.event.TaskEvent;
import org.apache.flink.runtime.io.network.api.serialization.EventSerializer;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionIndexSet;

/**
 * What arrives at the producer's end of a link: control, which is decoded and handed to the link's agent, in order.
 *
 * <p><em>Threading:</em> as {@link LinkReceiver}; never waits.
 */
final class ProducerReceiver implements LinkReceiver {
    private final ProducerLink link;
    private final ShuffleAgent agent;
    private final RecordIterator records = new RecordIterator();

    ProducerReceiver(final ProducerLink link, final ShuffleAgent agent) {
        this.link = link;
        this.agent = agent;
    }

    @Override
    public void onData(
            final FrameHeaderFlyweight header, final Slab slab, final int payloadOffset, final ReceiveLane lane) {
        if (!FrameFlags.isRecords(header.flags()) || header.channelId() != ControlRecord.CHANNEL_ID) {
            throw new IllegalStateException("only control is sent to a producer, in records: channelId="
                    + header.channelId() + " flags=" + header.flags());
        }
        final DirectBuffer buffer = slab.buffer();
        records.wrap(header.flags(), buffer, payloadOffset, header.payloadLength());
        while (records.next()) {
            onControl(buffer, records.messageOffset(), records.messageLength());
        }
        if (records.fault() != FrameFault.NONE) {
            throw new IllegalStateException("records that do not add up: channelId=" + header.channelId());
        }
        lane.consumed(header.firstTargetWorker(), ReceiveLane.chargeOf(header));
    }

    private void onControl(final DirectBuffer buffer, final int offset, final int length) {
        if (length < ControlRecord.HEADER_LENGTH) {
            throw new IllegalStateException("control shorter than its header: length=" + length);
        }
        final int id = ControlRecord.channelId(buffer, offset);
        final int first = ControlRecord.first(buffer, offset);
        final int second = ControlRecord.second(buffer, offset);
        final int third = ControlRecord.third(buffer, offset);
        final int kind = ControlRecord.kind(buffer, offset);
        switch (kind) {
            case ControlRecord.REQUEST:
                final ResultPartitionID partition =
                        new ResultPartitionID(ControlRecord.body(buffer, offset, length, 0));
                final ResultSubpartitionIndexSet subpartitions = new ResultSubpartitionIndexSet(second, third);
                agent.execute(() -> link.request(id, first, subpartitions, partition));
                break;
            case ControlRecord.CREDIT:
                withChannel(id, channel -> channel.addCredit(first));
                break;
            case ControlRecord.RESUME:
                withChannel(id, OutboundChannel::resume);
                break;
            case ControlRecord.ALL_PROCESSED:
                withChannel(id, OutboundChannel::acknowledgeAll);
                break;
            case ControlRecord.BUFFER_SIZE:
                withChannel(id, channel -> channel.newBufferSize(first));
                break;
            case ControlRecord.SEGMENT:
                withChannel(id, channel -> channel.requireSegment(first, second));
                break;
            case ControlRecord.TASK_EVENT:
                onTaskEvent(id, ControlRecord.body(buffer, offset, length, 0), first);
                break;
            case ControlRecord.CLOSE:
                agent.execute(() -> link.close(id, ConsumerEnd.of(first)));
                break;
            default:
                throw new IllegalStateException("no such control: kind=" + kind);
        }
    }

    private void withChannel(final int id, final Consumer<OutboundChannel> action) {
        agent.execute(() -> {
            final OutboundChannel channel = link.channel(id);
            if (channel != null) {
                try {
                    action.accept(channel);
                } catch (final Throwable t) {
                    channel.fail(t);
                    link.enqueue(channel);
                }
            }
        });
    }

    private void onTaskEvent(final int id, final byte[] body, final int idLength) {
        agent.execute(() -> {
            try {
                final ByteBuffer bytes = ByteBuffer.wrap(body, idLength, body.length - idLength);
                link.publish(id, new ResultPartitionID(Arrays.copyOf(body, idLength)), (TaskEvent)
                        EventSerializer.fromSerializedEvent(
                                bytes.slice(), getClass().getClassLoader()));
            } catch (final Throwable t) {
                final OutboundChannel channel = link.channel(id);
                if (channel != null) {
                    channel.fail(t);
                    link.enqueue(channel);
                }
            }
        });
    }

    @Override
    public void onNotice(final Notice notice, final ConsumptionListener books) {
        books.consumed(notice.targetWorker(), notice.charge()); // none is sent
    }

    @Override
    public void onHangUp() {
        agent.execute(link::onHangUp);
    }

    @Override
    public void onEnded(final Optional<Cause> firstCause) {
        agent.execute(() -> link.onEnded(firstCause));
    }
}
