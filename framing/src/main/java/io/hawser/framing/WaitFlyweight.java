package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of WAIT: a push has been waiting for a while, or the wait that was told is over.
 *
 * <p>In the header, channel is the channel, source the worker that waits, and the targets are the workers for whose
 * credit it waits, which may be of any process: the frame goes to every process, so that each can see a circle of
 * waits.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                          wait number                          |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                      waited already, ns                       |   8
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         bytes wanted                          |  16
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                             state                             |  24
 * +---------------------------------------------------------------+
 * |                          reserved, 0                          |  28
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class WaitFlyweight extends PayloadFlyweight {

    private static final int WAIT_NUMBER_OFFSET = 0;
    private static final int WAITED_NS_OFFSET = WAIT_NUMBER_OFFSET + Long.BYTES;
    private static final int BYTES_WANTED_OFFSET = WAITED_NS_OFFSET + Long.BYTES;
    private static final int STATE_OFFSET = BYTES_WANTED_OFFSET + Long.BYTES;
    private static final int RESERVED_OFFSET = STATE_OFFSET + Integer.BYTES;

    /** Bytes of the fields that every WAIT has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Integer.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public WaitFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public WaitFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The number of the wait, which rises with each wait of that worker.
     *
     * @return the number, 0 or more.
     */
    public long waitNumber() {
        return getLong(WAIT_NUMBER_OFFSET);
    }

    /**
     * Puts the number of the wait, which rises with each wait of that worker.
     *
     * @param waitNumber the number, 0 or more.
     * @return this.
     */
    public WaitFlyweight waitNumber(final long waitNumber) {
        putLong(WAIT_NUMBER_OFFSET, waitNumber);
        return this;
    }

    /**
     * How long the push has waited already.
     *
     * @return nanoseconds, 0 or more.
     */
    public long waitedNs() {
        return getLong(WAITED_NS_OFFSET);
    }

    /**
     * Puts how long the push has waited already.
     *
     * @param waitedNs nanoseconds, 0 or more.
     * @return this.
     */
    public WaitFlyweight waitedNs(final long waitedNs) {
        putLong(WAITED_NS_OFFSET, waitedNs);
        return this;
    }

    /**
     * How much credit the push waits for.
     *
     * @return bytes, 0 or more.
     */
    public long bytesWanted() {
        return getLong(BYTES_WANTED_OFFSET);
    }

    /**
     * Puts how much credit the push waits for.
     *
     * @param bytesWanted bytes, 0 or more.
     * @return this.
     */
    public WaitFlyweight bytesWanted(final long bytesWanted) {
        putLong(BYTES_WANTED_OFFSET, bytesWanted);
        return this;
    }

    /**
     * Whether the push still waits.
     *
     * @return the constant, or null if the number is outside the closed set.
     */
    public WaitState state() {
        return WaitState.of(getInt(STATE_OFFSET));
    }

    /**
     * Puts whether the push still waits.
     *
     * @param state the constant.
     * @return this.
     */
    public WaitFlyweight state(final WaitState state) {
        putInt(STATE_OFFSET, state.number());
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
        final boolean isSound = waitNumber() >= 0 && waitedNs() >= 0 && bytesWanted() >= 0 && state() != null;
        return isSound ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.WAIT;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" waitNumber=")
                .append(waitNumber())
                .append(" waitedNs=")
                .append(waitedNs())
                .append(" bytesWanted=")
                .append(bytesWanted())
                .append(" state=")
                .append(getInt(STATE_OFFSET));
    }
}
