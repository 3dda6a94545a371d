package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The layout of records, the payload of a DATA frame with BEGIN and END: one message each, back to back.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                    message length (int32, &gt;= 0)               |   0
 * +---------------------------------------------------------------+
 * |                 message, zero padded to 4 bytes             ...   4
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>Records fill the payload exactly and there is at least one, but in the last frame of a lane. A message of length 0 is a message. To write records
 * in place: {@link #begin} lays the prefix and the padding, then the message goes to the offset returned.
 *
 * <p><em>Threading:</em> static, stateless.
 */
public final class RecordDescriptor {

    /** Bytes of the message length, which stands before the message. */
    public static final int PREFIX_LENGTH = Integer.BYTES;

    /** Records start and end at multiples of this many bytes. */
    public static final int RECORD_ALIGNMENT = 4;

    private RecordDescriptor() {}

    /**
     * The bytes that a message takes as a record.
     *
     * @param messageLength of the message, at most {@link FrameType#FRAME_LIMIT_MAX}.
     * @return prefix, message and padding in bytes.
     */
    public static int recordLength(final int messageLength) {
        return PREFIX_LENGTH + ((messageLength + (RECORD_ALIGNMENT - 1)) & -RECORD_ALIGNMENT);
    }

    /**
     * Lays the prefix of a record and zeroes its padding. The message has to be put after that, since the padding is
     * zeroed together with the message's last bytes.
     *
     * @param buffer to write into.
     * @param recordOffset of the record's first byte.
     * @param messageLength of the message that will follow.
     * @return the offset at which the message goes.
     */
    public static int begin(final MutableDirectBuffer buffer, final int recordOffset, final int messageLength) {
        if ((messageLength & (RECORD_ALIGNMENT - 1)) != 0) {
            buffer.putInt(recordOffset + recordLength(messageLength) - RECORD_ALIGNMENT, 0);
        }
        buffer.putInt(recordOffset, messageLength, LITTLE_ENDIAN);
        return recordOffset + PREFIX_LENGTH;
    }

    /**
     * Lays a whole record.
     *
     * @param buffer to write into.
     * @param recordOffset of the record's first byte.
     * @param message that holds the message.
     * @param messageOffset of the message's first byte.
     * @param messageLength of the message.
     * @return the offset behind the record, where the next one goes.
     */
    public static int put(
            final MutableDirectBuffer buffer,
            final int recordOffset,
            final DirectBuffer message,
            final int messageOffset,
            final int messageLength) {
        buffer.putBytes(begin(buffer, recordOffset, messageLength), message, messageOffset, messageLength);
        return recordOffset + recordLength(messageLength);
    }

    /**
     * Walks all records of a payload and judges them: lengths, exact fill, zero padding.
     *
     * @param buffer that holds the payload.
     * @param offset of the payload's first byte.
     * @param length of the payload.
     * @return {@link FrameFault#NONE} or {@link FrameFault#BAD_RECORDS}.
     */
    public static FrameFault validate(final DirectBuffer buffer, final int offset, final int length) {
        int position = 0;
        while (length - position >= PREFIX_LENGTH) {
            final int messageLength = buffer.getInt(offset + position, LITTLE_ENDIAN);
            if (messageLength < 0 || messageLength > length - position - PREFIX_LENGTH) {
                return FrameFault.BAD_RECORDS;
            }
            final int next = position + recordLength(messageLength);
            if (next > length || !isPaddingZero(buffer, offset + next, messageLength)) {
                return FrameFault.BAD_RECORDS;
            }
            position = next;
        }
        return position == length && length > 0 ? FrameFault.NONE : FrameFault.BAD_RECORDS;
    }

    /**
     * Walks all records of a payload as {@link #validate(DirectBuffer, int, int)} does, but lets an empty one pass in
     * the last frame of a lane.
     *
     * @param flags of the frame, BEGIN and END among them.
     * @param buffer that holds the payload.
     * @param offset of the payload's first byte.
     * @param length of the payload.
     * @return {@link FrameFault#NONE} or {@link FrameFault#BAD_RECORDS}.
     */
    public static FrameFault validate(final int flags, final DirectBuffer buffer, final int offset, final int length) {
        return length == 0 && FrameFlags.isLast(flags) ? FrameFault.NONE : validate(buffer, offset, length);
    }

    /** Whether the padding of a record that ends at an offset is zero. */
    static boolean isPaddingZero(final DirectBuffer buffer, final int recordEnd, final int messageLength) {
        final int rest = messageLength & (RECORD_ALIGNMENT - 1);
        return rest == 0 || buffer.getInt(recordEnd - RECORD_ALIGNMENT, LITTLE_ENDIAN) >>> (Byte.SIZE * rest) == 0;
    }
}
