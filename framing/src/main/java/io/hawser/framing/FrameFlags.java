package io.hawser.framing;

/**
 * The flag bits of a frame header, an unsigned 16-bit field.
 *
 * <p>Which bits a type may carry is {@link FrameType#allowedFlags()}; any other bit is a violation.
 *
 * <p><em>Threading:</em> constants only.
 */
public final class FrameFlags {

    /** DATA: the frame begins at a message boundary. */
    public static final int BEGIN = 1;

    /** DATA: the frame ends at a message boundary. */
    public static final int END = 1 << 1;

    /** The payload check is present. Every type but DATA sets it; DATA sets it if payload checks were agreed. */
    public static final int CHECKED = 1 << 2;

    /** HANGUP: the second and last one, which confirms that what the peer sent has arrived whole. */
    public static final int CONFIRM = 1 << 3;

    /** HELLO: the acceptor's answer. */
    public static final int REPLY = 1 << 4;

    /**
     * DATA with BEGIN and END: nothing more comes on this lane, that is from this source to these targets on this
     * channel. Only with this flag the payload may be empty.
     */
    public static final int LAST = 1 << 5;

    /** DATA: the payload is a row of whole messages, each a record. */
    public static final int RECORDS = BEGIN | END;

    private FrameFlags() {}

    /**
     * Whether a DATA frame holds records rather than a fragment of one message.
     *
     * @param flags of the frame.
     * @return true if both BEGIN and END are set.
     */
    public static boolean isRecords(final int flags) {
        return (flags & RECORDS) == RECORDS;
    }

    /**
     * Whether a DATA frame is the last of its lane.
     *
     * @param flags of the frame.
     * @return true if LAST is set.
     */
    public static boolean isLast(final int flags) {
        return (flags & LAST) != 0;
    }

    /**
     * Whether the payload check is present.
     *
     * @param flags of the frame.
     * @return true if CHECKED is set.
     */
    public static boolean isChecked(final int flags) {
        return (flags & CHECKED) != 0;
    }
}
