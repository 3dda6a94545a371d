package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of GO: begin; the plan.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                           attempt id                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |              opaque bytes to the frame length              ...   8
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class GoFlyweight extends OpaqueFlyweight {

    private static final int ATTEMPT_ID_OFFSET = 0;

    /** Bytes of the fields that every GO has. */
    public static final int FIXED_LENGTH = ATTEMPT_ID_OFFSET + Long.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public GoFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public GoFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        wrapOpaque(buffer, offset, length);
        return this;
    }

    /**
     * The attempt id.
     *
     * @return the field's value.
     */
    public long attemptId() {
        return getLong(ATTEMPT_ID_OFFSET);
    }

    /**
     * Puts the attempt id.
     *
     * @param attemptId the field's value.
     * @return this.
     */
    public GoFlyweight attemptId(final long attemptId) {
        putLong(ATTEMPT_ID_OFFSET, attemptId);
        return this;
    }

    @Override
    public FrameFault validate() {
        if (!isWhole()) {
            return FrameFault.BAD_PAYLOAD;
        }
        return FrameFault.NONE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.GO;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" attemptId=").append(attemptId());
    }
}
