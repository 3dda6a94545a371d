package io.hawser.tests.harness;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * One frame, written byte by byte from PROTOCOL.md and from nothing else: a second, independent implementation, which can
 * also put wrong things into every field under right checks.
 *
 * <p><em>Threading:</em> not thread-safe.
 */
public final class RawFrame {
    // the numbers of the types
    public static final int HELLO = 1;

    public static final int READY = 2;

    public static final int DATA = 3;

    public static final int HEARTBEAT = 4;

    public static final int CREDIT = 5;

    public static final int HANGUP = 6;

    public static final int ABORT = 7;

    public static final int REFUSE = 8;

    /** The flags of DATA that carries whole records, checked. */
    public static final int RECORDS = 7;

    /** The flag of a payload that is checked. */
    public static final int CHECKED = 4;

    /** The flag of the second HANGUP. */
    public static final int CONFIRM = 8;

    /** The flag of an acceptor's HELLO. */
    public static final int REPLY = 16;

    /** Bytes of the header. */
    public static final int HEADER_LENGTH = 48;

    private static final int HEADER_CHECKED_LENGTH = 44;
    private static final int PAYLOAD_CHECK_OFFSET = 40;

    private int type;
    private int version = 1;
    private int flags = CHECKED;
    private long scope;
    private long sequence;
    private int channel = -1;
    private int source = -1;
    private int firstTarget = -1;
    private int targetCount;
    private byte[] payload = {};
    private Integer length;
    private int headerCheckMask;

    private RawFrame(final int type) {
        this.type = type;
    }

    /** A frame of one type, legal as far as possible. */
    public static RawFrame of(final int type) {
        return new RawFrame(type);
    }

    /** A DATA frame with one record. */
    public static RawFrame data(final int channel, final int source, final int target, final byte[] message) {
        final RawFrame frame = of(DATA).flags(RECORDS).payload(record(message));
        frame.channel = channel;
        frame.source = source;
        frame.firstTarget = target;
        frame.targetCount = 1;
        return frame;
    }

    /** A HANGUP with totals. */
    public static RawFrame hangUp(
            final long framesSent, final long bytesSent, final long framesReceived, final long bytesReceived) {
        return of(HANGUP)
                .payload(little(32)
                        .putLong(framesSent)
                        .putLong(bytesSent)
                        .putLong(framesReceived)
                        .putLong(bytesReceived)
                        .array());
    }

    /** A READY. */
    public static RawFrame ready(final long generation, final long receiverNonce) {
        return of(READY)
                .payload(little(16).putLong(generation).putLong(receiverNonce).array());
    }

    /** A HEARTBEAT that tells of no workers. */
    public static RawFrame heartbeat() {
        return of(HEARTBEAT).payload(little(48).putLong(System.nanoTime()).array());
    }

    /** An ABORT with no texts but what was seen, ASCII. */
    public static RawFrame abort(
            final int kind, final int subject, final int observer, final long generation, final String seen) {
        final ByteBuffer bytes = little(64 + seen.length());
        bytes.putInt(kind).putInt(subject).putInt(-1).putInt(observer).putLong(generation);
        bytes.putLong(0).putLong(0).putLong(System.currentTimeMillis()).putLong(0);
        bytes.putShort((short) 0)
                .putShort((short) 0)
                .putShort((short) seen.length())
                .putShort((short) 0);
        for (int i = 0; i < seen.length(); i++) {
            bytes.put((byte) seen.charAt(i));
        }
        return of(ABORT).payload(bytes.array());
    }

    /** Replaces the type, a number outside of the table perhaps. */
    public RawFrame type(final int value) {
        type = value;
        return this;
    }

    /** Replaces the version. */
    public RawFrame version(final int value) {
        version = value;
        return this;
    }

    /** Replaces the flags. */
    public RawFrame flags(final int value) {
        flags = value;
        return this;
    }

    /** Replaces the scope. */
    public RawFrame scope(final long value) {
        scope = value;
        return this;
    }

    /** Replaces the sequence. */
    public RawFrame sequence(final long value) {
        sequence = value;
        return this;
    }

    /** Replaces the channel. */
    public RawFrame channel(final int value) {
        channel = value;
        return this;
    }

    /** Replaces the range of target workers. */
    public RawFrame targets(final int first, final int count) {
        firstTarget = first;
        targetCount = count;
        return this;
    }

