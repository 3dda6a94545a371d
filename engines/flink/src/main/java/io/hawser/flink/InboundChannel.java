package io.hawser.flink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.runtime.io.network.ConnectionID;
import org.apache.flink.runtime.io.network.buffer.Buffer;
import org.apache.flink.runtime.io.network.buffer.Buffer.DataType;
import org.apache.flink.runtime.io.network.buffer.BufferRecycler;
import org.apache.flink.runtime.io.network.buffer.FreeingBufferRecycler;
import org.apache.flink.runtime.io.network.buffer.NetworkBuffer;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.consumer.PartitionConnectionException;
import org.apache.flink.runtime.io.network.partition.consumer.RemoteInputChannel;
import org.apache.flink.runtime.taskmanager.Task;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer's end of one channel: copies what has come into Flink's buffers, and hands those to the input channel.
 *
 * <p><em>Threading:</em> {@link #onRecord} is for the receive thread of the link, {@link #encodeCredit} for that of its {@link ShuffleAgent}, the rest for any.
 */
final class InboundChannel {
    private static final Logger LOG = LoggerFactory.getLogger(InboundChannel.class);
    private static final DataType[] TYPES = DataType.values();

    private final int id;
    private final ConnectionID connection;
    private final ResultPartitionID partition;
    private final RemoteInputChannel input;
    private final Task task;
    private final ShuffleCounters metrics;

    /** The one {@link Control} that is sent often. */
    private final Control credit = this::encodeCredit;

    /** Subpartitions whose end has not come; the receive thread's. */
    private int endsToCome;

    /** Volatile: all of them have. Written by the receive thread. */
    private volatile boolean isFinished;

    InboundChannel(
            final int id,
            final ConnectionID connection,
            final ResultPartitionID partition,
            final int subpartitionCount,
            final RemoteInputChannel input,
            final Task task,
            final ShuffleCounters metrics) {
        this.id = id;
        this.connection = connection;
        this.partition = partition;
        this.endsToCome = subpartitionCount;
        this.input = input;
        this.task = task;
        this.metrics = metrics;
    }

    int id() {
        return id;
    }

    /** Whether all of the partition has come. */
    boolean isFinished() {
        return isFinished;
    }

    /** {@return why the channel is closed, if that is now} */
    ConsumerEnd end() {
        return isFinished ? ConsumerEnd.FINISHED : ConsumerTasks.endOf(task);
    }

    Control credit() {
        return credit;
    }

    private int encodeCredit(final MutableDirectBuffer target) {
        final int more = input.isReleased() ? 0 : input.getAndResetUnannouncedCredit();
        return more == 0 ? 0 : ControlRecord.put(target, ControlRecord.CREDIT, id, more, 0, 0);
    }

    /**
     * A record has come.
     *
     * @throws IllegalStateException if it makes no sense, so that nothing on this link can be trusted
     */
    void onRecord(final DirectBuffer source, final int offset, final int length) {
        final String fault = DataRecord.fault(source, offset, length);
        if (fault != null) {
            throw new IllegalStateException(fault + " " + this);
        }
        if (input.isReleased()) {
            metrics.late();
            return;
        }
        try {
            onSound(source, offset, length);
        } catch (final Throwable t) {
            input.onError(t);
        }
    }

    private void onSound(final DirectBuffer source, final int offset, final int length) throws IOException {
        final int kind = DataRecord.kind(source, offset);
        switch (kind) {
            case DataRecord.BUFFER:
                onBuffer(source, offset, length);
                break;
            case DataRecord.BACKLOG:
                input.onSenderBacklog(DataRecord.backlog(source, offset));
                break;
            case DataRecord.FAILED:
                onFailed(
                        (DataRecord.flags(source, offset) & DataRecord.PRODUCER_FAILED) != 0,
                        text(source, offset, length));
                break;
            case DataRecord.CANCELLED:
                metrics.producerCancelledSeen();
                LOG.debug("the producer of {} was cancelled; the JobManager will say what follows", this);
                break;
            case DataRecord.NOT_FOUND:
                LOG.debug("{} was not found", this);
                input.onFailedPartitionRequest();
                break;
            default:
                throw new IOException("no such record: kind=" + kind + " " + this);
        }
    }

    private void onFailed(final boolean isProducer, final String text) {
        metrics.producerFailedSeen();
        LOG.debug("{} of {} failed: {}", isProducer ? "the producer" : "the reading", this, text);
        input.onError(LinkFaults.failed(connection, isProducer, text));
    }

    private static String text(final DirectBuffer source, final int offset, final int length) {
        final byte[] text = new byte[length - DataRecord.HEADER_LENGTH];
        source.getBytes(offset + DataRecord.HEADER_LENGTH, text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private void onBuffer(final DirectBuffer source, final int offset, final int length) throws IOException {
        final int code = DataRecord.dataType(source, offset);
        if (code < 0 || code >= TYPES.length) {
            throw new IOException("no such type of data: code=" + code + " " + this);
        }
        final DataType type = TYPES[code];
        final int payload = offset + DataRecord.payloadOffset(DataRecord.partialCount(source, offset));
        final int payloadLength = offset + length - payload;
        if (!type.isBuffer()) {
            onEvent(source, offset, payload, payloadLength, type);
            return;
        }
        final Buffer buffer = input.requestBuffer();
        if (buffer == null) {
            if (!input.isReleased()) {
                throw new IllegalStateException("a buffer came for which no credit had been given: " + this);
            }
            metrics.late();
        } else if (payloadLength == 0) {
            buffer.recycleBuffer(); // its credit is given anew
            input.onEmptyBuffer(DataRecord.sequenceNumber(source, offset), DataRecord.backlog(source, offset));
        } else {
            fill(buffer, type, source, offset, payload, payloadLength);
            deliver(buffer, source, offset);
        }
    }

    private void fill(
            final Buffer buffer,
            final DataType type,
            final DirectBuffer source,
            final int offset,
            final int payload,
            final int payloadLength)
            throws IOException {
        if (payloadLength > buffer.getMaxCapacity()) {
            buffer.recycleBuffer();
            throw new IOException("a buffer came that is longer than this TaskManager's: length=" + payloadLength
                    + " segment=" + buffer.getMaxCapacity() + " " + this);
        }
        source.getBytes(payload, buffer.getNioBuffer(0, payloadLength), 0, payloadLength);
        buffer.setSize(payloadLength);
        buffer.setDataType(type);
        buffer.setCompressed((DataRecord.flags(source, offset) & DataRecord.COMPRESSED) != 0);
    }

    /** Hands over a buffer, or the several that have been sent as one. */
    private void deliver(final Buffer buffer, final DirectBuffer source, final int offset) throws IOException {
        final int count = DataRecord.partialCount(source, offset);
        final int sequenceNumber = DataRecord.sequenceNumber(source, offset);
        final int backlog = DataRecord.backlog(source, offset);
        final int subpartition = DataRecord.subpartition(source, offset);
        metrics.received(true, buffer.getSize());
        if (count <= 1) {
            input.onBuffer(buffer, sequenceNumber, backlog, subpartition);
            return;
        }
        final AtomicInteger held = new AtomicInteger(count);
        final BufferRecycler recycler = ignored -> {
            if (held.decrementAndGet() == 0) {
                buffer.recycleBuffer();
            }
        };
        int given = 0;
        try {
            int start = 0;
            while (given < count) {
                final int partLength = DataRecord.partialLength(source, offset, given);
                final Buffer part = part(buffer, start, partLength, recycler);
                final boolean isLast = given == count - 1;
                final int partNumber = sequenceNumber + given;
                given++; // onBuffer takes it over, whatever happens
                input.onBuffer(part, partNumber, isLast ? backlog : -1, subpartition);
                start += partLength;
            }
        } finally {
            for (int i = given; i < count; i++) {
                recycler.recycle(null);
            }
        }
    }

    private static Buffer part(final Buffer whole, final int start, final int length, final BufferRecycler recycler) {
        return new NetworkBuffer(
                MemorySegmentFactory.wrapOffHeapMemory(whole.getNioBuffer(start, length)),
                recycler,
                whole.getDataType(),
                whole.isCompressed(),
                length);
    }

    /** Events need no credit, and live on the heap. */
    private void onEvent(
            final DirectBuffer source,
            final int offset,
            final int payload,
            final int payloadLength,
            final DataType type)
            throws IOException {
        metrics.received(false, payloadLength);
        final boolean isCompressed = (DataRecord.flags(source, offset) & DataRecord.COMPRESSED) != 0;
        final int count = Math.max(1, DataRecord.partialCount(source, offset));
        if (type == DataType.END_OF_PARTITION) {
            endsToCome -= count;
            isFinished = endsToCome <= 0;
        }
        int start = payload;
        for (int i = 0; i < count; i++) {
            final int length = count == 1 ? payloadLength : DataRecord.partialLength(source, offset, i);
            final ByteBuffer bytes = ByteBuffer.allocate(length);
            source.getBytes(start, bytes, 0, length);
            start += length;
            input.onBuffer(
                    new NetworkBuffer(
                            MemorySegmentFactory.wrap(bytes.array()),
                            FreeingBufferRecycler.INSTANCE,
                            type,
                            isCompressed,
                            length),
                    DataRecord.sequenceNumber(source, offset) + i,
                    i == count - 1 ? DataRecord.backlog(source, offset) : -1,
                    DataRecord.subpartition(source, offset));
        }
    }

    /** The link is lost, or could not be made. */
    void onError(final Throwable cause) {
        input.onError(cause);
    }

    /** There is no link, so that the partition cannot be read from where it is. */
    void onNotLinked(final Throwable cause) {
        input.onError(new PartitionConnectionException(partition, cause));
    }

    @Override
    public String toString() {
        return "channel " + id + " of partition " + partition + " at " + connection.getAddress();
    }
}
