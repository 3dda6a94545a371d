package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of HANGUP: the sender has sent all its data, and these are the totals.
 *
 * <p>With flag CONFIRM it also tells what has been received; without it those two fields are 0.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                          frames sent                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                           bytes sent                          |   8
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                        frames received                        |  16
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         bytes received                        |  24
 * |                                                               |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class HangupFlyweight extends PayloadFlyweight {

    private static final int FRAMES_SENT_OFFSET = 0;
    private static final int BYTES_SENT_OFFSET = FRAMES_SENT_OFFSET + Long.BYTES;
    private static final int FRAMES_RECEIVED_OFFSET = BYTES_SENT_OFFSET + Long.BYTES;
    private static final int BYTES_RECEIVED_OFFSET = FRAMES_RECEIVED_OFFSET + Long.BYTES;

    /** Bytes of the fields that every HANGUP has. */
    public static final int FIXED_LENGTH = BYTES_RECEIVED_OFFSET + Long.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public HangupFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public HangupFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The count of DATA frames sent on this connection.
     *
     * @return the field's value.
     */
    public long framesSent() {
        return getLong(FRAMES_SENT_OFFSET);
    }

    /**
     * Puts the count of DATA frames sent on this connection.
     *
     * @param framesSent the field's value.
     * @return this.
     */
    public HangupFlyweight framesSent(final long framesSent) {
        putLong(FRAMES_SENT_OFFSET, framesSent);
        return this;
    }

    /**
     * The sum of the lengths of the DATA frames sent.
     *
     * @return bytes.
     */
    public long bytesSent() {
        return getLong(BYTES_SENT_OFFSET);
    }

    /**
     * Puts the sum of the lengths of the DATA frames sent.
     *
     * @param bytesSent bytes.
     * @return this.
     */
    public HangupFlyweight bytesSent(final long bytesSent) {
        putLong(BYTES_SENT_OFFSET, bytesSent);
        return this;
    }

    /**
     * The count of DATA frames received on this connection, in a confirmation.
     *
     * @return the field's value.
     */
    public long framesReceived() {
        return getLong(FRAMES_RECEIVED_OFFSET);
    }

    /**
     * Puts the count of DATA frames received on this connection, in a confirmation.
     *
     * @param framesReceived the field's value.
     * @return this.
     */
    public HangupFlyweight framesReceived(final long framesReceived) {
        putLong(FRAMES_RECEIVED_OFFSET, framesReceived);
        return this;
    }

    /**
     * The sum of the lengths of the DATA frames received, in a confirmation.
     *
     * @return bytes.
     */
    public long bytesReceived() {
        return getLong(BYTES_RECEIVED_OFFSET);
    }

    /**
     * Puts the sum of the lengths of the DATA frames received, in a confirmation.
     *
     * @param bytesReceived bytes.
     * @return this.
     */
    public HangupFlyweight bytesReceived(final long bytesReceived) {
        putLong(BYTES_RECEIVED_OFFSET, bytesReceived);
        return this;
    }

    /**
     * Judges the payload together with the flags of its header.
     *
     * @param flags of the frame.
     * @return {@link FrameFault#NONE}, or the first fault found.
     */
    public FrameFault validate(final int flags) {
        final FrameFault fault = validate();
        final boolean isConfirm = (flags & FrameFlags.CONFIRM) != 0;
        if (fault == FrameFault.NONE && !isConfirm && (framesReceived() != 0 || bytesReceived() != 0)) {
            return FrameFault.BAD_VALUE;
        }
        return fault;
    }

    @Override
    public int payloadLength() {
        return FIXED_LENGTH;
    }

    @Override
    public FrameFault validate() {
        if (!isWhole()) {
            return FrameFault.BAD_PAYLOAD;
        }
        return framesSent() >= 0 && bytesSent() >= 0 && framesReceived() >= 0 && bytesReceived() >= 0
                ? FrameFault.NONE
                : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.HANGUP;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" framesSent=")
                .append(framesSent())
                .append(" bytesSent=")
                .append(bytesSent())
                .append(" framesReceived=")
                .append(framesReceived())
                .append(" bytesReceived=")
                .append(bytesReceived());
    }
}