    /** Replaces the source worker. */
    public RawFrame source(final int value) {
        source = value;
        return this;
    }

    /** Replaces the payload. */
    public RawFrame payload(final byte[] value) {
        payload = value;
        return this;
    }

    /** Lies about the length, under a right header check. */
    public RawFrame length(final int value) {
        length = value;
        return this;
    }

    /** Inverts bits of the header check. */
    public RawFrame spoilHeaderCheck(final int mask) {
        headerCheckMask = mask;
        return this;
    }

    /** The type. */
    public int type() {
        return type;
    }

    /** The flags. */
    public int flags() {
        return flags;
    }

    /** The sequence. */
    public long sequence() {
        return sequence;
    }

    /** The payload, little-endian. */
    public ByteBuffer payload() {
        return ByteBuffer.wrap(payload).order(LITTLE_ENDIAN);
    }

    /** The frame length that the header tells. */
    public int frameLength() {
        return length == null ? HEADER_LENGTH + payload.length : length;
    }

    /** The bytes of the frame with its padding. */
    public byte[] bytes() {
        final int padded = align8(HEADER_LENGTH + payload.length);
        final ByteBuffer bytes = little(padded);
        bytes.putInt(frameLength())
                .put((byte) version)
                .put((byte) type)
                .putShort((short) flags)
                .putLong(scope)
                .putLong(sequence)
                .putInt(channel)
                .putInt(source)
                .putInt(firstTarget)
                .putInt(targetCount);
        bytes.position(HEADER_LENGTH).put(payload);
        final int payloadCheck = (flags & CHECKED) == 0 ? 0 : crc(bytes.array(), HEADER_LENGTH, padded - HEADER_LENGTH);
        bytes.putInt(PAYLOAD_CHECK_OFFSET, payloadCheck);
        bytes.putInt(HEADER_CHECKED_LENGTH, crc(bytes.array(), 0, HEADER_CHECKED_LENGTH) ^ headerCheckMask);
        return bytes.array();
    }

    /** Reads one frame, and fails if one of its checks is wrong. */
    static RawFrame read(final DataInputStream in) throws IOException {
        final byte[] head = new byte[HEADER_LENGTH];
        in.readFully(head);
        final ByteBuffer header = ByteBuffer.wrap(head).order(LITTLE_ENDIAN);
        check("header", header.getInt(HEADER_CHECKED_LENGTH), crc(head, 0, HEADER_CHECKED_LENGTH));
        final RawFrame frame = of(head[5] & 0xFF);
        final byte[] body = new byte[align8(header.getInt(0)) - HEADER_LENGTH];
        in.readFully(body);
        frame.version = head[4] & 0xFF;
        frame.flags = header.getShort(6) & 0xFFFF;
        frame.scope = header.getLong(8);
        frame.sequence = header.getLong(16);
        frame.channel = header.getInt(24);
        frame.source = header.getInt(28);
        frame.firstTarget = header.getInt(32);
        frame.targetCount = header.getInt(36);
        frame.payload = Arrays.copyOf(body, header.getInt(0) - HEADER_LENGTH);
        if ((frame.flags & CHECKED) != 0) {
            check("payload", header.getInt(PAYLOAD_CHECK_OFFSET), crc(body, 0, body.length));
        }
        return frame;
    }

    /** One record of DATA: length, message, padding. */
    public static byte[] record(final byte[] message) {
        return little(Integer.BYTES + (message.length + 3) / 4 * 4)
                .putInt(message.length)
                .put(message)
                .array();
    }

    static ByteBuffer little(final int length) {
        return ByteBuffer.allocate(length).order(LITTLE_ENDIAN);
    }

    private static int align8(final int length) {
        return (length + 7) / 8 * 8;
    }

    private static int crc(final byte[] bytes, final int offset, final int length) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    private static void check(final String what, final int told, final int computed) {
        if (told != computed) {
            throw new AssertionError(what + " check is wrong: told=" + told + " computed=" + computed);
        }
    }

    @Override
    public String toString() {
        return "frame type=" + type + " flags=" + flags + " sequence=" + sequence + " channel=" + channel + " source="
                + source + " firstTarget=" + firstTarget + " targetCount=" + targetCount + " payloadLength="
                + payload.length;
    }
}
