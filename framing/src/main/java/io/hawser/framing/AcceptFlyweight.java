package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of ACCEPT: yes, the place is reserved.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                           attempt id                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                            hold ns                            |   8
 * |                                                               |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class AcceptFlyweight extends PayloadFlyweight {

    private static final int ATTEMPT_ID_OFFSET = 0;
    private static final int HOLD_NS_OFFSET = ATTEMPT_ID_OFFSET + Long.BYTES;

    /** Bytes of the fields that every ACCEPT has. */
    public static final int FIXED_LENGTH = HOLD_NS_OFFSET + Long.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public AcceptFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public AcceptFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
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
    public AcceptFlyweight attemptId(final long attemptId) {
        putLong(ATTEMPT_ID_OFFSET, attemptId);
        return this;
    }

    /**
     * How long the reservation holds.
     *
     * @return nanoseconds.
     */
    public long holdNs() {
        return getLong(HOLD_NS_OFFSET);
    }

    /**
     * Puts how long the reservation holds.
     *
     * @param holdNs nanoseconds.
     * @return this.
     */
    public AcceptFlyweight holdNs(final long holdNs) {
        putLong(HOLD_NS_OFFSET, holdNs);
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
        return holdNs() >= 0 ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.ACCEPT;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" attemptId=").append(attemptId()).append(" holdNs=").append(holdNs());
    }
}
