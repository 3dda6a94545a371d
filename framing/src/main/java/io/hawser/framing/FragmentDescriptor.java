package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The layout of fragments, the payloads of the DATA frames of one message that does not fit a frame.
 *
 * <p>The first fragment (BEGIN) starts with the length of the whole message; the middle ones (no flag) and the last
 * (END) hold message bytes only:
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                    message length (int64)                     |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                        message bytes                        ...   8
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>Every fragment holds at least one byte of the message, so the message is longer than what its first fragment
 * holds.
 *
 * <p><em>Threading:</em> static, stateless.
 */
public final class FragmentDescriptor {

    /** Bytes of the message length at the start of the first fragment. */
    public static final int PREFIX_LENGTH = Long.BYTES;

    private FragmentDescriptor() {}

    /**
     * Lays the message length at the start of the first fragment.
     *
     * @param buffer to write into.
     * @param payloadOffset of the fragment's payload.
     * @param messageLength of the whole message.
     * @return the offset at which the message's first bytes go.
     */
    public static int begin(final MutableDirectBuffer buffer, final int payloadOffset, final long messageLength) {
        buffer.putLong(payloadOffset, messageLength, LITTLE_ENDIAN);
        return payloadOffset + PREFIX_LENGTH;
    }

    /**
     * The length of the whole message, from its first fragment.
     *
     * @param buffer that holds the fragment.
     * @param payloadOffset of the fragment's payload.
     * @return bytes.
     */
    public static long messageLength(final DirectBuffer buffer, final int payloadOffset) {
        return buffer.getLong(payloadOffset, LITTLE_ENDIAN);
    }

    /**
     * Judges one fragment by itself. Whether the fragments of a message add up is for whoever joins them to judge.
     *
     * @param flags of the frame, not both BEGIN and END.
     * @param buffer that holds the payload.
     * @param offset of the payload's first byte.
     * @param length of the payload.
     * @return {@link FrameFault#NONE} or {@link FrameFault#BAD_FRAGMENT}.
     */
    public static FrameFault validate(final int flags, final DirectBuffer buffer, final int offset, final int length) {
        if ((flags & FrameFlags.BEGIN) == 0) {
            return length > 0 ? FrameFault.NONE : FrameFault.BAD_FRAGMENT;
        }
        final int messageBytes = length - PREFIX_LENGTH;
        final boolean isSound = messageBytes > 0 && messageLength(buffer, offset) > messageBytes;
        return isSound ? FrameFault.NONE : FrameFault.BAD_FRAGMENT;
    }
}
