package io.hawser.testkit;

import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameType;
import io.hawser.framing.HelloFlyweight;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The bytes of some frames in a row, and where each starts. Headers are right; what payloads say does not matter here. */
final class FrameStream {
    private static final int LONGEST = 1 << 17;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LONGEST]);
    private final FrameEncoder encoder = new FrameEncoder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Integer> starts = new ArrayList<>();
    private final List<FrameType> types = new ArrayList<>();

    /** One that starts as every connection does. */
    static FrameStream greeted() {
        final FrameStream stream = new FrameStream();
        stream.encoder.hello(stream.buffer, 0, false);
        return stream.end(FrameType.HELLO, HelloFlyweight.FIXED_LENGTH + 26);
    }

    FrameStream data(final int payloadLength, final boolean isChecked) {
        encoder.data(buffer, 0, FrameFlags.RECORDS | (isChecked ? FrameFlags.CHECKED : 0));
        encoder.header().channelId(1).sourceWorker(0).targets(1, 1);
        return end(FrameType.DATA, payloadLength);
    }

    /** Without payload, as only the last frame of a lane may be. */
    FrameStream lastData() {
        encoder.data(buffer, 0, FrameFlags.RECORDS | FrameFlags.LAST | FrameFlags.CHECKED);
        encoder.header().channelId(1).sourceWorker(0).targets(1, 1);
        return end(FrameType.DATA, 0);
    }

    FrameStream ready() {
        encoder.ready(buffer, 0).generation(1);
        return end(FrameType.READY, encoder.end() - 48);
    }

    private FrameStream end(final FrameType type, final int payloadLength) {
        if (type != FrameType.READY) {
            encoder.end(payloadLength);
        }
        encoder.seal(buffer, 0, types.size());
        final byte[] frame = new byte[48 + (payloadLength + 7 & -8)];
        buffer.getBytes(0, frame);
        starts.add(bytes.size());
        types.add(type);
        bytes.writeBytes(frame);
        return this;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    /** The offset of a frame. */
    int start(final int index) {
        return starts.get(index);
    }

    List<FrameType> types() {
        return List.copyOf(types);
    }
}
