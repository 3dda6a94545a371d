package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of CREDIT: how much may have been sent on a channel since it was opened.
 *
 * <p>In the header, channel is the channel, source the worker that grants, and the targets are the workers that may
 * send.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                          credit limit                         |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         bytes consumed                        |   8
 * |                                                               |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class CreditFlyweight extends PayloadFlyweight {

    private static final int CREDIT_LIMIT_OFFSET = 0;
    private static final int BYTES_CONSUMED_OFFSET = CREDIT_LIMIT_OFFSET + Long.BYTES;

    /** Bytes of the fields that every CREDIT has. */
    public static final int FIXED_LENGTH = BYTES_CONSUMED_OFFSET + Long.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public CreditFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public CreditFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The bytes that may have been sent since the channel was opened; cumulative, never falls.
     *
     * @return bytes.
     */
    public long creditLimit() {
        return getLong(CREDIT_LIMIT_OFFSET);
    }

    /**
     * Puts the bytes that may have been sent since the channel was opened; cumulative, never falls.
     *
     * @param creditLimit bytes.
     * @return this.
     */
    public CreditFlyweight creditLimit(final long creditLimit) {
        putLong(CREDIT_LIMIT_OFFSET, creditLimit);
        return this;
    }

    /**
     * The bytes consumed since the channel was opened.
     *
     * @return bytes.
     */
    public long bytesConsumed() {
        return getLong(BYTES_CONSUMED_OFFSET);
    }

    /**
     * Puts the bytes consumed since the channel was opened.
     *
     * @param bytesConsumed bytes.
     * @return this.
     */
    public CreditFlyweight bytesConsumed(final long bytesConsumed) {
        putLong(BYTES_CONSUMED_OFFSET, bytesConsumed);
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
        return creditLimit() >= 0 && bytesConsumed() >= 0 ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.CREDIT;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" creditLimit=")
                .append(creditLimit())
                .append(" bytesConsumed=")
                .append(bytesConsumed());
    }
}
