package io.hawser.testkit;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;

import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Finds where frames start in one direction of a connection. Keeps 48 bytes, and believes no length before the check of its header has been verified; at the
 * first header that is not one it gives up, for good: what passes is no longer, or never was, a stream of frames.
 *
 * <pre>
 *   |header|......payload......|header|...payload...|head
 *   ^ start                    ^ start              ^ start, not judged yet
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; belongs to the thread of a {@link ProxyPipe} that writes.
 */
final class FrameFinder {
    /** Whether the frame that starts here is the one cannot be told yet: its header is not whole. */
    static final int UNDECIDED = -1;

    private final FrameDecoder decoder = new FrameDecoder();
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private final UnsafeBuffer judged = new UnsafeBuffer(new byte[HEADER_LENGTH]);
    private final long[] startedByType = new long[FrameType.values().length];
    private final Consumer<FrameType> onFrame;

    private long startedCount;
    private int headerLength;
    private int payloadLength;
    private boolean isGreeted;
    private boolean isLost;

    /** Tells of each frame whose header has passed. */
    FrameFinder(final Consumer<FrameType> onFrame) {
        this.onFrame = onFrame;
    }

    /**
     * How many of the bytes that come next lie before the frame that is sought, as far as can be told.
     *
     * @param type  of the frame, null for any
     * @param index how many frames of that type go before it in this stream, at least
     * @return 0 if it starts here; {@link #UNDECIDED}; else to be passed before asking again, 1 or more
     */
    int lengthBefore(
            final FrameType type, final long index, final byte[] bytes, final int offset, final int available) {
        if (isLost) {
            return available;
        }
        if (headerLength > 0) {
            return Math.min(available, HEADER_LENGTH - headerLength);
        }
        if (payloadLength > 0) {
            return Math.min(available, payloadLength);
        }
        if (type == null && startedCount >= index) {
            return 0;
        }
        final int alignedLength = judge(bytes, offset, Math.min(available, HEADER_LENGTH));
        if (alignedLength < 0) {
            return available;
        }
        if (alignedLength == 0) {
            return type == null ? available : UNDECIDED;
        }
        if (header.type() == type && startedByType[type.ordinal()] >= index) {
            return 0;
        }
        return Math.min(available, alignedLength);
    }

    /** Takes what has passed, in any pieces. */
    void passed(final byte[] bytes, final int offset, final int length) {
        final int end = offset + length;
        int position = offset;
        while (position < end && !isLost) {
            position += payloadLength > 0 ? skipPayload(end - position) : takeHeader(bytes, position, end - position);
        }
    }

    private int skipPayload(final int available) {
        final int skipped = Math.min(available, payloadLength);
        payloadLength -= skipped;
        return skipped;
    }

    private int takeHeader(final byte[] bytes, final int offset, final int available) {
        final int taken = Math.min(available, HEADER_LENGTH - headerLength);
        judged.putBytes(headerLength, bytes, offset, taken);
        headerLength += taken;
        final int alignedLength = decode(headerLength);
        if (alignedLength < 0) {
            isLost = true;
        } else if (headerLength == HEADER_LENGTH) {
            start(alignedLength);
        }
        return taken;
    }

    private void start(final int alignedLength) {
        final FrameType type = header.wrap(judged, 0).type();
        startedCount++;
        startedByType[type.ordinal()]++;
        headerLength = 0;
        payloadLength = alignedLength - HEADER_LENGTH;
        isGreeted = true;
        onFrame.accept(type);
    }

    private int judge(final byte[] bytes, final int offset, final int length) {
        judged.putBytes(0, bytes, offset, length);
        header.wrap(judged, 0);
        return decode(length);
    }

    /** The aligned length of the frame whose header this is, 0 if it is not whole, or negative. */
    private int decode(final int length) {
        if (!isGreeted) {
            return decode(decoder.greeting(), length);
        }
        // whether payload checks were agreed is not known here, and does not matter
        final int alignedLength = decode(decoder.agreed(FrameType.FRAME_LIMIT_MAX, true), length);
        return alignedLength == FrameFault.BAD_CHECKED_FLAG.code()
                ? decode(decoder.agreed(FrameType.FRAME_LIMIT_MAX, false), length)
                : alignedLength;
    }

    private int decode(final FrameDecoder inMode, final int length) {
        final int result = inMode.decode(judged, 0, length);
        return result == 0 && length == HEADER_LENGTH ? inMode.requiredLength() : result;
    }
}
