package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A view of the header that every frame starts with, which owns nothing. Little-endian; frames start at multiples of 8.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                         frame length                          |   0
 * +---------------+---------------+-------------------------------+
 * |    version    |     type      |             flags             |   4
 * +---------------+---------------+-------------------------------+
 * |                           scope id                            |   8
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                           sequence                            |  16
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                          channel id                           |  24
 * +---------------------------------------------------------------+
 * |                         source worker                         |  28
 * +---------------------------------------------------------------+
 * |                      first target worker                      |  32
 * +---------------------------------------------------------------+
 * |                      target worker count                      |  36
 * +---------------------------------------------------------------+
 * |                         payload check                         |  40
 * +---------------------------------------------------------------+
 * |                         header check                          |  44
 * +---------------------------------------------------------------+
 * |                      payload, zero padded                   ...  48
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p>The getters believe what they read. Of received bytes only those count that {@link FrameDecoder} has let pass.
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time. All access is plain.
 */
public final class FrameHeaderFlyweight {

    /** The version of the layout; HELLO and REFUSE keep it for ever. */
    public static final int VERSION = 1;

    /** Every frame starts at a multiple of this many bytes of its stream. */
    public static final int FRAME_ALIGNMENT = 8;

    /** The channel id of a frame that belongs to no channel. */
    public static final int NO_CHANNEL = -1;

    /** The source or first target of a frame that comes from or goes to the process itself. */
    public static final int NO_WORKER = -1;

    static final int FRAME_LENGTH_OFFSET = 0;
    static final int VERSION_OFFSET = FRAME_LENGTH_OFFSET + Integer.BYTES;
    static final int TYPE_OFFSET = VERSION_OFFSET + Byte.BYTES;
    static final int FLAGS_OFFSET = TYPE_OFFSET + Byte.BYTES;
    static final int SCOPE_ID_OFFSET = FLAGS_OFFSET + Short.BYTES;
    static final int SEQUENCE_OFFSET = SCOPE_ID_OFFSET + Long.BYTES;
    static final int CHANNEL_ID_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    static final int SOURCE_WORKER_OFFSET = CHANNEL_ID_OFFSET + Integer.BYTES;
    static final int FIRST_TARGET_WORKER_OFFSET = SOURCE_WORKER_OFFSET + Integer.BYTES;
    static final int TARGET_WORKER_COUNT_OFFSET = FIRST_TARGET_WORKER_OFFSET + Integer.BYTES;
    static final int PAYLOAD_CHECK_OFFSET = TARGET_WORKER_COUNT_OFFSET + Integer.BYTES;
    static final int HEADER_CHECK_OFFSET = PAYLOAD_CHECK_OFFSET + Integer.BYTES;

    /** Bytes of a header; the offset of the payload in its frame. */
    public static final int HEADER_LENGTH = HEADER_CHECK_OFFSET + Integer.BYTES;

    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    /** Creates a flyweight that is not yet wrapped. */
    public FrameHeaderFlyweight() {}

    /**
     * The bytes that a frame occupies in its stream.
     *
     * @param frameLength of the frame, at most {@link FrameType#FRAME_LIMIT_MAX}.
     * @return the length, rounded up to a multiple of {@link #FRAME_ALIGNMENT}.
     */
    public static int alignedLength(final int frameLength) {
        return (frameLength + (FRAME_ALIGNMENT - 1)) & -FRAME_ALIGNMENT;
    }

    /**
     * Wraps the header of a frame.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame's first byte.
     * @return this.
     */
    public FrameHeaderFlyweight wrap(final DirectBuffer buffer, final int offset) {
        view.wrap(buffer, offset, HEADER_LENGTH);
        return this;
    }

    /**
     * The type of the frame.
     *
     * @return the type, or null if the number is outside the closed set, which it is not in a decoded frame.
     */
    public FrameType type() {
        return FrameType.of(typeNumber());
    }

    /**
     * Puts the type of the frame.
     *
     * @param type of the frame.
     * @return this.
     */
    public FrameHeaderFlyweight type(final FrameType type) {
        return typeNumber(type.number());
    }

    /**
     * The length of the payload, which follows the header.
     *
     * @return bytes, without the padding.
     */
    public int payloadLength() {
        return frameLength() - HEADER_LENGTH;
    }

    /**
     * The bytes that the frame occupies in its stream.
     *
     * @return bytes, a multiple of {@link #FRAME_ALIGNMENT}.
     */
    public int alignedLength() {
        return alignedLength(frameLength());
    }

    /**
     * Whether all bits of a mask are set in the flags.
     *
     * @param mask of {@link FrameFlags}.
     * @return true if they are.
     */
    public boolean hasFlags(final int mask) {
        return (flags() & mask) == mask;
    }

    /**
     * Puts the range of workers to which the frame goes.
     *
     * @param firstWorker global index of the first, {@link #NO_WORKER} for the process itself.
     * @param count of workers, 0 for the process itself.
     * @return this.
     */
    public FrameHeaderFlyweight targets(final int firstWorker, final int count) {
        return firstTargetWorker(firstWorker).targetWorkerCount(count);
    }

    /** The header in one line, for messages. */
    @Override
    public String toString() {
        if (view.capacity() == 0) {
            return "header (not wrapped)";
        }
        return (type() == null ? "type " + typeNumber() : type().name())
                + " frameLength=" + frameLength()
                + " flags=0x" + Integer.toHexString(flags())
                + " scopeId=" + scopeId()
                + " sequence=" + sequence()
                + " channelId=" + channelId()
                + " sourceWorker=" + sourceWorker()
                + " firstTargetWorker=" + firstTargetWorker()
                + " targetWorkerCount=" + targetWorkerCount();
    }

