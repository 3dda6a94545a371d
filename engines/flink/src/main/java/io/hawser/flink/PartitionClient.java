package io.hawser.flink;

import io.hawser.fate.Cause;
import io.hawser.transport.PeerLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.runtime.event.TaskEvent;
import org.apache.flink.runtime.io.network.ConnectionID;
import org.apache.flink.runtime.io.network.PartitionRequestClient;
import org.apache.flink.runtime.io.network.api.serialization.EventSerializer;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionIndexSet;
import org.apache.flink.runtime.io.network.partition.consumer.InputChannelID;
import org.apache.flink.runtime.io.network.partition.consumer.RemoteInputChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All channels by which this TaskManager reads partitions of one other TaskManager. It is there before its link is: what channels ask for meanwhile is kept.
 *
 * <p><em>Threading:</em> any thread may call any method; none waits.
 */
final class PartitionClient implements PartitionRequestClient {
    /** Told of what becomes of clients. */
    interface Owner {
        /** One channel uses the client no more. {@return whether it was the last one, and the link is to be hung up} */
        boolean release(PartitionClient client);

        /** The client is of no use any more: whoever wants that TaskManager needs another one. */
        void forget(PartitionClient client);
    }

    private static final Logger LOG = LoggerFactory.getLogger(PartitionClient.class);

    private final ConnectionID connection;
    private final ShuffleAgent agent;
    private final ConsumerLink link;
    private final ConsumerTasks tasks;
    private final ShuffleCounters metrics;
    private final Owner owner;

    private final ConcurrentMap<Integer, InboundChannel> channels = new ConcurrentHashMap<>();
    private final ConcurrentMap<InputChannelID, InboundChannel> byInput = new ConcurrentHashMap<>();
    private final AtomicInteger lastId = new AtomicInteger();

    /** Volatile: why no channel gets anything any more, null while that is not so. */
    private volatile Failure failure;

    /** Channels that use it; the owner's, under its lock. */
    int users;

    PartitionClient(
            final ConnectionID connection,
            final ShuffleAgent agent,
            final ConsumerTasks tasks,
            final ShuffleCounters metrics,
            final Owner owner) {
        this.connection = connection;
        this.agent = agent;
        this.link = new ConsumerLink(agent);
        this.tasks = tasks;
        this.metrics = metrics;
        this.owner = owner;
    }

    ConnectionID connection() {
        return connection;
    }

    boolean isUsable() {
        return failure == null;
    }

    /** {@return the channel with that id, null if it has been closed} */
    InboundChannel channel(final int id) {
        return channels.get(id);
    }

    ShuffleCounters metrics() {
        return metrics;
    }

    // ---- what becomes of the link

    /** The dial has come to an end. */
    void onDialled(final PeerLink opened, final Throwable cause) {
        agent.execute(() -> link(opened, cause));
    }

    private void link(final PeerLink opened, final Throwable cause) {
        if (cause != null) {
            fail(new Failure(LinkFaults.notLinked(connection, cause), true));
            return;
        }
        final String expected = ShuffleSettings.linkName(connection.getResourceID());
        if (!opened.peer().name().equals(expected)) {
            opened.hangUp();
            fail(new Failure(
                    LinkFaults.notLinked(
                            connection,
                            new IOException("another TaskManager answers there: expected=" + expected + " peer="
                                    + opened.peer())),
                    true));
            return;
        }
        link.open(opened);
    }

    /** The link is over. */
    void onEnded(final Optional<Cause> cause) {
        agent.execute(link::onEnded);
        if (cause.isPresent()) {
            fail(new Failure(LinkFaults.lost(connection, cause.get()), false));
        } else {
            fail(new Failure(new IOException("the link has been hung up: " + connection), false));
        }
    }

