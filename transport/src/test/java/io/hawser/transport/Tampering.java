package io.hawser.transport;

import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What only the totals can find: a DATA frame is taken out of a stream, and all behind it are numbered and sealed anew. It stands
 * for a sender or a receiver that drops a message by mistake.
 */
final class Tampering {
    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private boolean hasTaken;

    boolean hasTaken() {
        return hasTaken;
    }

    /** Takes one whole frame and returns what goes on. */
    byte[] pass(byte[] frame) {
        UnsafeBuffer buffer = new UnsafeBuffer(frame);
        header.wrap(buffer, 0);
        if (hasTaken) {
            encoder.seal(buffer, 0, header.sequence() - 1);
            return frame;
        }
        hasTaken = header.type() == FrameType.DATA;
        return hasTaken ? new byte[0] : frame;
    }
}