    /**
     * The length of header and payload without the padding.
     *
     * @return bytes.
     */
    public int frameLength() {
        return view.getInt(FRAME_LENGTH_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the length of header and payload without the padding.
     *
     * @param frameLength bytes.
     * @return this.
     */
    public FrameHeaderFlyweight frameLength(final int frameLength) {
        view.putInt(FRAME_LENGTH_OFFSET, frameLength, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The version of the layout.
     *
     * @return 1 in a decoded frame.
     */
    public int version() {
        return view.getByte(VERSION_OFFSET) & 0xFF;
    }

    /**
     * Puts the version of the layout.
     *
     * @param version 1 in a decoded frame.
     * @return this.
     */
    public FrameHeaderFlyweight version(final int version) {
        view.putByte(VERSION_OFFSET, (byte) version);
        return this;
    }

    /**
     * The number of the type.
     *
     * @return 0 to 255.
     */
    public int typeNumber() {
        return view.getByte(TYPE_OFFSET) & 0xFF;
    }

    /**
     * Puts the number of the type.
     *
     * @param typeNumber 0 to 255.
     * @return this.
     */
    public FrameHeaderFlyweight typeNumber(final int typeNumber) {
        view.putByte(TYPE_OFFSET, (byte) typeNumber);
        return this;
    }

    /**
     * The flags.
     *
     * @return a set of {@link FrameFlags}.
     */
    public int flags() {
        return view.getShort(FLAGS_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * Puts the flags.
     *
     * @param flags a set of {@link FrameFlags}.
     * @return this.
     */
    public FrameHeaderFlyweight flags(final int flags) {
        view.putShort(FLAGS_OFFSET, (short) flags, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The dataflow that the frame belongs to.
     *
     * @return the id, 0 for the cluster itself.
     */
    public long scopeId() {
        return view.getLong(SCOPE_ID_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the dataflow that the frame belongs to.
     *
     * @param scopeId the id, 0 for the cluster itself.
     * @return this.
     */
    public FrameHeaderFlyweight scopeId(final long scopeId) {
        view.putLong(SCOPE_ID_OFFSET, scopeId, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The count of frames that went before on this direction of the connection.
     *
     * @return the count, 0 for the first frame.
     */
    public long sequence() {
        return view.getLong(SEQUENCE_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the count of frames that went before on this direction of the connection.
     *
     * @param sequence the count, 0 for the first frame.
     * @return this.
     */
    public FrameHeaderFlyweight sequence(final long sequence) {
        view.putLong(SEQUENCE_OFFSET, sequence, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The channel.
     *
     * @return 0 or more, or {@link #NO_CHANNEL}.
     */
    public int channelId() {
        return view.getInt(CHANNEL_ID_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the channel.
     *
     * @param channelId 0 or more, or {@link #NO_CHANNEL}.
     * @return this.
     */
    public FrameHeaderFlyweight channelId(final int channelId) {
        view.putInt(CHANNEL_ID_OFFSET, channelId, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The global index of the sending worker.
     *
     * @return the index, or {@link #NO_WORKER}.
     */
    public int sourceWorker() {
        return view.getInt(SOURCE_WORKER_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the global index of the sending worker.
     *
     * @param sourceWorker the index, or {@link #NO_WORKER}.
     * @return this.
     */
    public FrameHeaderFlyweight sourceWorker(final int sourceWorker) {
        view.putInt(SOURCE_WORKER_OFFSET, sourceWorker, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The global index of the first worker to which the frame goes.
     *
     * @return the index, or {@link #NO_WORKER}.
     */
    public int firstTargetWorker() {
        return view.getInt(FIRST_TARGET_WORKER_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the global index of the first worker to which the frame goes.
     *
     * @param firstTargetWorker the index, or {@link #NO_WORKER}.
     * @return this.
     */
    public FrameHeaderFlyweight firstTargetWorker(final int firstTargetWorker) {
        view.putInt(FIRST_TARGET_WORKER_OFFSET, firstTargetWorker, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The count of workers to which the frame goes.
     *
     * @return the count, 0 for the process itself.
     */
    public int targetWorkerCount() {
        return view.getInt(TARGET_WORKER_COUNT_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the count of workers to which the frame goes.
     *
     * @param targetWorkerCount the count, 0 for the process itself.
     * @return this.
     */
    public FrameHeaderFlyweight targetWorkerCount(final int targetWorkerCount) {
        view.putInt(TARGET_WORKER_COUNT_OFFSET, targetWorkerCount, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The CRC32C of the payload and its padding.
     *
     * @return an unsigned number, 0 in a frame without CHECKED.
     */
    public int payloadCheck() {
        return view.getInt(PAYLOAD_CHECK_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the CRC32C of the payload and its padding.
     *
     * @param payloadCheck an unsigned number, 0 in a frame without CHECKED.
     * @return this.
     */
    public FrameHeaderFlyweight payloadCheck(final int payloadCheck) {
        view.putInt(PAYLOAD_CHECK_OFFSET, payloadCheck, LITTLE_ENDIAN);
        return this;
    }

    /**
     * The CRC32C of the 44 header bytes before it.
     *
     * @return an unsigned number.
     */
    public int headerCheck() {
        return view.getInt(HEADER_CHECK_OFFSET, LITTLE_ENDIAN);
    }

    /**
     * Puts the CRC32C of the 44 header bytes before it.
     *
     * @param headerCheck an unsigned number.
     * @return this.
     */
    public FrameHeaderFlyweight headerCheck(final int headerCheck) {
        view.putInt(HEADER_CHECK_OFFSET, headerCheck, LITTLE_ENDIAN);
        return this;
    }
}
