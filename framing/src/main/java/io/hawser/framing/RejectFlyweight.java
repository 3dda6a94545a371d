package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of REJECT: no, why, and where to try.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                           attempt id                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                             policy                            |   8
 * +---------------------------------------------------------------+
 * |                         retry after ms                        |  12
 * +---------------------------------------------------------------+
 * |          text length          |          reserved, 0          |  16
 * +---------------------------------------------------------------+
 * |                          reserved, 0                          |  20
 * +---------------------------------------------------------------+
 * |                    the reason in words                     ...  24
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class RejectFlyweight extends PayloadFlyweight {

    private static final int ATTEMPT_ID_OFFSET = 0;
    private static final int POLICY_OFFSET = ATTEMPT_ID_OFFSET + Long.BYTES;
    private static final int RETRY_AFTER_MS_OFFSET = POLICY_OFFSET + Integer.BYTES;
    private static final int TEXT_LENGTH_OFFSET = RETRY_AFTER_MS_OFFSET + Integer.BYTES;
    private static final int RESERVED_OFFSET = TEXT_LENGTH_OFFSET + Short.BYTES;
    private static final int RESERVED2_OFFSET = RESERVED_OFFSET + Short.BYTES;

    /** Bytes of the fields that every REJECT has. */
    public static final int FIXED_LENGTH = RESERVED2_OFFSET + Integer.BYTES;

    /** Bytes of the longest payload of this type. */
    public static final int MAX_LENGTH = FIXED_LENGTH + TEXT_LIMIT;

    private static final int TEXT_OFFSET = FIXED_LENGTH;

    /** Creates a flyweight that is not yet wrapped. */
    public RejectFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public RejectFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
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
    public RejectFlyweight attemptId(final long attemptId) {
        putLong(ATTEMPT_ID_OFFSET, attemptId);
        return this;
    }

    /**
     * What the asking side may do next.
     *
     * @return the constant, or null if the number is outside the closed set.
     */
    public RejectPolicy policy() {
        return RejectPolicy.of(getInt(POLICY_OFFSET));
    }

    /**
     * Puts what the asking side may do next.
     *
     * @param policy the constant.
     * @return this.
     */
    public RejectFlyweight policy(final RejectPolicy policy) {
        putInt(POLICY_OFFSET, policy.number());
        return this;
    }

    /**
     * How long to wait before trying here again.
     *
     * @return milliseconds.
     */
    public int retryAfterMs() {
        return getInt(RETRY_AFTER_MS_OFFSET);
    }

    /**
     * Puts how long to wait before trying here again.
     *
     * @param retryAfterMs milliseconds.
     * @return this.
     */
    public RejectFlyweight retryAfterMs(final int retryAfterMs) {
        putInt(RETRY_AFTER_MS_OFFSET, retryAfterMs);
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
    public RejectFlyweight text(final CharSequence text) {
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
        if (getUint16(RESERVED_OFFSET) != 0 || getInt(RESERVED2_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return policy() != null && retryAfterMs() >= 0 ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.REJECT;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" attemptId=")
                .append(attemptId())
                .append(" policy=")
                .append(getInt(POLICY_OFFSET))
                .append(" retryAfterMs=")
                .append(retryAfterMs());
    }
}
