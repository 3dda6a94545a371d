package io.hawser.flink;

import io.hawser.fate.Cause;
import io.hawser.fate.HealthLostException;
import io.hawser.transport.PeerLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.collections.Int2ObjectHashMap;
import org.apache.flink.runtime.event.TaskEvent;
import org.apache.flink.runtime.io.network.TaskEventPublisher;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionProvider;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionIndexSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer's end of a link that a consumer's TaskManager has dialled: all channels by which that one reads partitions of this one.
 *
 * <p><em>Threading:</em> for the thread of its {@link ShuffleAgent}; {@link #onRoomNews} is for any.
 */
final class ProducerLink implements LinkDuty {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerLink.class);

    private final PeerLink link;
    private final ShuffleAgent agent;
    private final ResultPartitionProvider partitions;
    private final TaskEventPublisher events;
    private final ShuffleCounters metrics;

    private final Int2ObjectHashMap<OutboundChannel> channels = new Int2ObjectHashMap<>();

    /** Channels that may have something to send, each once. */
    private final ArrayDeque<OutboundChannel> ready = new ArrayDeque<>();

    /** Channels whose lane lacks credit. */
    private final ArrayList<OutboundChannel> withoutCredit = new ArrayList<>();

    private final EndCounts ends = new EndCounts();
    private final AtomicBoolean isRoomTold = new AtomicBoolean();

    /** Null before the link is opened, and when it is over. */
    private RingWriter writer;

    private boolean isHungUp;
    private boolean isOver;

    ProducerLink(
            final PeerLink link,
            final ShuffleAgent agent,
            final ResultPartitionProvider partitions,
            final TaskEventPublisher events,
            final ShuffleCounters metrics) {
        this.link = link;
        this.agent = agent;
        this.partitions = partitions;
        this.events = events;
        this.metrics = metrics;
    }

    ShuffleAgent agent() {
        return agent;
    }

    ShuffleCounters metrics() {
        return metrics;
    }

    /** The link is there. */
    void open() {
        try {
            writer = new RingWriter(link, this::onRoomNews);
            agent.add(this);
        } catch (final HealthLostException lost) {
            LOG.debug("a link was lost before it was used: link={}", link, lost);
        }
    }

    // ---- what the consumer wants

    void request(
            final int id,
            final int credit,
            final ResultSubpartitionIndexSet subpartitions,
            final ResultPartitionID partition) {
        if (writer == null) {
            return;
        }
        final OutboundChannel channel =
                new OutboundChannel(this, id, partition, subpartitions, credit, writer.openLane(id));
        channels.put(id, channel);
        metrics.opened();
        LOG.debug("{} is wanted by {}", channel, link.peer());
        try {
            channel.request(partitions);
        } catch (final Throwable t) {
            channel.fail(t);
        }
        enqueue(channel);
    }

    /** {@return the channel, null if it has been closed meanwhile} */
    OutboundChannel channel(final int id) {
        return channels.get(id);
    }

    void publish(final int id, final ResultPartitionID partition, final TaskEvent event) {
        if (!events.publish(partition, event)) {
            final OutboundChannel channel = channels.get(id);
            if (channel != null) {
                channel.fail(new IllegalArgumentException("nobody takes the task event: partition=" + partition));
                enqueue(channel);
            }
        }
    }

    void close(final int id, final ConsumerEnd end) {
        final OutboundChannel channel = channels.remove(id);
        if (channel == null) {
            return;
        }
        channel.release();
        onEndedByConsumer(channel, end);
        if (writer != null) {
            writer.close(channel.lane());
        }
    }

    /** Counts and tells how a channel has ended, unless its producer has ended it before. */
    private void onEndedByConsumer(final OutboundChannel channel, final ConsumerEnd end) {
        LOG.debug("{} was closed by {}: {}", channel, link.peer(), end);
        if (channel.isEndedByProducer()) {
            return;
        }
        metrics.endedByConsumer(end);
        if (end == ConsumerEnd.CANCELLED) {
            ends.add(EndCounts.Kind.CONSUMER_CANCELLED, channel);
        } else if (end == ConsumerEnd.FAILED) {
            ends.add(EndCounts.Kind.CONSUMER_FAILED, channel);
        }
    }

    /** The consumer sends nothing more: neither do we, once what is written is gone. */
    void onHangUp() {
        isHungUp = true;
    }

    // ---- what the producer's side says

    void onProducerFailed(final OutboundChannel channel, final OutboundEnd end, final Throwable cause) {
        if (end.isNotFound()) {
            metrics.notFound();
            LOG.debug("{} was not there in time for {}", channel, link.peer());
        } else {
            metrics.producerFailed();
            ends.add(EndCounts.Kind.PRODUCER_FAILED, channel);
            LOG.debug("{} fails, which its consumer at {} is told", channel, link.peer(), cause);
        }
    }

    void onProducerCancelled(final OutboundChannel channel) {
        metrics.producerCancelled();
        ends.add(EndCounts.Kind.PRODUCER_CANCELLED, channel);
        LOG.debug("{} was released before its end, which its consumer at {} is told", channel, link.peer());
    }

    void onReleaseFailed(final OutboundChannel channel, final Throwable cause) {
        LOG.warn("{} could not be released", channel, cause);
    }

    // ---- sending

    void enqueue(final OutboundChannel channel) {
        if (!channel.isQueued() && !channel.isOver()) {
            channel.isQueued(true);
            ready.add(channel);
        }
    }

    /** What a claim lacked may be there. Any thread. */
    void onRoomNews() {
        if (!isRoomTold.getAndSet(true)) {
            agent.execute(this::onRoom);
        }
    }

    private void onRoom() {
        isRoomTold.set(false);
        if (writer == null) {
            return;
        }
        writer.onRoom();
        for (int i = 0; i < withoutCredit.size(); i++) {
            enqueue(withoutCredit.get(i));
        }
        withoutCredit.clear();
    }

    @Override
    public boolean work() {
        if (writer == null) {
            return false;
        }
        try {
            final boolean isBusy = sendAll();
            writer.flush();
            if (isHungUp && writer.isIdle()) {
                hangUp();
            }
            return isBusy;
        } catch (final HealthLostException lost) {
            letGo();
            return true;
        }
    }

    private boolean sendAll() {
        boolean isBusy = false;
        for (int rest = ready.size(); rest > 0 && !writer.isFull(); rest--) {
            final OutboundChannel channel = ready.poll();
            channel.isQueued(false);
            switch (channel.send(writer)) {
                case MORE:
                    enqueue(channel);
                    isBusy = true;
                    break;
                case NO_CREDIT:
                    withoutCredit.add(channel);
                    break;
                case FULL:
                    channel.isQueued(true);
                    ready.addFirst(channel);
                    break;
                default:
                    break;
            }
        }
        return isBusy;
    }

    @Override
    public void look() {
        for (final OutboundChannel channel : channels.values()) {
            channel.look();
        }
        tellEnds();
    }

    private void tellEnds() {
        final String ended = ends.take();
        if (ended != null) {
            LOG.info("channels to {} have ended early: {}", link.peer(), ended);
        }
    }

    private void hangUp() {
        for (final OutboundChannel channel : channels.values()) {
            channel.release();
            onEndedByConsumer(channel, ConsumerEnd.CANCELLED);
        }
        channels.clear();
        letGo();
        link.hangUp();
    }

    /** The link is over. */
    void onEnded(final Optional<Cause> cause) {
        letGo();
        if (isOver) {
            return;
        }
        isOver = true;
        final int count = channels.size();
        for (final OutboundChannel channel : channels.values()) {
            channel.release();
        }
        channels.clear();
        if (cause.isEmpty()) {
            LOG.debug("the consumer's link has ended cleanly: peer={}", link.peer());
            return;
        }
        metrics.consumersLost(count);
        final String text = LinkFaults.text(cause.get(), "so these channels are released");
        if (count == 0) {
            LOG.debug("lost the consumer at {}, which read nothing: {}", link.peer(), text);
        } else {
            LOG.info("lost the consumer at {} with {} channels: {}", link.peer(), count, text);
        }
    }

    private void letGo() {
        tellEnds();
        if (writer != null) {
            agent.remove(this);
            writer.close();
            writer = null;
            ready.clear();
            withoutCredit.clear();
        }
    }

    @Override
    public String toString() {
        return "producer's end of " + link;
    }
}
