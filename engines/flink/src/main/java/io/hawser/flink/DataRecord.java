package io.hawser.flink;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The layout of what a producer sends to one of its consumers: a record on the lane of that channel.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------+---------------+---------------+---------------+
 * |     kind      |   data type   |     flags     |   reserved 0  |   0
 * +---------------+---------------+---------------+---------------+
 * |                     sequence number (int32)                   |   4
 * +---------------------------------------------------------------+
 * |        backlog, of this or, BACKLOG, without a buffer (int32) |   8
 * +---------------------------------------------------------------+
 * |                     subpartition (int32)                      |  12
 * +---------------------------------------------------------------+
 * |                count of partial buffers (int32)               |  16
 * +---------------------------------------------------------------+
 * |              length of each partial buffer (int32)          ...  20
 * +---------------------------------------------------------------+
 * |            payload; FAILED: class, line feed, text          ...
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>All records have the header; those other than BUFFER leave at 0 what they do not use. Little-endian.
 *
 * <p><em>Threading:</em> static, stateless.
 */
final class DataRecord {
    /** A buffer or an event. */
    static final int BUFFER = 1;

    /** So many buffers wait for credit; sent when the consumer has given none. */
    static final int BACKLOG = 2;

    /** Nothing more comes: the producer has failed, or reading what it has produced. */
    static final int FAILED = 3;

    /** Nothing more comes: the partition has been released by its producer, which was cancelled. */
    static final int CANCELLED = 4;

    /** Nothing comes: there was no such partition until the request's time-out. */
    static final int NOT_FOUND = 5;

    /** Flag of a buffer: its bytes are compressed. */
    static final int COMPRESSED = 1;

    /** Flag of FAILED: the producing task has failed, as opposed to the reading of its partition. */
    static final int PRODUCER_FAILED = 1;

    private static final int KIND = 0;
    private static final int DATA_TYPE = KIND + Byte.BYTES;
    private static final int FLAGS = DATA_TYPE + Byte.BYTES;
    private static final int RESERVED = FLAGS + Byte.BYTES;
    private static final int SEQUENCE_NUMBER = RESERVED + Byte.BYTES;
    private static final int BACKLOG_COUNT = SEQUENCE_NUMBER + Integer.BYTES;
    private static final int SUBPARTITION = BACKLOG_COUNT + Integer.BYTES;
    private static final int PARTIAL_COUNT = SUBPARTITION + Integer.BYTES;

    /** Bytes before the lengths of partial buffers. */
    static final int HEADER_LENGTH = PARTIAL_COUNT + Integer.BYTES;

    private DataRecord() {}

    /** {@return where the payload starts, relative to the record} */
    static int payloadOffset(final int partialCount) {
        return HEADER_LENGTH + partialCount * Integer.BYTES;
    }

    /** Lays the header of a buffer or an event. */
    static void buffer(
            final MutableDirectBuffer target,
            final int offset,
            final int dataType,
            final int flags,
            final int sequenceNumber,
            final int backlog,
            final int subpartition,
            final int partialCount) {
        header(target, offset, BUFFER, flags);
        target.putByte(offset + DATA_TYPE, (byte) dataType);
        target.putInt(offset + SEQUENCE_NUMBER, sequenceNumber, LITTLE_ENDIAN);
        target.putInt(offset + BACKLOG_COUNT, backlog, LITTLE_ENDIAN);
        target.putInt(offset + SUBPARTITION, subpartition, LITTLE_ENDIAN);
        target.putInt(offset + PARTIAL_COUNT, partialCount, LITTLE_ENDIAN);
    }

    /** Lays the length of one partial buffer. */
    static void partialLength(final MutableDirectBuffer target, final int offset, final int index, final int length) {
        target.putInt(offset + payloadOffset(index), length, LITTLE_ENDIAN);
    }

    /** Lays a backlog announcement: a header only. */
    static void backlog(final MutableDirectBuffer target, final int offset, final int backlog) {
        header(target, offset, BACKLOG, 0);
        target.putInt(offset + BACKLOG_COUNT, backlog, LITTLE_ENDIAN);
    }

    /** Lays the header of one of the last records; the text goes behind it. */
    static void end(final MutableDirectBuffer target, final int offset, final int kind, final int flags) {
        header(target, offset, kind, flags);
    }

    private static void header(final MutableDirectBuffer target, final int offset, final int kind, final int flags) {
        target.setMemory(offset, HEADER_LENGTH, (byte) 0);
        target.putByte(offset + KIND, (byte) kind);
        target.putByte(offset + FLAGS, (byte) flags);
    }

    static int kind(final DirectBuffer source, final int offset) {
        return source.getByte(offset + KIND);
    }

    static int dataType(final DirectBuffer source, final int offset) {
        return source.getByte(offset + DATA_TYPE);
    }

    static int flags(final DirectBuffer source, final int offset) {
        return source.getByte(offset + FLAGS);
    }

    static int sequenceNumber(final DirectBuffer source, final int offset) {
        return source.getInt(offset + SEQUENCE_NUMBER, LITTLE_ENDIAN);
    }

    static int backlog(final DirectBuffer source, final int offset) {
        return source.getInt(offset + BACKLOG_COUNT, LITTLE_ENDIAN);
    }

    static int subpartition(final DirectBuffer source, final int offset) {
        return source.getInt(offset + SUBPARTITION, LITTLE_ENDIAN);
    }

    static int partialCount(final DirectBuffer source, final int offset) {
        return source.getInt(offset + PARTIAL_COUNT, LITTLE_ENDIAN);
    }

    static int partialLength(final DirectBuffer source, final int offset, final int index) {
        return source.getInt(offset + payloadOffset(index), LITTLE_ENDIAN);
    }

    /** {@return null, or what is wrong with a record of that length} */
    static String fault(final DirectBuffer source, final int offset, final int length) {
        if (length < HEADER_LENGTH) {
            return "a record shorter than its header: length=" + length;
        }
        final int count = partialCount(source, offset);
        if (count < 0 || count > (length - HEADER_LENGTH) / Integer.BYTES) {
            return "partial buffers that do not fit their record: count=" + count + " length=" + length;
        }
        long sum = 0;
        for (int i = 0; i < count; i++) {
            final int part = partialLength(source, offset, i);
            if (part < 0) {
                return "a partial buffer of negative length: length=" + part;
            }
            sum += part;
        }
        return count == 0 || sum == length - payloadOffset(count)
                ? null
                : "partial buffers that do not add up: sum=" + sum + " length=" + length;
    }
}
