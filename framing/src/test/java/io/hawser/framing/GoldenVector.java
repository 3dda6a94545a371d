package io.hawser.framing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToIntBiFunction;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A frame with known content: how to encode it, what its bytes are called, and what a decoder has to read from it.
 *
 * @param name heads its block in PROTOCOL.md.
 * @param sequence under which it is sealed.
 * @param encoding puts it at offset 0 of a buffer and returns the aligned length.
 * @param payload names the fields behind the header, up to the frame length.
 * @param expectation checks what the flyweights read.
 */
record GoldenVector(
        String name,
        long sequence,
        ToIntBiFunction<FrameEncoder, UnsafeBuffer> encoding,
        List<WireField> payload,
        BiConsumer<FrameHeaderFlyweight, UnsafeBuffer> expectation) {

    private static final int BYTES_PER_LINE = 8;
    private static final int HEX_WIDTH = 3 * BYTES_PER_LINE;

    /** The whole sealed frame, encoded into memory full of rubbish, so that whatever is not written shows. */
    byte[] encode() {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8_192]);
        buffer.setMemory(0, buffer.capacity(), (byte) 0xA5);
        final FrameEncoder encoder = new FrameEncoder();
        final int alignedLength = encoding.applyAsInt(encoder, buffer);
        encoder.seal(buffer, 0, sequence);
        final byte[] frame = new byte[alignedLength];
        buffer.getBytes(0, frame);
        return frame;
    }

    /** A decoder to which this frame is legal. */
    FrameDecoder decoder() {
        return new FrameDecoder().agreed(1 << 20, isChecked()).recordWalk(true);
    }

    boolean isChecked() {
        return !name.contains("unchecked");
    }

    /** The block as it stands in PROTOCOL.md, from the bytes: offset, hex, field and value. */
    String render(final byte[] frame) {
        final StringBuilder block = new StringBuilder("```hex " + name + "\n");
        int offset = 0;
        for (final WireField field : fields(frame.length)) {
            renderField(block, frame, offset, field);
            offset += field.length();
        }
        if (offset != frame.length) {
            throw new IllegalStateException("layout of " + name + " covers " + offset + " bytes of " + frame.length);
        }
        return block.append("```\n").toString();
    }

    private List<WireField> fields(final int alignedLength) {
        final List<WireField> fields = new ArrayList<>(List.of(
                WireField.number("frame length", 4),
                WireField.number("version", 1),
                new WireField("type", WireField.Kind.TYPE, 1),
                new WireField("flags", WireField.Kind.FLAGS, 2),
                WireField.number("scope id", 8),
                WireField.number("sequence", 8),
                WireField.number("channel id", 4),
                WireField.number("source worker", 4),
                WireField.number("first target worker", 4),
                WireField.number("target worker count", 4),
                WireField.hex("payload check", 4),
                WireField.hex("header check", 4)));
        fields.addAll(payload);
        final int used = fields.stream().mapToInt(WireField::length).sum();
        if (used < alignedLength) {
            fields.add(WireField.bytes("padding", alignedLength - used));
        }
        return fields;
    }

    private static void renderField(
            final StringBuilder block, final byte[] frame, final int offset, final WireField field) {
        for (int done = 0; done < field.length(); done += BYTES_PER_LINE) {
            final StringBuilder hex = new StringBuilder();
            for (int i = done; i < Math.min(field.length(), done + BYTES_PER_LINE); i++) {
                hex.append(Character.forDigit(frame[offset + i] >> 4 & 0xF, 16))
                        .append(Character.forDigit(frame[offset + i] & 0xF, 16))
                        .append(' ');
            }
            final String at = String.valueOf(offset + done);
            block.append(" ".repeat(4 - at.length())).append(at).append(" | ");
            block.append(hex).append(" ".repeat(HEX_WIDTH - hex.length())).append('|');
            block.append(done == 0 ? " " + field.words(frame, offset) : "").append('\n');
        }
    }
}
