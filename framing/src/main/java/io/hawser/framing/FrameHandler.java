package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * Receives the frames of a stream in their order.
 *
 * <p><em>Threading:</em> called on the thread that feeds the {@link StreamDecoder}.
 */
@FunctionalInterface
public interface FrameHandler {

    /**
     * Called for each whole valid frame. Header and buffer are valid during the call only. It may change what the
     * decoder accepts from the next frame on, such as after a HELLO.
     *
     * @param header of the frame.
     * @param buffer that holds the payload.
     * @param payloadOffset of the payload's first byte in the buffer.
     * @param payloadLength of the payload without the padding.
     */
    void onFrame(FrameHeaderFlyweight header, DirectBuffer buffer, int payloadOffset, int payloadLength);
}
