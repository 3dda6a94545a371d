package io.hawser.framing;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;

/**
 * Judges whether a whole valid frame lies at an offset; the mirror image of {@link FrameEncoder}.
 *
 * <p>Nothing in a header is believed, its length least of all, before the header's own check has been verified. Then
 * come version, type, flags, length and addresses; once the frame is whole, its payload check, its padding, and what
 * the payload holds. After that every getter of {@link FrameHeaderFlyweight} and of the payload flyweights can be
 * trusted. The order is always the same, so equal bytes always give the same verdict.
 *
 * <p>A decoder starts in greeting mode: only HELLO and REFUSE are legal, none is longer than 2,048 bytes, and the
 * first 8 bytes are enough to turn away whatever cannot be the start of one. {@link #agreed} leaves it.
 *
 * <p>The records of a DATA frame are walked only if {@link #recordWalk} asks for it, as the walk touches every cache
 * line of a payload and this is the hot path. Without it the worker that reads the records judges them, in the same
 * pass that it makes anyway: {@link RecordIterator} never leaves the payload and tells the same fault.
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a decoder. It keeps no bytes between calls.
 */
public final class FrameDecoder {

    private static final int GREETING_START_LENGTH = FrameHeaderFlyweight.SCOPE_ID_OFFSET;

    private final Crc32cCheck check = new Crc32cCheck();
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private final HeaderRules headerRules = new HeaderRules();
    private final PayloadRules payloadRules = new PayloadRules();
    private int requiredLength = HEADER_LENGTH;

    /** Creates a decoder in greeting mode. */
    public FrameDecoder() {}

    /**
     * Back to greeting mode: only HELLO and REFUSE are legal.
     *
     * @return this.
     */
    public FrameDecoder greeting() {
        headerRules.greeting();
        return this;
    }

    /**
     * Leaves greeting mode: all types are legal here (which of them the state of the session allows is not this
     * class's to judge).
     *
     * @param frameLimit the agreed length limit of DATA and GO, {@link FrameType#FRAME_LIMIT_MIN} to
     *     {@link FrameType#FRAME_LIMIT_MAX}.
     * @param isPayloadChecked whether payload checks were agreed for DATA. Every other type has them always.
     * @return this.
     * @throws IllegalArgumentException if the limit is out of range.
     */
    public FrameDecoder agreed(final int frameLimit, final boolean isPayloadChecked) {
        headerRules.agreed(frameLimit, isPayloadChecked);
        return this;
    }

    /**
     * Whether to walk the records of DATA frames. Off at first.
     *
     * @param isRecordWalk true to judge every record here.
     * @return this.
     */
    public FrameDecoder recordWalk(final boolean isRecordWalk) {
        payloadRules.recordWalk(isRecordWalk);
        return this;
    }

    /**
     * Judges what lies at an offset.
     *
     * @param buffer that holds the bytes.
     * @param offset of the frame's first byte.
     * @param limit behind the last byte that there is.
     * @return the aligned length of the frame if a whole valid one lies there; 0 if it is not whole yet, then
     *     {@link #requiredLength} tells how far to read; or the negative code of a {@link FrameFault}.
     */
    public int decode(final DirectBuffer buffer, final int offset, final int limit) {
        final int available = limit - offset;
        if (headerRules.isGreeting()) {
            if (available < GREETING_START_LENGTH) {
                requiredLength = GREETING_START_LENGTH;
                return 0;
            }
            if (!headerRules.isGreetingStart(buffer, offset)) {
                return FrameFault.NOT_GREETING.code();
            }
        }
        if (available < HEADER_LENGTH) {
            requiredLength = HEADER_LENGTH;
            return 0;
        }
        final FrameFault headerFault = judgeHeader(buffer, offset);
        if (headerFault != FrameFault.NONE) {
            return headerFault.code();
        }
        requiredLength = header.alignedLength();
        if (available < requiredLength) {
            return 0;
        }
        final FrameFault payloadFault = judgePayload(buffer, offset);
        return payloadFault == FrameFault.NONE ? requiredLength : payloadFault.code();
    }

    /**
     * How many bytes from the frame's first one the last {@link #decode} needs, all told: in greeting mode 8, then a
     * header as long as that is not verified, then the aligned length of the frame, which is within the limit of its
     * type.
     *
     * @return bytes.
     */
    public int requiredLength() {
        return requiredLength;
    }

    /**
     * Says what is wrong, with the values that are.
     *
     * @param fault that {@link #decode} found.
     * @param buffer that holds the bytes.
     * @param offset of the frame's first byte.
     * @param limit behind the last byte that there is.
     * @return one line such as "frame length 2147483647 exceeds limit 1024".
     */
    public String describe(final FrameFault fault, final DirectBuffer buffer, final int offset, final int limit) {
        return new FaultText(header, headerRules, payloadRules, check).describe(fault, buffer, offset, limit);
    }

    private FrameFault judgeHeader(final DirectBuffer buffer, final int offset) {
        header.wrap(buffer, offset);
        if (check.compute(buffer, offset, FrameHeaderFlyweight.HEADER_CHECK_OFFSET) != header.headerCheck()) {
            return FrameFault.BAD_HEADER_CHECK;
        }
        return headerRules.judge(header);
    }

    private FrameFault judgePayload(final DirectBuffer buffer, final int offset) {
        final int flags = header.flags();
        final int payloadOffset = offset + HEADER_LENGTH;
        final int computed =
                FrameFlags.isChecked(flags) ? check.compute(buffer, payloadOffset, requiredLength - HEADER_LENGTH) : 0;
        if (computed != header.payloadCheck()) {
            return FrameFault.BAD_PAYLOAD_CHECK;
        }
        if (!isPaddingZero(buffer, offset)) {
            return FrameFault.BAD_PADDING;
        }
        return payloadRules.judge(header.type(), flags, buffer, payloadOffset, header.payloadLength());
    }

    private boolean isPaddingZero(final DirectBuffer buffer, final int offset) {
        final int padding = requiredLength - header.frameLength();
        if (padding == 0) {
            return true;
        }
        final long last = buffer.getLong(offset + requiredLength - Long.BYTES, LITTLE_ENDIAN);
        return last >>> (Long.SIZE - padding * Byte.SIZE) == 0;
    }
}
