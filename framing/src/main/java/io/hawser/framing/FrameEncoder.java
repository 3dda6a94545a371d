package io.hawser.framing;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * Writes frames of every type, one method per type; {@link FrameDecoder} is its mirror image.
 *
 * <p>A frame takes three steps: begin it, put its payload, end it. The header begins as one from process to process
 * in the scope of the cluster; {@link #header()} changes that. {@link #end()} fills the frame length in and zeroes
 * the padding. Sequence and checks come last, by {@link #seal}, from the thread that sends: only then the place of
 * the frame in its stream is known.
 *
 * <pre>{@code
 * encoder.ready(buffer, offset).generation(7).receiverNonce(nonce);
 * final int alignedLength = encoder.end();
 * ...
 * encoder.seal(buffer, offset, sequence);
 * }</pre>
 *
 * <p>The buffer has to have room for the frame, {@link FrameType#maxLength} always suffices; buffers that expand do
 * not do so here. A frame that does not fit its buffer throws IndexOutOfBoundsException. Nothing is allocated per
 * frame.
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns an encoder. The thread that seals may be another one than
 * the one that encoded, with an encoder of its own; handing the frame over is the caller's business.
 */
public final class FrameEncoder {

    private static final int CHECKED_HEADER_LENGTH = FrameHeaderFlyweight.HEADER_CHECK_OFFSET;

    private final Crc32cCheck check = new Crc32cCheck();
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private final HelloFlyweight hello = new HelloFlyweight();
    private final ReadyFlyweight ready = new ReadyFlyweight();
    private final HeartbeatFlyweight heartbeat = new HeartbeatFlyweight();
    private final CreditFlyweight credit = new CreditFlyweight();
    private final HangupFlyweight hangup = new HangupFlyweight();
    private final AbortFlyweight abort = new AbortFlyweight();
    private final RefuseFlyweight refuse = new RefuseFlyweight();
    private final StartFlyweight start = new StartFlyweight();
    private final AcceptFlyweight accept = new AcceptFlyweight();
    private final RejectFlyweight reject = new RejectFlyweight();
    private final GoFlyweight go = new GoFlyweight();
    private final CancelFlyweight cancel = new CancelFlyweight();
    private final CancelledFlyweight cancelled = new CancelledFlyweight();
    private final NoticeFlyweight notice = new NoticeFlyweight();
    private final WaitFlyweight wait = new WaitFlyweight();
    private final FateFlyweight fate = new FateFlyweight();

    private MutableDirectBuffer buffer;
    private int offset;
    private PayloadFlyweight payload;

    /** Creates an encoder. */
    public FrameEncoder() {}

    /**
     * Begins a HELLO. Magic and versions are put already.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @param isReply whether it is the acceptor's answer.
     * @return the payload to put.
     */
    public HelloFlyweight hello(final MutableDirectBuffer buffer, final int offset, final boolean isReply) {
        return begin(hello, buffer, offset, isReply ? FrameFlags.REPLY : 0);
    }

    /**
     * Begins a DATA frame. The payload is the caller's to lay, by {@link RecordDescriptor} or
     * {@link FragmentDescriptor}; {@link #end(int)} ends it, with a length of 0 only if LAST is among the flags.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @param flags BEGIN and END as the payload demands, LAST with both of them if nothing more comes on the lane, and
     *     CHECKED if payload checks were agreed.
     * @return the offset of the payload in the buffer.
     */
    public int data(final MutableDirectBuffer buffer, final int offset, final int flags) {
        payload = null;
        beginHeader(FrameType.DATA, buffer, offset, flags);
        return offset + HEADER_LENGTH;
    }

    /**
     * Begins a READY.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public ReadyFlyweight ready(final MutableDirectBuffer buffer, final int offset) {
        return begin(ready, buffer, offset, 0);
    }

    /**
     * Begins a HEARTBEAT.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public HeartbeatFlyweight heartbeat(final MutableDirectBuffer buffer, final int offset) {
        return begin(heartbeat, buffer, offset, 0);
    }

    /**
     * Begins a CREDIT.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public CreditFlyweight credit(final MutableDirectBuffer buffer, final int offset) {
        return begin(credit, buffer, offset, 0);
    }

    /**
     * Begins a HANGUP.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @param isConfirm whether it is the second one, which confirms.
     * @return the payload to put.
     */
    public HangupFlyweight hangup(final MutableDirectBuffer buffer, final int offset, final boolean isConfirm) {
        return begin(hangup, buffer, offset, isConfirm ? FrameFlags.CONFIRM : 0);
    }

    /**
     * Begins an ABORT.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public AbortFlyweight abort(final MutableDirectBuffer buffer, final int offset) {
        return begin(abort, buffer, offset, 0);
    }

    /**
     * Begins a REFUSE. Versions are put already.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public RefuseFlyweight refuse(final MutableDirectBuffer buffer, final int offset) {
        return begin(refuse, buffer, offset, 0);
    }

    /**
     * Begins a START.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public StartFlyweight start(final MutableDirectBuffer buffer, final int offset) {
        return begin(start, buffer, offset, 0);
    }

    /**
     * Begins an ACCEPT.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public AcceptFlyweight accept(final MutableDirectBuffer buffer, final int offset) {
        return begin(accept, buffer, offset, 0);
    }

    /**
     * Begins a REJECT.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public RejectFlyweight reject(final MutableDirectBuffer buffer, final int offset) {
        return begin(reject, buffer, offset, 0);
    }

    /**
     * Begins a GO.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public GoFlyweight go(final MutableDirectBuffer buffer, final int offset) {
        return begin(go, buffer, offset, 0);
    }

    /**
     * Begins a CANCEL.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public CancelFlyweight cancel(final MutableDirectBuffer buffer, final int offset) {
        return begin(cancel, buffer, offset, 0);
    }

    /**
     * Begins a CANCELLED.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public CancelledFlyweight cancelled(final MutableDirectBuffer buffer, final int offset) {
        return begin(cancelled, buffer, offset, 0);
    }

    /**
     * Begins a NOTICE.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public NoticeFlyweight notice(final MutableDirectBuffer buffer, final int offset) {
        return begin(notice, buffer, offset, 0);
    }

    /**
     * Begins a WAIT. Its header has to be given the channel, who waits as source, and for whose credit as targets.
     *
     * @param buffer to write into.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public WaitFlyweight waiting(final MutableDirectBuffer buffer, final int offset) {
        return begin(wait, buffer, offset, 0);
    }

    /**
     * Begins a FATE. Its header has to be given the scope.
     *
     * @param buffer to write into, with room for the longest frame of this type.
     * @param offset of the frame, a multiple of 8 of its stream.
     * @return the payload to put.
     */
    public FateFlyweight fate(final MutableDirectBuffer buffer, final int offset) {
        return begin(fate, buffer, offset, 0);
    }

    /**
     * The header of the frame that is being written, to set its scope, channel, source and targets.
     *
     * @return the header, valid until the next frame is begun.
     */
    public FrameHeaderFlyweight header() {
        return header;
    }

    /**
     * Ends the frame begun last: puts its length and zeroes its padding.
     *
     * @return the bytes that the frame occupies in its stream, a multiple of 8.
     * @throws IllegalStateException if no frame other than DATA has been begun.
     */
    public int end() {
        if (payload == null) {
            throw new IllegalStateException(
                    "no frame begun, or a DATA frame, whose payload length only the caller knows");
        }
        return end(payload.payloadLength());
    }

    /**
     * Ends the frame begun last, with a payload length that the caller knows: puts its length and zeroes its padding.
     *
     * @param payloadLength in bytes, without the padding of the frame.
     * @return the bytes that the frame occupies in its stream, a multiple of 8.
     * @throws IllegalStateException if no frame has been begun.
     */
    public int end(final int payloadLength) {
        if (buffer == null) {
            throw new IllegalStateException("no frame begun");
        }
        final int frameLength = HEADER_LENGTH + payloadLength;
        final int alignedLength = FrameHeaderFlyweight.alignedLength(frameLength);
        for (int i = frameLength; i < alignedLength; i++) {
            buffer.putByte(offset + i, (byte) 0);
        }
        header.frameLength(frameLength);
        buffer = null;
        payload = null;
        return alignedLength;
    }

    /**
     * Computes the payload check of an ended frame, so that another thread than the sending one can carry that load.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @return the check for {@link #seal(MutableDirectBuffer, int, long, int)}, 0 if the frame is not CHECKED.
     */
    public int payloadCheck(final MutableDirectBuffer buffer, final int offset) {
        final int flags = buffer.getShort(offset + FrameHeaderFlyweight.FLAGS_OFFSET, LITTLE_ENDIAN);
        if (!FrameFlags.isChecked(flags)) {
            return 0;
        }
        final int frameLength = buffer.getInt(offset + FrameHeaderFlyweight.FRAME_LENGTH_OFFSET, LITTLE_ENDIAN);
        final int alignedLength = FrameHeaderFlyweight.alignedLength(frameLength);
        return check.compute(buffer, offset + HEADER_LENGTH, alignedLength - HEADER_LENGTH);
    }

    /**
     * Seals an ended frame in place: fills in its sequence, its payload check if it is CHECKED, and its header check.
     * The very last step, after which no byte of the frame may change.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @param sequence the count of frames sent before on this direction of the connection.
     */
    public void seal(final MutableDirectBuffer buffer, final int offset, final long sequence) {
        seal(buffer, offset, sequence, payloadCheck(buffer, offset));
    }

    /**
     * Seals an ended frame in place, whose payload check has been computed already.
     *
     * @param buffer that holds the frame.
     * @param offset of the frame.
     * @param sequence the count of frames sent before on this direction of the connection.
     * @param payloadCheck as {@link #payloadCheck} told it, 0 if the frame is not CHECKED.
     */
    public void seal(final MutableDirectBuffer buffer, final int offset, final long sequence, final int payloadCheck) {
        buffer.putLong(offset + FrameHeaderFlyweight.SEQUENCE_OFFSET, sequence, LITTLE_ENDIAN);
        buffer.putInt(offset + FrameHeaderFlyweight.PAYLOAD_CHECK_OFFSET, payloadCheck, LITTLE_ENDIAN);
        final int headerCheck = check.compute(buffer, offset, CHECKED_HEADER_LENGTH);
        buffer.putInt(offset + FrameHeaderFlyweight.HEADER_CHECK_OFFSET, headerCheck, LITTLE_ENDIAN);
    }

    private <T extends PayloadFlyweight> T begin(
            final T payload, final MutableDirectBuffer buffer, final int offset, final int ownFlags) {
        beginHeader(payload.type(), buffer, offset, FrameFlags.CHECKED | ownFlags);
        final int longest = payload.type().maxLength(FrameType.FRAME_LIMIT_MAX);
        final int room = Math.min(longest, buffer.capacity() - offset) - HEADER_LENGTH;
        payload.begin(buffer, offset + HEADER_LENGTH, room);
        this.payload = payload;
        return payload;
    }

    private void beginHeader(
            final FrameType type, final MutableDirectBuffer buffer, final int offset, final int flags) {
        this.buffer = buffer;
        this.offset = offset;
        header.wrap(buffer, offset)
                .frameLength(HEADER_LENGTH)
                .version(FrameHeaderFlyweight.VERSION)
                .type(type)
                .flags(flags)
                .scopeId(0)
                .sequence(0)
                .channelId(FrameHeaderFlyweight.NO_CHANNEL)
                .sourceWorker(FrameHeaderFlyweight.NO_WORKER)
                .targets(FrameHeaderFlyweight.NO_WORKER, 0)
                .payloadCheck(0)
                .headerCheck(0);
    }
}