    /** No channel gets anything any more. The first failure counts. */
    void fail(final Failure first) {
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = first;
        }
        owner.forget(this);
        agent.execute(link::onEnded);
        int count = 0;
        for (final InboundChannel channel : channels.values()) {
            if (!channel.isFinished()) { // who has all of its partition misses nothing
                count++;
                first.tell(channel);
            }
        }
        if (count > 0) {
            metrics.producersLost(count);
            LOG.info("{} channels fail: {}", count, first.cause.getMessage());
        } else {
            LOG.debug("an idle link is over: {}", first.cause.getMessage());
        }
    }

    /** Nobody uses it any more: the link ends, cleanly. */
    void hangUp() {
        agent.execute(link::hangUp);
    }

    // ---- what Flink asks for

    @Override
    public void requestSubpartition(
            final ResultPartitionID partition,
            final ResultSubpartitionIndexSet subpartitions,
            final RemoteInputChannel input,
            final int delayMs)
            throws IOException {
        final Failure before = failure;
        if (before != null) {
            throw new IOException(before.cause.getMessage(), before.cause);
        }
        final InboundChannel channel = new InboundChannel(
                lastId.incrementAndGet(), connection, partition, subpartitions.size(), input, tasks.of(input), metrics);
        channels.put(channel.id(), channel);
        final InboundChannel former = byInput.put(input.getInputChannelId(), channel);
        if (former != null) {
            end(former, ConsumerEnd.CANCELLED); // it was not found; now it is asked for anew
        }
        final Control request = target ->
                ControlRecord.putRequest(target, channel.id(), input.getInitialCredit(), subpartitions, partition);
        if (delayMs <= 0) {
            link.tell(request);
        } else {
            CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS).execute(() -> link.tell(request));
        }
        final Failure meanwhile = failure;
        if (meanwhile != null) {
            meanwhile.tell(channel);
        }
    }

    @Override
    public void notifyCreditAvailable(final RemoteInputChannel input) {
        final InboundChannel channel = byInput.get(input.getInputChannelId());
        if (channel != null) {
            link.tell(channel.credit());
        }
    }

    @Override
    public void notifyNewBufferSize(final RemoteInputChannel input, final int bufferSize) {
        tell(input, ControlRecord.BUFFER_SIZE, bufferSize, 0);
    }

    @Override
    public void notifyRequiredSegmentId(
            final RemoteInputChannel input, final int subpartitionIndex, final int segmentId) {
        tell(input, ControlRecord.SEGMENT, subpartitionIndex, segmentId);
    }

    @Override
    public void resumeConsumption(final RemoteInputChannel input) {
        tell(input, ControlRecord.RESUME, 0, 0);
    }

    @Override
    public void acknowledgeAllRecordsProcessed(final RemoteInputChannel input) {
        tell(input, ControlRecord.ALL_PROCESSED, 0, 0);
    }

    private void tell(final RemoteInputChannel input, final int kind, final int first, final int second) {
        final InboundChannel channel = byInput.get(input.getInputChannelId());
        if (channel != null) {
            link.tell(
                    target -> input.isReleased() ? 0 : ControlRecord.put(target, kind, channel.id(), first, second, 0));
        }
    }

    @Override
    public void sendTaskEvent(final ResultPartitionID partition, final TaskEvent event, final RemoteInputChannel input)
            throws IOException {
        final InboundChannel channel = byInput.get(input.getInputChannelId());
        final Failure before = failure;
        if (channel == null || before != null) {
            throw new IOException("no task event can be sent any more: channel=" + channel + " failure=" + before);
        }
        final ByteBuffer serialized = EventSerializer.toSerializedEvent(event);
        final byte[] bytes = new byte[serialized.remaining()];
        serialized.get(bytes);
        link.tell(target -> ControlRecord.putTaskEvent(target, channel.id(), partition, bytes));
    }

    @Override
    public void close(final RemoteInputChannel input) {
        final InboundChannel channel = byInput.remove(input.getInputChannelId());
        if (channel != null) {
            end(channel, channel.end());
        }
        if (owner.release(this)) {
            hangUp();
        }
    }

    private void end(final InboundChannel channel, final ConsumerEnd end) {
        channels.remove(channel.id());
        link.tell(target -> ControlRecord.put(target, ControlRecord.CLOSE, channel.id(), end.code(), 0, 0));
    }

    @Override
    public String toString() {
        return "client of " + connection;
    }

    /**
     * Why channels get nothing any more.
     *
     * <p><em>Threading:</em> immutable.
     */
    static final class Failure {
        private final IOException cause;
        private final boolean isNotLinked;

        Failure(final IOException cause, final boolean isNotLinked) {
            this.cause = cause;
            this.isNotLinked = isNotLinked;
        }

        void tell(final InboundChannel channel) {
            if (isNotLinked) {
                channel.onNotLinked(cause);
            } else {
                channel.onError(cause);
            }
        }

        @Override
        public String toString() {
            return cause.toString();
        }
    }
}
