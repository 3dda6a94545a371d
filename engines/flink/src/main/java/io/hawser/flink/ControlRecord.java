package io.hawser.flink;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionIndexSet;

/**
 * The layout of what a consumer sends to a producer: a record on lane {@link #CHANNEL_ID}, about one of its channels.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------+-----------------------------------------------+
 * |     kind      |                  reserved 0                   |   0
 * +---------------+-----------------------------------------------+
 * |                    channel id (int32), 1 or more              |   4
 * +---------------------------------------------------------------+
 * |    first number (int32): see each kind; 0 if it has none      |   8
 * +---------------------------------------------------------------+
 * |    second number (int32)                                      |  12
 * +---------------------------------------------------------------+
 * |    third number (int32)                                       |  16
 * +---------------------------------------------------------------+
 * |    body: REQUEST: partition id; TASK_EVENT: partition id, event ...  20
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>Little-endian; the partition id is in Flink's own layout.
 *
 * <p><em>Threading:</em> static, stateless.
 */
final class ControlRecord {
    /** The lane of all control; data has the ids from 1 on. */
    static final int CHANNEL_ID = 0;

    /** Numbers: initial credit, first and last subpartition. */
    static final int REQUEST = 1;

    /** Number: buffers that the producer may send beyond what it had. */
    static final int CREDIT = 2;

    static final int RESUME = 3;

    static final int ALL_PROCESSED = 4;

    /** Number: bytes. */
    static final int BUFFER_SIZE = 5;

    /** Numbers: subpartition, segment. */
    static final int SEGMENT = 6;

    /** Number: bytes of the partition id, which the event follows. */
    static final int TASK_EVENT = 7;

    /** Number: the reason, as {@link ConsumerEnd#code()}. */
    static final int CLOSE = 8;

    private static final int KIND = 0;
    private static final int CHANNEL = KIND + Integer.BYTES;
    private static final int FIRST = CHANNEL + Integer.BYTES;
    private static final int SECOND = FIRST + Integer.BYTES;
    private static final int THIRD = SECOND + Integer.BYTES;

    /** Bytes before the body. */
    static final int HEADER_LENGTH = THIRD + Integer.BYTES;

    private ControlRecord() {}

    /** Lays a record without a body. {@return its length} */
    static int put(
            final MutableDirectBuffer target,
            final int kind,
            final int channelId,
            final int first,
            final int second,
            final int third) {
        target.putInt(KIND, kind, LITTLE_ENDIAN);
        target.putInt(CHANNEL, channelId, LITTLE_ENDIAN);
        target.putInt(FIRST, first, LITTLE_ENDIAN);
        target.putInt(SECOND, second, LITTLE_ENDIAN);
        target.putInt(THIRD, third, LITTLE_ENDIAN);
        return HEADER_LENGTH;
    }

    /** Lays a request. {@return its length} */
    static int putRequest(
            final MutableDirectBuffer target,
            final int channelId,
            final int credit,
            final ResultSubpartitionIndexSet subpartitions,
            final ResultPartitionID partition) {
        final byte[] id = partition.getBytes();
        put(target, REQUEST, channelId, credit, subpartitions.getStartIndex(), subpartitions.getEndIndex());
        target.putBytes(HEADER_LENGTH, id);
        return HEADER_LENGTH + id.length;
    }

    /** Lays a task event. {@return its length} */
    static int putTaskEvent(
            final MutableDirectBuffer target,
            final int channelId,
            final ResultPartitionID partition,
            final byte[] event) {
        final byte[] id = partition.getBytes();
        put(target, TASK_EVENT, channelId, id.length, 0, 0);
        target.putBytes(HEADER_LENGTH, id);
        target.putBytes(HEADER_LENGTH + id.length, event);
        return HEADER_LENGTH + id.length + event.length;
    }

    static int kind(final DirectBuffer source, final int offset) {
        return source.getInt(offset + KIND, LITTLE_ENDIAN);
    }

    static int channelId(final DirectBuffer source, final int offset) {
        return source.getInt(offset + CHANNEL, LITTLE_ENDIAN);
    }

    static int first(final DirectBuffer source, final int offset) {
        return source.getInt(offset + FIRST, LITTLE_ENDIAN);
    }

    static int second(final DirectBuffer source, final int offset) {
        return source.getInt(offset + SECOND, LITTLE_ENDIAN);
    }

    static int third(final DirectBuffer source, final int offset) {
        return source.getInt(offset + THIRD, LITTLE_ENDIAN);
    }

    /** {@return a copy of what follows the header, and so many bytes of the body} */
    static byte[] body(final DirectBuffer source, final int offset, final int length, final int from) {
        final byte[] body = new byte[length - HEADER_LENGTH - from];
        source.getBytes(offset + HEADER_LENGTH + from, body);
        return body;
    }
}
