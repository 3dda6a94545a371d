package io.hawser.transport;

import org.agrona.MutableDirectBuffer;

/**
 * Gives a DATA frame its place in the stream: the send half of a session, as the send rings see it.
 *
 * <p><em>Threading:</em> called by the holder of the sending half.
 */
@FunctionalInterface
interface FrameSealer {
    /**
     * Fills in sequence and header check, and counts the frame towards the totals of HANGUP. Called once for each frame, in the order of the
     * stream; from then on the frame has to be sent.
     *
     * @param buffer       that holds the frame
     * @param offset       of the frame
     * @param frameLength  header and payload in bytes, without the padding
     * @param payloadCheck computed already, while the bytes were hot; 0 if the frame is not CHECKED
     */
    void seal(MutableDirectBuffer buffer, int offset, int frameLength, int payloadCheck);
}
