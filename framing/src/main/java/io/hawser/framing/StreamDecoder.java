package io.hawser.framing;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decodes a stream of frames that arrives in any pieces.
 *
 * <p>A frame that lies whole in the piece fed is handed out where it lies. Only a frame that straddles pieces is
 * copied, into a buffer of this class, which grows to the frame's length only after the header has been verified; the
 * agreed limit bounds it.
 *
 * <pre>
 *  fed:     |....frame....|....frame....|..fra|  |me..|....frame....|
 *            in place      in place      copied        in place
 * </pre>
 *
 * <p>The first fault ends the stream: nothing is delivered after it, and every later feed returns it again.
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns it.
 */
public final class StreamDecoder {

    private static final int INITIAL_CAPACITY = 2_048;

    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private final UnsafeBuffer partial = new UnsafeBuffer(new byte[INITIAL_CAPACITY]);
    private final FrameDecoder decoder;
    private int partialLength;
    private int requiredLength = HEADER_LENGTH;
    private long frameOffset;
    private FrameFault fault = FrameFault.NONE;
    private String faultText = FrameFault.NONE.text();

    /**
     * Creates a decoder at the start of a stream.
     *
     * @param decoder that judges the frames; whoever feeds may change its mode between frames.
     */
    public StreamDecoder(final FrameDecoder decoder) {
        this.decoder = decoder;
    }

    /**
     * Takes the next bytes of the stream. All of them are taken; whoever feeds may reuse them at once.
     *
     * @param chunk that holds the bytes.
     * @param offset of the first one.
     * @param length of the bytes, 0 or more.
     * @param handler that gets each frame that is whole now.
     * @return {@link FrameFault#NONE}, or the fault at which the stream has ended.
     */
    public FrameFault feed(final DirectBuffer chunk, final int offset, final int length, final FrameHandler handler) {
        chunk.boundsCheck(offset, length);
        final int end = offset + length;
        int position = offset;
        while (position < end && fault == FrameFault.NONE) {
            position += partialLength == 0
                    ? takeInPlace(chunk, position, end, handler)
                    : takePartial(chunk, position, end, handler);
        }
        return fault;
    }

    /**
     * Where the current frame starts: the one being handed out, else the one not yet whole, or the one at fault.
     *
     * @return bytes from the start of the stream.
     */
    public long frameOffset() {
        return frameOffset;
    }

    /**
     * The bytes of a frame that is not yet whole. Not 0 at the end of a stream means that the stream was cut inside a
     * frame.
     *
     * @return bytes kept.
     */
    public int partialLength() {
        return partialLength;
    }

    /**
     * The fault at which the stream has ended.
     *
     * @return the fault, or {@link FrameFault#NONE}.
     */
    public FrameFault fault() {
        return fault;
    }

    /**
     * What was wrong, with the values that were and the place in the stream.
     *
     * @return one line for messages.
     */
    public String faultText() {
        return faultText;
    }

    private int takeInPlace(final DirectBuffer chunk, final int position, final int end, final FrameHandler handler) {
        final int result = decoder.decode(chunk, position, end);
        if (result > 0) {
            deliver(chunk, position, result, handler);
            return result;
        }
        if (result < 0) {
            fail(result, chunk, position, end);
        } else {
            require(decoder.requiredLength());
            keep(chunk, position, end - position);
        }
        return end - position;
    }

    private int takePartial(final DirectBuffer chunk, final int position, final int end, final FrameHandler handler) {
        final int taken = Math.min(requiredLength - partialLength, end - position);
        keep(chunk, position, taken);
        if (partialLength == requiredLength) {
            judgePartial(handler);
        }
        return taken;
    }

    private void judgePartial(final FrameHandler handler) {
        final int result = decoder.decode(partial, 0, partialLength);
        if (result < 0) {
            fail(result, partial, 0, partialLength);
        } else if (result == 0) {
            require(decoder.requiredLength());
        } else {
            partialLength = 0;
            deliver(partial, 0, result, handler);
        }
    }

    private void keep(final DirectBuffer chunk, final int position, final int length) {
        partial.putBytes(partialLength, chunk, position, length);
        partialLength += length;
    }

    private void require(final int length) {
        requiredLength = length;
        if (length > partial.capacity()) {
            final byte[] grown = new byte[BitUtil.findNextPositivePowerOfTwo(length)];
            partial.getBytes(0, grown, 0, partialLength);
            partial.wrap(grown);
        }
    }

    private void deliver(
            final DirectBuffer buffer, final int offset, final int alignedLength, final FrameHandler handler) {
        header.wrap(buffer, offset);
        handler.onFrame(header, buffer, offset + HEADER_LENGTH, header.payloadLength());
        frameOffset += alignedLength;
    }

    private void fail(final int code, final DirectBuffer buffer, final int offset, final int limit) {
        fault = FrameFault.of(code);
        faultText = decoder.describe(fault, buffer, offset, limit) + " at stream offset " + frameOffset;
    }
}
