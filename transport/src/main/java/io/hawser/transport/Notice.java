package io.hawser.transport;

import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.NoticeFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A small message beside the data: it needs no credit of any channel, waits for no data, and overtakes what was pushed before. For an engine's own control: altering a
 * configuration, starting a sampler.
 *
 * <p>What has been sent to a worker and not been taken there yet is bounded by {@link #WINDOW}, for each process that sends.
 *
 * <p><em>Threading:</em> immutable; the bytes are its own copy, on the heap.
 */
public final class Notice {
    /** The longest body, bytes. */
    public static final int LENGTH_MAX =
            FrameType.NOTICE.maxLength(0) - FrameHeaderFlyweight.HEADER_LENGTH - NoticeFlyweight.FIXED_LENGTH;

    /** How much may be on the way from one process to one worker, as {@link #charge()} counts it. Part of the protocol, bytes. */
    public static final int WINDOW = 64 * 1024;

    /** In place of a worker: the process itself, some thread of it that is no worker. */
    public static final int NO_WORKER = FrameHeaderFlyweight.NO_WORKER;

    /** In place of a channel: the notice is about none. */
    public static final int NO_CHANNEL = FrameHeaderFlyweight.NO_CHANNEL;

    private final int sourceProcess;
    private final int sourceWorker;
    private final int targetWorker;
    private final int channelId;
    private final int kind;
    private final UnsafeBuffer body;

    /**
     * Copies a notice.
     *
     * @param sourceProcess index of the process that sends it
     * @param sourceWorker  global index of the worker that sends it, or {@link #NO_WORKER}
     * @param targetWorker  global index of the worker that it is for
     * @param channelId     the channel that it is about, or {@link #NO_CHANNEL}
     * @param kind          the engine's own number of what it is
     * @param buffer        that holds the body; the caller's again afterwards
     * @param offset        of the body
     * @param length        of the body in bytes, 0…{@link #LENGTH_MAX}
     * @throws MessageTooLargeException  if the body is longer than that
     * @throws IllegalArgumentException  if there can be no such worker or channel
     * @throws IndexOutOfBoundsException if the body does not lie in its buffer
     */
    public Notice(
            final int sourceProcess,
            final int sourceWorker,
            final int targetWorker,
            final int channelId,
            final int kind,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        buffer.boundsCheck(offset, length);
        if (length > LENGTH_MAX) {
            throw new MessageTooLargeException(
                    "a notice is a short message; push what is longer to a channel", length, "noticeLimit", LENGTH_MAX);
        }
        if (sourceWorker < NO_WORKER || targetWorker < 0 || channelId < NO_CHANNEL) {
            throw new IllegalArgumentException("no such worker or channel: sourceWorker=" + sourceWorker
                    + " targetWorker=" + targetWorker + " channelId=" + channelId);
        }
        this.sourceProcess = sourceProcess;
        this.sourceWorker = sourceWorker;
        this.targetWorker = targetWorker;
        this.channelId = channelId;
        this.kind = kind;
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        this.body = new UnsafeBuffer(copy);
    }

    /**
     * Which process has sent it.
     *
     * @return the index
     */
    public int sourceProcess() {
        return sourceProcess;
    }

    /**
     * Which worker has sent it.
     *
     * @return the global index, or {@link #NO_WORKER} if it was another thread of the process
     */
    public int sourceWorker() {
        return sourceWorker;
    }

    /**
     * Which worker it is for.
     *
     * @return the global index
     */
    public int targetWorker() {
        return targetWorker;
    }

    /**
     * Which channel it is about.
     *
     * @return the id, or {@link #NO_CHANNEL}
     */
    public int channelId() {
        return channelId;
    }

    /**
     * The engine's own number of what it is.
     *
     * @return any number
     */
    public int kind() {
        return kind;
    }

    /**
     * The body, from index 0 on; its capacity is its length.
     *
     * @return always the same buffer, to be read only
     */
    public DirectBuffer body() {
        return body;
    }

    /**
     * What it takes of the window while it is on the way.
     *
     * @return bytes, a multiple of 8
     */
    public int charge() {
        return Lanes.charge(FrameHeaderFlyweight.HEADER_LENGTH + NoticeFlyweight.FIXED_LENGTH + body.capacity(), 1);
    }

    @Override
    public String toString() {
        return "notice kind=" + kind + " length=" + body.capacity() + " channelId=" + channelId + " from process "
                + sourceProcess + " worker " + sourceWorker + " to worker " + targetWorker;
    }
}
