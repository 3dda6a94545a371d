package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of CANCEL: drop this dataflow, channel or reservation.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                           attempt id                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                             origin                            |   8
 * +---------------------------------------------------------------+
 * |          text length          |          reserved, 0          |  12
 * +---------------------------------------------------------------+
 * |                    the reason in words                     ...  16
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class CancelFlyweight extends PayloadFlyweight {

    private static final int ATTEMPT_ID_OFFSET = 0;
    private static final int ORIGIN_OFFSET = ATTEMPT_ID_OFFSET + Long.BYTES;
    private static final int TEXT_LENGTH_OFFSET = ORIGIN_OFFSET + Integer.BYTES;
    private static final int RESERVED_OFFSET = TEXT_LENGTH_OFFSET + Short.BYTES;

    /** Bytes of the fields that every CANCEL has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Short.BYTES;

    /** Bytes of the longest payload of this type. */
    public static final int MAX_LENGTH = FIXED_LENGTH + TEXT_LIMIT;

    private static final int TEXT_OFFSET = FIXED_LENGTH;

    /** Creates a flyweight that is not yet wrapped. */
    public CancelFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public CancelFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
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
    public CancelFlyweight attemptId(final long attemptId) {
        putLong(ATTEMPT_ID_OFFSET, attemptId);
        return this;
    }

    /**
     * Where the wish comes from.
     *
     * @return the constant, or null if the number is outside the closed set.
     */
    public CancelOrigin origin() {
        return CancelOrigin.of(getInt(ORIGIN_OFFSET));
    }

    /**
     * Puts where the wish comes from.
     *
     * @param origin the constant.
     * @return this.
     */
    public CancelFlyweight origin(final CancelOrigin origin) {
        putInt(ORIGIN_OFFSET, origin.number());
        return this;
    }

    private int textLength() {
        return getUint16(TEXT_LENGTH_OFFSET);
    }

    /**
     * The reason in words. What is not UTF-8 in it is replaced: the reason matters more than its spelling.
     *
     * @return the text, maybe empty.
     */
    public String text() {
        return getText(TEXT_OFFSET, textLength());
    }

    /**
     * Puts the reason in words, cut to {@link #TEXT_LIMIT} bytes at a code-point boundary, null as empty.
     *
     * @param text the words.
     * @return this.
     */
    public CancelFlyweight text(final CharSequence text) {
        putText(TEXT_LENGTH_OFFSET, TEXT_OFFSET, text, TEXT_LIMIT);
        return this;
    }

    @Override
    public int payloadLength() {
        return FIXED_LENGTH + textLength();
    }

    @Override
    public FrameFault validate() {
        if (!isWhole() || textLength() > TEXT_LIMIT) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (getUint16(RESERVED_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return origin() != null ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.CANCEL;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" attemptId=").append(attemptId()).append(" origin=").append(getInt(ORIGIN_OFFSET));
    }
}
