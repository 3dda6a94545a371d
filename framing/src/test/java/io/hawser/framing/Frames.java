package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Frames to decode: good ones, and ones bent on purpose whose checks are right all the same. */
final class Frames {

    static final int FRAME_LIMIT = 1 << 20;

    private Frames() {}

    static UnsafeBuffer golden(final String name) {
        return new UnsafeBuffer(GoldenVectors.named(name).encode());
    }

    /** A DATA frame with one record. */
    static byte[] record(final long sequence, final byte[] message) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[message.length + 64]);
        final FrameEncoder encoder = new FrameEncoder();
        final int payloadOffset = encoder.data(buffer, 0, FrameFlags.RECORDS | FrameFlags.CHECKED);
        encoder.header().channelId(1).sourceWorker(0).targets(1, 1);
        final int end = RecordDescriptor.put(buffer, payloadOffset, new UnsafeBuffer(message), 0, message.length);
        final int alignedLength = encoder.end(end - payloadOffset);
        encoder.seal(buffer, 0, sequence);
        final byte[] frame = new byte[alignedLength];
        buffer.getBytes(0, frame);
        return frame;
    }

    /** A HELLO whose texts are as given. */
    static UnsafeBuffer hello(final String clusterId, final String hostName, final String address) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);
        final UnsafeBuffer sample = golden("HELLO");
        final FrameEncoder encoder = new FrameEncoder();
        final HelloFlyweight hello = encoder.hello(buffer, 0, false);
        buffer.putBytes(FrameHeaderFlyweight.HEADER_LENGTH, sample, 48, HelloFlyweight.FIXED_LENGTH);
        hello.texts(clusterId, hostName, address);
        final int alignedLength = encoder.end();
        encoder.seal(buffer, 0, 0);
        return new UnsafeBuffer(buffer, 0, alignedLength);
    }

    /** Makes the checks right again after bytes were changed, whatever the header now says. */
    static UnsafeBuffer reseal(final UnsafeBuffer frame) {
        final Crc32cCheck check = new Crc32cCheck();
        final FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(frame, 0);
        header.payloadCheck(header.hasFlags(FrameFlags.CHECKED) ? check.compute(frame, 48, frame.capacity() - 48) : 0);
        header.headerCheck(check.compute(frame, 0, FrameHeaderFlyweight.HEADER_CHECK_OFFSET));
        return frame;
    }

    static UnsafeBuffer withByte(final String name, final int offset, final int value) {
        final UnsafeBuffer frame = golden(name);
        frame.putByte(offset, (byte) value);
        return reseal(frame);
    }

    static UnsafeBuffer withShort(final String name, final int offset, final int value) {
        final UnsafeBuffer frame = golden(name);
        frame.putShort(offset, (short) value, LITTLE_ENDIAN);
        return reseal(frame);
    }

    static UnsafeBuffer withInt(final String name, final int offset, final int value) {
        final UnsafeBuffer frame = golden(name);
        frame.putInt(offset, value, LITTLE_ENDIAN);
        return reseal(frame);
    }

    static UnsafeBuffer withLong(final String name, final int offset, final long value) {
        final UnsafeBuffer frame = golden(name);
        frame.putLong(offset, value, LITTLE_ENDIAN);
        return reseal(frame);
    }

    static FrameDecoder decoder() {
        return new FrameDecoder().agreed(FRAME_LIMIT, true).recordWalk(true);
    }

    static FrameFault judge(final UnsafeBuffer frame) {
        return FrameFault.of(decoder().decode(frame, 0, frame.capacity()));
    }

    static String describe(final FrameDecoder decoder, final UnsafeBuffer frame) {
        final FrameFault fault = FrameFault.of(decoder.decode(frame, 0, frame.capacity()));
        return decoder.describe(fault, frame, 0, frame.capacity());
    }

    static byte[] concat(final List<byte[]> parts) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    static byte[] utf8(final String text) {
        return text.getBytes(UTF_8);
    }
}
