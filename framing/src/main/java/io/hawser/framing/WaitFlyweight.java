package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of WAIT: a push has been waiting for a while, a worker has not called the library for a while, or what was told is over.
 *
 * <p>In the header, channel is the channel, source the worker that waits, and the targets are the workers for whose
 * credit it waits, which may be of any process: the frame goes to every process, so that each can see a circle of
 * waits. Of a worker that is stalled the channel is -1, and the target the worker itself.
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
 * |          stack length         |          reserved, 0          |  28
 * +---------------------------------------------------------------+
 * |                            stack                           ...  32
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
    private static final int STACK_LENGTH_OFFSET = STATE_OFFSET + Integer.BYTES;
    private static final int RESERVED_OFFSET = STACK_LENGTH_OFFSET + Short.BYTES;

    /** Bytes of the fields that every WAIT has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Short.BYTES;

    /** The longest stack, in bytes. */
    public static final int STACK_LIMIT = 2_048;

    /** Bytes of the longest WAIT payload. */
    public static final int MAX_LENGTH = FIXED_LENGTH + STACK_LIMIT;

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
     * Whether the push still waits, or the worker is stalled.
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

    /**
     * Where the code of a worker that is stalled stands.
     *
     * @return the innermost call first, lines separated by LF; empty in any other state.
     */
    public String stack() {
        return getText(FIXED_LENGTH, stackLength());
    }

    /**
     * Puts where the code of a stalled worker stands, cut to {@link #STACK_LIMIT} bytes at a code-point boundary.
     *
     * @param stack the innermost call first, lines separated by LF.
     * @return this.
     */
    public WaitFlyweight stack(final CharSequence stack) {
        putText(STACK_LENGTH_OFFSET, FIXED_LENGTH, stack, STACK_LIMIT);
        return this;
    }

    private int stackLength() {
        return getUint16(STACK_LENGTH_OFFSET);
    }

    @Override
    public int payloadLength() {
        return FIXED_LENGTH + stackLength();
    }

    @Override
    public FrameFault validate() {
        if (!isWhole()) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (getUint16(RESERVED_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        final boolean isSound = waitNumber() >= 0
                && waitedNs() >= 0
                && bytesWanted() >= 0
                && state() != null
                && stackLength() <= (state() == WaitState.STALLED ? STACK_LIMIT : 0);
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
