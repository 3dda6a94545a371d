package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;

/**
 * Goes through the records of one DATA payload, without copying and without allocation.
 *
 * <p>It judges each record before it shows it, so a payload need not have been walked before: {@link #next} ends at
 * the first record that does not fit, and {@link #fault} then tells so. Whoever lets the iterator do the judging has
 * to ask for the fault after the last record.
 *
 * <pre>{@code
 * iterator.wrap(buffer, payloadOffset, payloadLength);
 * while (iterator.next()) {
 *     consume(buffer, iterator.messageOffset(), iterator.messageLength());
 * }
 * if (iterator.fault() != FrameFault.NONE) ...
 * }</pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns it.
 */
public final class RecordIterator {

    private DirectBuffer buffer;
    private int nextOffset;
    private int end;
    private int messageOffset;
    private int messageLength;
    private FrameFault fault = FrameFault.NONE;

    /** Creates an iterator over nothing. */
    public RecordIterator() {}

    /**
     * Starts before the first record of a payload.
     *
     * @param buffer that holds the payload.
     * @param payloadOffset of its first byte.
     * @param payloadLength in bytes.
     * @return this.
     */
    public RecordIterator wrap(final DirectBuffer buffer, final int payloadOffset, final int payloadLength) {
        buffer.boundsCheck(payloadOffset, payloadLength);
        this.buffer = buffer;
        nextOffset = payloadOffset;
        end = payloadOffset + payloadLength;
        fault = payloadLength == 0 ? FrameFault.BAD_RECORDS : FrameFault.NONE;
        return this;
    }

    /**
     * Starts before the first record of a payload as {@link #wrap(DirectBuffer, int, int)} does, but takes an empty one
     * for no fault in the last frame of a lane: {@link #next} then returns false at once.
     *
     * @param flags of the frame, BEGIN and END among them.
     * @param buffer that holds the payload.
     * @param payloadOffset of its first byte.
     * @param payloadLength in bytes.
     * @return this.
     */
    public RecordIterator wrap(
            final int flags, final DirectBuffer buffer, final int payloadOffset, final int payloadLength) {
        wrap(buffer, payloadOffset, payloadLength);
        if (payloadLength == 0 && FrameFlags.isLast(flags)) {
            fault = FrameFault.NONE;
        }
        return this;
    }

    /**
     * Moves to the next record.
     *
     * @return true if there is one; false at the end and from the first fault on.
     */
    public boolean next() {
        if (nextOffset == end || fault != FrameFault.NONE) {
            return false;
        }
        final int offset = nextOffset + RecordDescriptor.PREFIX_LENGTH;
        final int length = offset > end ? -1 : buffer.getInt(nextOffset, LITTLE_ENDIAN);
        if (length < 0 || length > end - offset) {
            fault = FrameFault.BAD_RECORDS;
            return false;
        }
        return show(offset, length);
    }

    /**
     * Where the current message starts.
     *
     * @return an offset in the wrapped buffer.
     */
    public int messageOffset() {
        return messageOffset;
    }

    /**
     * The length of the current message.
     *
     * @return bytes, 0 or more.
     */
    public int messageLength() {
        return messageLength;
    }

    /**
     * What ended the iteration.
     *
     * @return {@link FrameFault#NONE} if no record has been wrong so far, else {@link FrameFault#BAD_RECORDS}.
     */
    public FrameFault fault() {
        return fault;
    }

    private boolean show(final int offset, final int length) {
        final int recordEnd = offset - RecordDescriptor.PREFIX_LENGTH + RecordDescriptor.recordLength(length);
        if (recordEnd > end || !RecordDescriptor.isPaddingZero(buffer, recordEnd, length)) {
            fault = FrameFault.BAD_RECORDS;
            return false;
        }
        nextOffset = recordEnd;
        messageOffset = offset;
        messageLength = length;
        return true;
    }
}
