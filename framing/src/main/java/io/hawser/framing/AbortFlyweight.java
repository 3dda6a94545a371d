package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of ABORT: the sender's health is lost, and this is the first cause that it knows.
 *
 * <p>What is not UTF-8 in its texts is replaced: the cause matters more than its spelling. Putting it allocates
 * nothing, so that it can be sent when the heap is full.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                         kind of cause                         |   0
 * +---------------------------------------------------------------+
 * |                         failed process                        |   4
 * +---------------------------------------------------------------+
 * |                         failed worker                         |   8
 * +---------------------------------------------------------------+
 * |                        seen by process                        |  12
 * +---------------------------------------------------------------+
 * |                           generation                          |  16
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                              pid                              |  24
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         instance nonce                        |  32
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                        seen at epoch ms                       |  40
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                          measured ns                          |  48
 * |                                                               |
 * +---------------------------------------------------------------+
 * |        host name length       |         address length        |  56
 * +---------------------------------------------------------------+
 * |          seen length          |          reserved, 0          |  60
 * +---------------------------------------------------------------+
 * |      host name, address, what was seen, back to back       ...  64
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class AbortFlyweight extends PayloadFlyweight {

    private static final int KIND_OFFSET = 0;
    private static final int FAILED_PROCESS_OFFSET = KIND_OFFSET + Integer.BYTES;
    private static final int FAILED_WORKER_OFFSET = FAILED_PROCESS_OFFSET + Integer.BYTES;
    private static final int SEEN_BY_PROCESS_OFFSET = FAILED_WORKER_OFFSET + Integer.BYTES;
    private static final int GENERATION_OFFSET = SEEN_BY_PROCESS_OFFSET + Integer.BYTES;
    private static final int PID_OFFSET = GENERATION_OFFSET + Long.BYTES;
    private static final int INSTANCE_NONCE_OFFSET = PID_OFFSET + Long.BYTES;
    private static final int SEEN_AT_EPOCH_MS_OFFSET = INSTANCE_NONCE_OFFSET + Long.BYTES;
    private static final int MEASURED_NS_OFFSET = SEEN_AT_EPOCH_MS_OFFSET + Long.BYTES;
    private static final int HOST_NAME_LENGTH_OFFSET = MEASURED_NS_OFFSET + Long.BYTES;
    private static final int ADDRESS_LENGTH_OFFSET = HOST_NAME_LENGTH_OFFSET + Short.BYTES;
    private static final int SEEN_LENGTH_OFFSET = ADDRESS_LENGTH_OFFSET + Short.BYTES;
    private static final int RESERVED_OFFSET = SEEN_LENGTH_OFFSET + Short.BYTES;

    /** Bytes of the fields that every ABORT has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Short.BYTES;

    /** The longest text of what was seen in bytes. */
    public static final int SEEN_LIMIT = 2_048;

    /** Bytes of the longest ABORT payload. */
    public static final int MAX_LENGTH = FIXED_LENGTH + 2 * NAME_LIMIT + SEEN_LIMIT;

    private static final int TEXT_OFFSET = FIXED_LENGTH;

    /** Creates a flyweight that is not yet wrapped. */
    public AbortFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public AbortFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The kind of the cause.
     *
     * @return the constant, or null if the number is outside the closed set.
     */
    public AbortKind kind() {
        return AbortKind.of(getInt(KIND_OFFSET));
    }

    /**
     * Puts the kind of the cause.
     *
     * @param kind the constant.
     * @return this.
     */
    public AbortFlyweight kind(final AbortKind kind) {
        putInt(KIND_OFFSET, kind.number());
        return this;
    }

    /**
     * The index of the process that failed first.
     *
     * @return the field's value.
     */
    public int failedProcess() {
        return getInt(FAILED_PROCESS_OFFSET);
    }

    /**
     * Puts the index of the process that failed first.
     *
     * @param failedProcess the field's value.
     * @return this.
     */
    public AbortFlyweight failedProcess(final int failedProcess) {
        putInt(FAILED_PROCESS_OFFSET, failedProcess);
        return this;
    }

    /**
     * The global index of the worker that failed first.
     *
     * @return the index, or -1 if the process itself.
     */
    public int failedWorker() {
        return getInt(FAILED_WORKER_OFFSET);
    }

    /**
     * Puts the global index of the worker that failed first.
     *
     * @param failedWorker the index, or -1 if the process itself.
     * @return this.
     */
    public AbortFlyweight failedWorker(final int failedWorker) {
        putInt(FAILED_WORKER_OFFSET, failedWorker);
        return this;
    }

    /**
     * The index of the process that saw it.
     *
     * @return the field's value.
     */
    public int seenByProcess() {
        return getInt(SEEN_BY_PROCESS_OFFSET);
    }

    /**
     * Puts the index of the process that saw it.
     *
     * @param seenByProcess the field's value.
     * @return this.
     */
    public AbortFlyweight seenByProcess(final int seenByProcess) {
        putInt(SEEN_BY_PROCESS_OFFSET, seenByProcess);
        return this;
    }

    /**
     * The generation in which it happened.
     *
     * @return the field's value.
     */
    public long generation() {
        return getLong(GENERATION_OFFSET);
    }

    /**
     * Puts the generation in which it happened.
     *
     * @param generation the field's value.
     * @return this.
     */
    public AbortFlyweight generation(final long generation) {
        putLong(GENERATION_OFFSET, generation);
        return this;
    }

    /**
     * The pid of the process that failed.
     *
     * @return the pid, 0 if unknown.
     */
    public long pid() {
        return getLong(PID_OFFSET);
    }

    /**
     * Puts the pid of the process that failed.
     *
     * @param pid the pid, 0 if unknown.
     * @return this.
     */
    public AbortFlyweight pid(final long pid) {
        putLong(PID_OFFSET, pid);
        return this;
    }

    /**
     * The instance nonce of the process that failed.
     *
     * @return the nonce, 0 if unknown.
     */
    public long instanceNonce() {
        return getLong(INSTANCE_NONCE_OFFSET);
    }

    /**
     * Puts the instance nonce of the process that failed.
     *
     * @param instanceNonce the nonce, 0 if unknown.
     * @return this.
     */
    public AbortFlyweight instanceNonce(final long instanceNonce) {
        putLong(INSTANCE_NONCE_OFFSET, instanceNonce);
        return this;
    }

    /**
     * When it was seen, by the wall clock of the process that saw it.
     *
     * @return milliseconds since 1970.
     */
    public long seenAtEpochMs() {
        return getLong(SEEN_AT_EPOCH_MS_OFFSET);
    }

    /**
     * Puts when it was seen, by the wall clock of the process that saw it.
     *
     * @param seenAtEpochMs milliseconds since 1970.
     * @return this.
     */
    public AbortFlyweight seenAtEpochMs(final long seenAtEpochMs) {
        putLong(SEEN_AT_EPOCH_MS_OFFSET, seenAtEpochMs);
        return this;
    }

    /**
     * The measured silence or pause.
     *
     * @return nanoseconds, 0 if none.
     */
    public long measuredNs() {
        return getLong(MEASURED_NS_OFFSET);
    }

    /**
     * Puts the measured silence or pause.
     *
     * @param measuredNs nanoseconds, 0 if none.
     * @return this.
     */
    public AbortFlyweight measuredNs(final long measuredNs) {
        putLong(MEASURED_NS_OFFSET, measuredNs);
        return this;
    }

    private int hostNameLength() {
        return getUint16(HOST_NAME_LENGTH_OFFSET);
    }

    private int addressLength() {
        return getUint16(ADDRESS_LENGTH_OFFSET);
    }

    private int seenLength() {
        return getUint16(SEEN_LENGTH_OFFSET);
    }

    /**
     * The host name of the process that failed.
     *
     * @return the text, maybe empty.
     */
    public String hostName() {
        return getText(TEXT_OFFSET, hostNameLength());
    }

    /**
     * The address of the process that failed.
     *
     * @return the text, maybe empty.
     */
    public String address() {
        return getText(addressOffset(), addressLength());
    }

    /**
     * What was seen.
     *
     * @return the text, maybe empty.
     */
    public String seen() {
        return getText(seenOffset(), seenLength());
    }

    /**
     * Puts the three texts, each cut to its limit at a code-point boundary, null as empty.
     *
     * @param hostName of the process that failed.
     * @param address of the process that failed.
     * @param seen what was seen, in words.
     * @return this.
     */
    public AbortFlyweight texts(final CharSequence hostName, final CharSequence address, final CharSequence seen) {
        int offset = putText(HOST_NAME_LENGTH_OFFSET, TEXT_OFFSET, hostName, NAME_LIMIT);
        offset = putText(ADDRESS_LENGTH_OFFSET, offset, address, NAME_LIMIT);
        putText(SEEN_LENGTH_OFFSET, offset, seen, SEEN_LIMIT);
        return this;
    }

    private int addressOffset() {
        return TEXT_OFFSET + hostNameLength();
    }

    private int seenOffset() {
        return addressOffset() + addressLength();
    }

    private boolean isTexts() {
        return hostNameLength() <= NAME_LIMIT && addressLength() <= NAME_LIMIT && seenLength() <= SEEN_LIMIT;
    }

    private boolean isCause() {
        return kind() != null
                && failedProcess() >= 0
                && failedWorker() >= -1
                && seenByProcess() >= 0
                && generation() >= 0
                && pid() >= 0
                && measuredNs() >= 0;
    }

    @Override
    public int payloadLength() {
        return FIXED_LENGTH + hostNameLength() + addressLength() + seenLength();
    }

    @Override
    public FrameFault validate() {
        if (!isWhole() || !isTexts()) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (getUint16(RESERVED_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return isCause() ? FrameFault.NONE : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.ABORT;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" kind=")
                .append(getInt(KIND_OFFSET))
                .append(" failedProcess=")
                .append(failedProcess())
                .append(" failedWorker=")
                .append(failedWorker())
                .append(" seenByProcess=")
                .append(seenByProcess())
                .append(" generation=")
                .append(generation())
                .append(" pid=")
                .append(pid())
                .append(" instanceNonce=")
                .append(instanceNonce())
                .append(" seenAtEpochMs=")
                .append(seenAtEpochMs())
                .append(" measuredNs=")
                .append(measuredNs());
    }
}
