package io.hawser.framing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * One field of a golden vector as PROTOCOL.md shows it: a name, the bytes it takes, and how to say its value in
 * words.
 */
record WireField(String name, Kind kind, int length) {

    enum Kind {
        NUMBER,
        TYPE,
        FLAGS,
        HEX,
        BYTES,
        TEXT
    }

    private static final String[] FLAG_NAMES = {"BEGIN", "END", "CHECKED", "CONFIRM", "REPLY", "LAST"};

    static WireField number(final String name, final int length) {
        return new WireField(name, Kind.NUMBER, length);
    }

    static WireField hex(final String name, final int length) {
        return new WireField(name, Kind.HEX, length);
    }

    static WireField text(final String name, final int length) {
        return new WireField(name, Kind.TEXT, length);
    }

    static WireField bytes(final String name, final int length) {
        return new WireField(name, Kind.BYTES, length);
    }

    /** The field and its value in words, read from the bytes themselves and not through a flyweight. */
    String words(final byte[] frame, final int offset) {
        final ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        return switch (kind) {
            case NUMBER -> name + " = " + value(bytes, offset);
            case TYPE -> name + " = " + value(bytes, offset) + ", " + FrameType.of(bytes.get(offset));
            case FLAGS -> name + " = " + value(bytes, offset) + flagNames(bytes.getShort(offset));
            case HEX -> name + " = 0x" + hex(bytes, offset);
            case TEXT -> name + " = \"" + new String(frame, offset, length, StandardCharsets.UTF_8) + "\"";
            case BYTES -> name;
        };
    }

    private String hex(final ByteBuffer bytes, final int offset) {
        final String digits =
                Long.toHexString(length == 8 ? bytes.getLong(offset) : bytes.getInt(offset) & 0xFFFF_FFFFL);
        return "0".repeat(2 * length - digits.length()) + digits;
    }

    private static String flagNames(final int flags) {
        final StringBuilder names = new StringBuilder();
        for (int bit = 0; bit < FLAG_NAMES.length; bit++) {
            if ((flags & 1 << bit) != 0) {
                names.append(names.isEmpty() ? ", " : " ").append(FLAG_NAMES[bit]);
            }
        }
        return names.toString();
    }

    private long value(final ByteBuffer bytes, final int offset) {
        return switch (length) {
            case 1 -> bytes.get(offset) & 0xFF;
            case 2 -> bytes.getShort(offset) & 0xFFFF;
            case 4 -> bytes.getInt(offset);
            case 8 -> bytes.getLong(offset);
            default -> throw new IllegalArgumentException("no number of this length: length=" + length);
        };
    }
}
