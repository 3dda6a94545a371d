package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of START: will you take this work? It carries no plan.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                           attempt id                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                             weight                            |   8
 * +---------------------------------------------------------------+
 * |                            priority                           |  12
 * +---------------------------------------------------------------+
 * |              opaque bytes to the frame length              ...  16
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class StartFlyweight extends OpaqueFlyweight {

    private static final int ATTEMPT_ID_OFFSET = 0;
    private static final int WEIGHT_OFFSET = ATTEMPT_ID_OFFSET + Long.BYTES;
    private static final int PRIORITY_OFFSET = WEIGHT_OFFSET + Integer.BYTES;

    /** Bytes of the fields that every START has. */
    public static final int FIXED_LENGTH = PRIORITY_OFFSET + Integer.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public StartFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public StartFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
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
    public StartFlyweight attemptId(final long attemptId) {
        putLong(ATTEMPT_ID_OFFSET, attemptId);
        return this;
    }

    /**
     * The weight of the work.
     *
     * @return the field's value.
     */
    public int weight() {
        return getInt(WEIGHT_OFFSET);
    }

    /**
     * Puts the weight of the work.
     *
     * @param weight the field's value.
     * @return this.
     */
    public StartFlyweight weight(final int weight) {
        putInt(WEIGHT_OFFSET, weight);
        return this;
    }

    /**
     * The priority of the work.
     *
     * @return the field's value.
     */
    public int priority() {
        return getInt(PRIORITY_OFFSET);
    }

    /**
     * Puts the priority of the work.
     *
     * @param priority the field's value.
     * @return this.
     */
    public StartFlyweight priority(final int priority) {
        putInt(PRIORITY_OFFSET, priority);
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
        return FrameType.START;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" attemptId=")
                .append(attemptId())
                .append(" weight=")
                .append(weight())
                .append(" priority=")
                .append(priority());
    }
}
