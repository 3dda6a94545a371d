package io.hawser.transport;

import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import java.io.ByteArrayOutputStream;
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

    /** Takes whole frames and returns what goes on. */
    byte[] pass(byte[] frames) {
        UnsafeBuffer buffer = new UnsafeBuffer(frames);
        ByteArrayOutputStream out = new ByteArrayOutputStream(frames.length);
        for (int at = 0; at < frames.length; at += header.alignedLength()) {
            header.wrap(buffer, at);
            if (hasTaken) {
                encoder.seal(buffer, at, header.sequence() - 1);
            }
            if (!hasTaken && header.type() == FrameType.DATA) {
                hasTaken = true;
            } else {
                out.write(frames, at, header.alignedLength());
            }
        }
        return out.toByteArray();
    }
}
