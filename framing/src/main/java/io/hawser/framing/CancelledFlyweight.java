package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of CANCELLED: the answer to CANCEL.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                           attempt id                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                             answer                            |   8
 * +---------------------------------------------------------------+
 * |                          reserved, 0                          |  12
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class CancelledFlyweight extends PayloadFlyweight {

    private static final int ATTEMPT_ID_OFFSET = 0;
    private static final int ANSWER_OFFSET = ATTEMPT_ID_OFFSET + Long.BYTES;
    private static final int RESERVED_OFFSET = ANSWER_OFFSET + Integer.BYTES;

    /** Bytes of the fields that every CANCELLED has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Integer.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public CancelledFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public CancelledFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The attempt id.
     *
     * @return the id, or 0 for the whole scope or channel.
     */
    public long attemptId() {
        return getLong(ATTEMPT_ID_OFFSET);
    }

    /**
     * Puts the attempt id.
     *
     * @param attemptId the id, or 0 for the whole scope or channel.
     * @return this.
     */
    public CancelledFlyweight attemptId(final long attemptId) {
        putLong(ATTEMPT_ID_OFFSET, attemptId);
        return this;
    }

    /**
     * The answer.
     *
     * @return the constant, or null if the number is outside the closed set.
     */
    public CancelAnswer answer() {
        return CancelAnswer.of(getInt(ANSWER_OFFSET));
    }

    /**
     * Puts the answer.
     *
     * @param answer the constant.
     * @return this.
     */
    public CancelledFlyweight answer(final CancelAnswer answer) {
        putInt(ANSWER_OFFSET, answer.number());
        return this;
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
        if (getInt(RESERVED_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return answer() != null ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.CANCELLED;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" attemptId=").append(attemptId()).append(" answer=").append(getInt(ANSWER_OFFSET));
    }
}
