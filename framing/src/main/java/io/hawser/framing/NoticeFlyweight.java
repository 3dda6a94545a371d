package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of NOTICE: a small message beside the data.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                              kind                             |   0
 * +---------------------------------------------------------------+
 * |                          reserved, 0                          |   4
 * +---------------------------------------------------------------+
 * |              opaque bytes to the frame length              ...   8
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class NoticeFlyweight extends OpaqueFlyweight {

    private static final int KIND_OFFSET = 0;
    private static final int RESERVED_OFFSET = KIND_OFFSET + Integer.BYTES;

    /** Bytes of the fields that every NOTICE has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Integer.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public NoticeFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public NoticeFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        wrapOpaque(buffer, offset, length);
        return this;
    }

    /**
     * The engine's own number of what this is.
     *
     * @return the field's value.
     */
    public int kind() {
        return getInt(KIND_OFFSET);
    }

    /**
     * Puts the engine's own number of what this is.
     *
     * @param kind the field's value.
     * @return this.
     */
    public NoticeFlyweight kind(final int kind) {
        putInt(KIND_OFFSET, kind);
        return this;
    }

    @Override
    public FrameFault validate() {
        if (!isWhole()) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (getInt(RESERVED_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return FrameFault.NONE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.NOTICE;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" kind=").append(kind());
    }
}
