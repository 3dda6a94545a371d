package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of READY: the sender has a greeted link to every peer.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                           generation                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         receiver nonce                        |   8
 * |                                                               |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class ReadyFlyweight extends PayloadFlyweight {

    private static final int GENERATION_OFFSET = 0;
    private static final int RECEIVER_NONCE_OFFSET = GENERATION_OFFSET + Long.BYTES;

    /** Bytes of the fields that every READY has. */
    public static final int FIXED_LENGTH = RECEIVER_NONCE_OFFSET + Long.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public ReadyFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public ReadyFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The generation that is forming.
     *
     * @return 1 or more.
     */
    public long generation() {
        return getLong(GENERATION_OFFSET);
    }

    /**
     * Puts the generation that is forming.
     *
     * @param generation 1 or more.
     * @return this.
     */
    public ReadyFlyweight generation(final long generation) {
        putLong(GENERATION_OFFSET, generation);
        return this;
    }

    /**
     * The receiver's instance nonce, as learnt from its HELLO.
     *
     * @return the field's value.
     */
    public long receiverNonce() {
        return getLong(RECEIVER_NONCE_OFFSET);
    }

    /**
     * Puts the receiver's instance nonce, as learnt from its HELLO.
     *
     * @param receiverNonce the field's value.
     * @return this.
     */
    public ReadyFlyweight receiverNonce(final long receiverNonce) {
        putLong(RECEIVER_NONCE_OFFSET, receiverNonce);
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
        return generation() >= 1 ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.READY;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" generation=")
                .append(generation())
                .append(" receiverNonce=")
                .append(receiverNonce());
    }
}
