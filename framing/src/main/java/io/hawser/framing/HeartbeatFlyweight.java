package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of HEARTBEAT: the sender lives; its clock, its totals, its workers' progress.
 *
 * <p>Clock values are readings of a monotonic clock with an origin of its own; they may be negative and only
 * differences mean something.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                            clock ns                           |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         echo clock ns                         |   8
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                          echo age ns                          |  16
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         bytes received                        |  24
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                        longest pause ns                       |  32
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                          worker count                         |  40
 * +---------------------------------------------------------------+
 * |                          reserved, 0                          |  44
 * +---------------------------------------------------------------+
 * |            progress stamp of each worker, int64            ...  48
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class HeartbeatFlyweight extends PayloadFlyweight {

    private static final int CLOCK_NS_OFFSET = 0;
    private static final int ECHO_CLOCK_NS_OFFSET = CLOCK_NS_OFFSET + Long.BYTES;
    private static final int ECHO_AGE_NS_OFFSET = ECHO_CLOCK_NS_OFFSET + Long.BYTES;
    private static final int BYTES_RECEIVED_OFFSET = ECHO_AGE_NS_OFFSET + Long.BYTES;
    private static final int LONGEST_PAUSE_NS_OFFSET = BYTES_RECEIVED_OFFSET + Long.BYTES;
    private static final int WORKER_COUNT_OFFSET = LONGEST_PAUSE_NS_OFFSET + Long.BYTES;
    private static final int RESERVED_OFFSET = WORKER_COUNT_OFFSET + Integer.BYTES;

    /** Bytes of the fields that every HEARTBEAT has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Integer.BYTES;

    /** The most workers that one heartbeat reports on. */
    public static final int WORKER_LIMIT = 4_096;

    /** Bytes of the longest HEARTBEAT payload. */
    public static final int MAX_LENGTH = FIXED_LENGTH + WORKER_LIMIT * Long.BYTES;

    /** Creates a flyweight that is not yet wrapped. */
    public HeartbeatFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public HeartbeatFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The sender's monotonic clock.
     *
     * @return nanoseconds.
     */
    public long clockNs() {
        return getLong(CLOCK_NS_OFFSET);
    }

    /**
     * Puts the sender's monotonic clock.
     *
     * @param clockNs nanoseconds.
     * @return this.
     */
    public HeartbeatFlyweight clockNs(final long clockNs) {
        putLong(CLOCK_NS_OFFSET, clockNs);
        return this;
    }

    /**
     * The latest clock value received from the other side's heartbeats, 0 if none.
     *
     * @return nanoseconds.
     */
    public long echoClockNs() {
        return getLong(ECHO_CLOCK_NS_OFFSET);
    }

    /**
     * Puts the latest clock value received from the other side's heartbeats, 0 if none.
     *
     * @param echoClockNs nanoseconds.
     * @return this.
     */
    public HeartbeatFlyweight echoClockNs(final long echoClockNs) {
        putLong(ECHO_CLOCK_NS_OFFSET, echoClockNs);
        return this;
    }

    /**
     * How long ago that clock value came.
     *
     * @return nanoseconds.
     */
    public long echoAgeNs() {
        return getLong(ECHO_AGE_NS_OFFSET);
    }

    /**
     * Puts how long ago that clock value came.
     *
     * @param echoAgeNs nanoseconds.
     * @return this.
     */
    public HeartbeatFlyweight echoAgeNs(final long echoAgeNs) {
        putLong(ECHO_AGE_NS_OFFSET, echoAgeNs);
        return this;
    }

    /**
     * The bytes received on this connection so far.
     *
     * @return bytes.
     */
    public long bytesReceived() {
        return getLong(BYTES_RECEIVED_OFFSET);
    }

    /**
     * Puts the bytes received on this connection so far.
     *
     * @param bytesReceived bytes.
     * @return this.
     */
    public HeartbeatFlyweight bytesReceived(final long bytesReceived) {
        putLong(BYTES_RECEIVED_OFFSET, bytesReceived);
        return this;
    }

    /**
     * The longest pause of its own process that the sender has noticed.
     *
     * @return nanoseconds.
     */
    public long longestPauseNs() {
        return getLong(LONGEST_PAUSE_NS_OFFSET);
    }

    /**
     * Puts the longest pause of its own process that the sender has noticed.
     *
     * @param longestPauseNs nanoseconds.
     * @return this.
     */
    public HeartbeatFlyweight longestPauseNs(final long longestPauseNs) {
        putLong(LONGEST_PAUSE_NS_OFFSET, longestPauseNs);
        return this;
    }

    /**
     * The count of workers reported on.
     *
     * @return 0 to {@link #WORKER_LIMIT}.
     */
    public int workerCount() {
        return getInt(WORKER_COUNT_OFFSET);
    }

    /**
     * Puts the count of workers reported on.
     *
     * @param workerCount 0 to {@link #WORKER_LIMIT}.
     * @return this.
     */
    public HeartbeatFlyweight workerCount(final int workerCount) {
        putInt(WORKER_COUNT_OFFSET, workerCount);
        return this;
    }

    /**
     * The progress stamp of a worker: it grows with each step.
     *
     * @param worker its index within the sending process, less than {@link #workerCount()}.
     * @return the stamp.
     */
    public long progress(final int worker) {
        return getLong(progressOffset(worker));
    }

    /**
     * Puts the progress stamp of a worker. Every worker counted needs one: the place of the stamps is not zeroed
     * before.
     *
     * @param worker its index within the sending process, less than {@link #workerCount()}.
     * @param progress the stamp.
     * @return this.
     */
    public HeartbeatFlyweight progress(final int worker, final long progress) {
        putLong(progressOffset(worker), progress);
        return this;
    }

    private static int progressOffset(final int worker) {
        return FIXED_LENGTH + worker * Long.BYTES;
    }

    @Override
    public int payloadLength() {
        return FIXED_LENGTH + workerCount() * Long.BYTES;
    }

    @Override
    public FrameFault validate() {
        if (view.capacity() < FIXED_LENGTH) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (workerCount() < 0 || workerCount() > WORKER_LIMIT) {
            return FrameFault.BAD_VALUE;
        }
        if (!isWhole()) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (getInt(RESERVED_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return echoAgeNs() >= 0 && bytesReceived() >= 0 && longestPauseNs() >= 0
                ? FrameFault.NONE
                : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.HEARTBEAT;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" clockNs=")
                .append(clockNs())
                .append(" echoClockNs=")
                .append(echoClockNs())
                .append(" echoAgeNs=")
                .append(echoAgeNs())
                .append(" bytesReceived=")
                .append(bytesReceived())
                .append(" longestPauseNs=")
                .append(longestPauseNs())
                .append(" workerCount=")
                .append(workerCount());
    }
}
