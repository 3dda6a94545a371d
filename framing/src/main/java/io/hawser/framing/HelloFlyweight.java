package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of HELLO: who the sender is and what it insists on.
 *
 * <p>Magic and versions keep this place for ever, so that any two versions can tell each other apart. Of a HELLO of
 * another version ({@link #isSameVersion}) only these two are valid. An extension, which this version does not know,
 * is skipped.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                 magic: 48 41 57 53 45 52 0D 0A                |   0
 * |                                                               |
 * +---------------------------------------------------------------+
 * |         lowest version        |        highest version        |   8
 * +---------------------------------------------------------------+
 * |                              mode                             |  12
 * +---------------------------------------------------------------+
 * |                           generation                          |  16
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         instance nonce                        |  24
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         process index                         |  32
 * +---------------------------------------------------------------+
 * |                         process count                         |  36
 * +---------------------------------------------------------------+
 * |                      workers per process                      |  40
 * +---------------------------------------------------------------+
 * |                     expected process index                    |  44
 * +---------------------------------------------------------------+
 * |                              pid                              |  48
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                     heartbeat interval ns                     |  56
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                       silence timeout ns                      |  64
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         channel window                        |  72
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                          link window                          |  80
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         message limit                         |  88
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                          frame limit                          |  96
 * +---------------------------------------------------------------+
 * |                            settings                           | 100
 * +---------------------------------------------------------------+
 * |                       former generation                       | 104
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                       former incarnation                      | 112
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                      former process index                     | 120
 * +---------------------------------------------------------------+
 * |                      former process count                     | 124
 * +---------------------------------------------------------------+
 * |                   former workers per process                  | 128
 * +---------------------------------------------------------------+
 * |       cluster id length       |        host name length       | 132
 * +---------------------------------------------------------------+
 * |         address length        |        extension length       | 136
 * +---------------------------------------------------------------+
 * |         cluster id, host name, address, extension          ... 140
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class HelloFlyweight extends PayloadFlyweight {

    private static final int MAGIC_OFFSET = 0;
    private static final int LOWEST_VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    private static final int HIGHEST_VERSION_OFFSET = LOWEST_VERSION_OFFSET + Short.BYTES;
    private static final int MODE_OFFSET = HIGHEST_VERSION_OFFSET + Short.BYTES;
    private static final int GENERATION_OFFSET = MODE_OFFSET + Integer.BYTES;
    private static final int INSTANCE_NONCE_OFFSET = GENERATION_OFFSET + Long.BYTES;
    private static final int PROCESS_INDEX_OFFSET = INSTANCE_NONCE_OFFSET + Long.BYTES;
    private static final int PROCESS_COUNT_OFFSET = PROCESS_INDEX_OFFSET + Integer.BYTES;
    private static final int WORKERS_PER_PROCESS_OFFSET = PROCESS_COUNT_OFFSET + Integer.BYTES;
    private static final int EXPECTED_PROCESS_INDEX_OFFSET = WORKERS_PER_PROCESS_OFFSET + Integer.BYTES;
    private static final int PID_OFFSET = EXPECTED_PROCESS_INDEX_OFFSET + Integer.BYTES;
    private static final int HEARTBEAT_INTERVAL_NS_OFFSET = PID_OFFSET + Long.BYTES;
    private static final int SILENCE_TIMEOUT_NS_OFFSET = HEARTBEAT_INTERVAL_NS_OFFSET + Long.BYTES;
    private static final int CHANNEL_WINDOW_OFFSET = SILENCE_TIMEOUT_NS_OFFSET + Long.BYTES;
    private static final int LINK_WINDOW_OFFSET = CHANNEL_WINDOW_OFFSET + Long.BYTES;
    private static final int MESSAGE_LIMIT_OFFSET = LINK_WINDOW_OFFSET + Long.BYTES;
    private static final int FRAME_LIMIT_OFFSET = MESSAGE_LIMIT_OFFSET + Long.BYTES;
    private static final int SETTINGS_OFFSET = FRAME_LIMIT_OFFSET + Integer.BYTES;
    private static final int FORMER_GENERATION_OFFSET = SETTINGS_OFFSET + Integer.BYTES;
    private static final int FORMER_INCARNATION_OFFSET = FORMER_GENERATION_OFFSET + Long.BYTES;
    private static final int FORMER_PROCESS_INDEX_OFFSET = FORMER_INCARNATION_OFFSET + Long.BYTES;
    private static final int FORMER_PROCESS_COUNT_OFFSET = FORMER_PROCESS_INDEX_OFFSET + Integer.BYTES;
    private static final int FORMER_WORKERS_PER_PROCESS_OFFSET = FORMER_PROCESS_COUNT_OFFSET + Integer.BYTES;
    private static final int CLUSTER_ID_LENGTH_OFFSET = FORMER_WORKERS_PER_PROCESS_OFFSET + Integer.BYTES;
    private static final int HOST_NAME_LENGTH_OFFSET = CLUSTER_ID_LENGTH_OFFSET + Short.BYTES;
    private static final int ADDRESS_LENGTH_OFFSET = HOST_NAME_LENGTH_OFFSET + Short.BYTES;
    private static final int EXTENSION_LENGTH_OFFSET = ADDRESS_LENGTH_OFFSET + Short.BYTES;

    /** Bytes of the fields that every HELLO has. */
    public static final int FIXED_LENGTH = EXTENSION_LENGTH_OFFSET + Short.BYTES;

    /** Bytes of the longest HELLO payload that this version writes, which is without extension. */
    public static final int MAX_LENGTH = FIXED_LENGTH + 3 * NAME_LIMIT;

    /** Mode: the sender is a process of a mesh. */
    public static final int MODE_MESH = 0;

    /** Mode: the sender wants a link outside of a mesh. Reserved. */
    public static final int MODE_LINK = 1;

    /** The greatest generation. */
    public static final long GENERATION_MAX = 1L << 62;

    /** The protocol version of this library. */
    public static final int VERSION = FrameHeaderFlyweight.VERSION;

    /** Setting: the sender wants payload checks on DATA. */
    public static final int PAYLOAD_CHECKS = 1;

    /** The most workers that a process may have: as many as a HEARTBEAT can report on. */
    public static final int WORKERS_LIMIT = HeartbeatFlyweight.WORKER_LIMIT;

    /** "HAWSER", CR, LF, read as a little-endian number. */
    private static final long MAGIC = 0x0A0D_5245_5357_4148L;

    private static final int TEXT_OFFSET = FIXED_LENGTH;

    /** Creates a flyweight that is not yet wrapped. */
    public HelloFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public HelloFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The lowest protocol version that the sender speaks.
     *
     * @return the field's value.
     */
    public int lowestVersion() {
        return getUint16(LOWEST_VERSION_OFFSET);
    }

    /**
     * Puts the lowest protocol version that the sender speaks.
     *
     * @param lowestVersion the field's value.
     * @return this.
     */
    public HelloFlyweight lowestVersion(final int lowestVersion) {
        putUint16(LOWEST_VERSION_OFFSET, lowestVersion);
        return this;
    }

    /**
     * The highest protocol version that the sender speaks.
     *
     * @return the field's value.
     */
    public int highestVersion() {
        return getUint16(HIGHEST_VERSION_OFFSET);
    }

    /**
     * Puts the highest protocol version that the sender speaks.
     *
     * @param highestVersion the field's value.
     * @return this.
     */
    public HelloFlyweight highestVersion(final int highestVersion) {
        putUint16(HIGHEST_VERSION_OFFSET, highestVersion);
        return this;
    }

    /**
     * What the sender is.
     *
     * @return {@link #MODE_MESH} or {@link #MODE_LINK}.
     */
    public int mode() {
        return getInt(MODE_OFFSET);
    }

    /**
     * Puts what the sender is.
     *
     * @param mode {@link #MODE_MESH} or {@link #MODE_LINK}.
     * @return this.
     */
    public HelloFlyweight mode(final int mode) {
        putInt(MODE_OFFSET, mode);
        return this;
    }

    /**
     * The generation that the sender proposes.
     *
     * @return 1 to {@link #GENERATION_MAX}.
     */
    public long generation() {
        return getLong(GENERATION_OFFSET);
    }

    /**
     * Puts the generation that the sender proposes.
     *
     * @param generation 1 to {@link #GENERATION_MAX}.
     * @return this.
     */
    public HelloFlyweight generation(final long generation) {
        putLong(GENERATION_OFFSET, generation);
        return this;
    }

    /**
     * The random number of the sending process and this very formation.
     *
     * @return the field's value.
     */
    public long instanceNonce() {
        return getLong(INSTANCE_NONCE_OFFSET);
    }

    /**
     * Puts the random number of the sending process and this very formation.
     *
     * @param instanceNonce the field's value.
     * @return this.
     */
    public HelloFlyweight instanceNonce(final long instanceNonce) {
        putLong(INSTANCE_NONCE_OFFSET, instanceNonce);
        return this;
    }

    /**
     * The index of the sending process.
     *
     * @return the field's value.
     */
    public int processIndex() {
        return getInt(PROCESS_INDEX_OFFSET);
    }

    /**
     * Puts the index of the sending process.
     *
     * @param processIndex the field's value.
     * @return this.
     */
    public HelloFlyweight processIndex(final int processIndex) {
        putInt(PROCESS_INDEX_OFFSET, processIndex);
        return this;
    }

    /**
     * The count of processes in the cluster.
     *
     * @return the field's value.
     */
    public int processCount() {
        return getInt(PROCESS_COUNT_OFFSET);
    }

    /**
     * Puts the count of processes in the cluster.
     *
     * @param processCount the field's value.
     * @return this.
     */
    public HelloFlyweight processCount(final int processCount) {
        putInt(PROCESS_COUNT_OFFSET, processCount);
        return this;
    }

    /**
     * The count of workers in each process.
     *
     * @return the field's value.
     */
    public int workersPerProcess() {
        return getInt(WORKERS_PER_PROCESS_OFFSET);
    }

    /**
     * Puts the count of workers in each process.
     *
     * @param workersPerProcess the field's value.
     * @return this.
     */
    public HelloFlyweight workersPerProcess(final int workersPerProcess) {
        putInt(WORKERS_PER_PROCESS_OFFSET, workersPerProcess);
        return this;
    }

    /**
     * The index of the process that the sender believes it talks to.
     *
     * @return the field's value.
     */
    public int expectedProcessIndex() {
        return getInt(EXPECTED_PROCESS_INDEX_OFFSET);
    }

    /**
     * Puts the index of the process that the sender believes it talks to.
     *
     * @param expectedProcessIndex the field's value.
     * @return this.
     */
    public HelloFlyweight expectedProcessIndex(final int expectedProcessIndex) {
        putInt(EXPECTED_PROCESS_INDEX_OFFSET, expectedProcessIndex);
        return this;
    }

    /**
     * The pid of the sending process, for diagnostics.
     *
     * @return the pid, 0 if unknown.
     */
    public long pid() {
        return getLong(PID_OFFSET);
    }

    /**
     * Puts the pid of the sending process, for diagnostics.
     *
     * @param pid the pid, 0 if unknown.
     * @return this.
     */
    public HelloFlyweight pid(final long pid) {
        putLong(PID_OFFSET, pid);
        return this;
    }

    /**
     * The heartbeat interval.
     *
     * @return nanoseconds.
     */
    public long heartbeatIntervalNs() {
        return getLong(HEARTBEAT_INTERVAL_NS_OFFSET);
    }

    /**
     * Puts the heartbeat interval.
     *
     * @param heartbeatIntervalNs nanoseconds.
     * @return this.
     */
    public HelloFlyweight heartbeatIntervalNs(final long heartbeatIntervalNs) {
        putLong(HEARTBEAT_INTERVAL_NS_OFFSET, heartbeatIntervalNs);
        return this;
    }

    /**
     * The silence time-out.
     *
     * @return nanoseconds.
     */
    public long silenceTimeoutNs() {
        return getLong(SILENCE_TIMEOUT_NS_OFFSET);
    }

    /**
     * Puts the silence time-out.
     *
     * @param silenceTimeoutNs nanoseconds.
     * @return this.
     */
    public HelloFlyweight silenceTimeoutNs(final long silenceTimeoutNs) {
        putLong(SILENCE_TIMEOUT_NS_OFFSET, silenceTimeoutNs);
        return this;
    }

    /**
     * The window of each channel.
     *
     * @return bytes.
     */
    public long channelWindow() {
        return getLong(CHANNEL_WINDOW_OFFSET);
    }

    /**
     * Puts the window of each channel.
     *
     * @param channelWindow bytes.
     * @return this.
     */
    public HelloFlyweight channelWindow(final long channelWindow) {
        putLong(CHANNEL_WINDOW_OFFSET, channelWindow);
        return this;
    }

    /**
     * The window of the link.
     *
     * @return bytes.
     */
    public long linkWindow() {
        return getLong(LINK_WINDOW_OFFSET);
    }

    /**
     * Puts the window of the link.
     *
     * @param linkWindow bytes.
     * @return this.
     */
    public HelloFlyweight linkWindow(final long linkWindow) {
        putLong(LINK_WINDOW_OFFSET, linkWindow);
        return this;
    }

    /**
     * The greatest message length.
     *
     * @return bytes.
     */
    public long messageLimit() {
        return getLong(MESSAGE_LIMIT_OFFSET);
    }

    /**
     * Puts the greatest message length.
     *
     * @param messageLimit bytes.
     * @return this.
     */
    public HelloFlyweight messageLimit(final long messageLimit) {
        putLong(MESSAGE_LIMIT_OFFSET, messageLimit);
        return this;
    }

    /**
     * The greatest frame length.
     *
     * @return bytes.
     */
    public int frameLimit() {
        return getInt(FRAME_LIMIT_OFFSET);
    }

    /**
     * Puts the greatest frame length.
     *
     * @param frameLimit bytes.
     * @return this.
     */
    public HelloFlyweight frameLimit(final int frameLimit) {
        putInt(FRAME_LIMIT_OFFSET, frameLimit);
        return this;
    }

    /**
     * The settings, a set of bits.
     *
     * @return a set of {@link #PAYLOAD_CHECKS}.
     */
    public int settings() {
        return getInt(SETTINGS_OFFSET);
    }

    /**
     * Puts the settings, a set of bits.
     *
     * @param settings a set of {@link #PAYLOAD_CHECKS}.
     * @return this.
     */
    public HelloFlyweight settings(final int settings) {
        putInt(SETTINGS_OFFSET, settings);
        return this;
    }

    private int clusterIdLength() {
        return getUint16(CLUSTER_ID_LENGTH_OFFSET);
    }

    private int hostNameLength() {
        return getUint16(HOST_NAME_LENGTH_OFFSET);
    }

    private int addressLength() {
        return getUint16(ADDRESS_LENGTH_OFFSET);
    }

    private int extensionLength() {
        return getUint16(EXTENSION_LENGTH_OFFSET);
    }

    /**
     * Whether the payload starts with the magic bytes.
     *
     * @return true if it does.
     */
    public boolean isMagic() {
        return getLong(MAGIC_OFFSET) == MAGIC;
    }

    /**
     * Whether the sender speaks the version of this library. If not, the rest of the payload means what that other
     * version says, and a text that does not lie within it is empty.
     *
     * @return true if {@link #VERSION} lies between the lowest and the highest version.
     */
    public boolean isSameVersion() {
        return lowestVersion() <= VERSION && VERSION <= highestVersion();
    }

    /**
     * The cluster id.
     *
     * @return the text, 1 to 255 bytes of UTF-8.
     */
    public String clusterId() {
        return getText(TEXT_OFFSET, clusterIdLength());
    }

    /**
     * The last generation that the sender has been part of from its start.
     *
     * @return 0 if there is none, otherwise less than {@link #generation()}.
     */
    public long formerGeneration() {
        return getLong(FORMER_GENERATION_OFFSET);
    }

    /**
     * Tells the former generation from others of the same number: the same for all that were part of it.
     *
     * @return any number; 0 if there is none.
     */
    public long formerIncarnation() {
        return getLong(FORMER_INCARNATION_OFFSET);
    }

    /**
     * The sender's process index in the former generation.
     *
     * @return the index; 0 if there is none.
     */
    public int formerProcessIndex() {
        return getInt(FORMER_PROCESS_INDEX_OFFSET);
    }

    /**
     * How many processes the former generation had.
     *
     * @return the count; 0 if there is none.
     */
    public int formerProcessCount() {
        return getInt(FORMER_PROCESS_COUNT_OFFSET);
    }

    /**
     * How many workers each process of the former generation had.
     *
     * @return the count; 0 if there is none.
     */
    public int formerWorkersPerProcess() {
        return getInt(FORMER_WORKERS_PER_PROCESS_OFFSET);
    }

    /**
     * Puts which generation the sender has been part of before, and as what. Not put: none.
     *
     * @param formerGeneration the generation, 1 or more and less than {@link #generation()}; 0 for none, as are the others then.
     * @param incarnation tells it from others of the same number.
     * @param processIndex the sender's index there.
     * @param processCount how many processes it had.
     * @param workersPerProcess how many workers each of them had.
     * @return this.
     */
    public HelloFlyweight former(
            final long formerGeneration,
            final long incarnation,
            final int processIndex,
            final int processCount,
            final int workersPerProcess) {
        putLong(FORMER_GENERATION_OFFSET, formerGeneration);
        putLong(FORMER_INCARNATION_OFFSET, incarnation);
        putInt(FORMER_PROCESS_INDEX_OFFSET, processIndex);
        putInt(FORMER_PROCESS_COUNT_OFFSET, processCount);
        putInt(FORMER_WORKERS_PER_PROCESS_OFFSET, workersPerProcess);
        return this;
    }

    /**
     * The host name of the sender.
     *
     * @return the text, maybe empty.
     */
    public String hostName() {
        return getText(hostNameOffset(), hostNameLength());
    }

    /**
     * The address at which the sender can be reached.
     *
     * @return the text, maybe empty.
     */
    public String address() {
        return getText(addressOffset(), addressLength());
    }

    /**
     * Puts the three texts, each cut to {@link #NAME_LIMIT} bytes at a code-point boundary, null as empty.
     *
     * @param clusterId the cluster id, not empty; whoever configures it refuses one that would be cut.
     * @param hostName of the sender.
     * @param address at which the sender can be reached.
     * @return this.
     */
    public HelloFlyweight texts(final CharSequence clusterId, final CharSequence hostName, final CharSequence address) {
        int offset = putText(CLUSTER_ID_LENGTH_OFFSET, TEXT_OFFSET, clusterId, NAME_LIMIT);
        offset = putText(HOST_NAME_LENGTH_OFFSET, offset, hostName, NAME_LIMIT);
        putText(ADDRESS_LENGTH_OFFSET, offset, address, NAME_LIMIT);
        return this;
    }

    @Override
    void begin(final DirectBuffer buffer, final int offset, final int length) {
        super.begin(buffer, offset, length);
        putLong(MAGIC_OFFSET, MAGIC);
        lowestVersion(VERSION).highestVersion(VERSION);
    }

    private boolean isFormer() {
        if (formerGeneration() == 0) {
            return formerIncarnation() == 0
                    && formerProcessIndex() == 0
                    && formerProcessCount() == 0
                    && formerWorkersPerProcess() == 0;
        }
        return formerGeneration() > 0
                && formerGeneration() < generation()
                && formerProcessIndex() >= 0
                && formerProcessIndex() < formerProcessCount()
                && formerWorkersPerProcess() >= 1
                && formerWorkersPerProcess() <= WORKERS_LIMIT
                && (long) formerProcessCount() * formerWorkersPerProcess() <= Integer.MAX_VALUE;
    }

    private int hostNameOffset() {
        return TEXT_OFFSET + clusterIdLength();
    }

    private int addressOffset() {
        return hostNameOffset() + hostNameLength();
    }

    private FrameFault validateTexts() {
        if (clusterIdLength() < 1
                || clusterIdLength() > NAME_LIMIT
                || hostNameLength() > NAME_LIMIT
                || addressLength() > NAME_LIMIT) {
            return FrameFault.BAD_PAYLOAD;
        }
        final boolean isText = isUtf8(TEXT_OFFSET, clusterIdLength())
                && isUtf8(hostNameOffset(), hostNameLength())
                && isUtf8(addressOffset(), addressLength());
        return isText ? FrameFault.NONE : FrameFault.BAD_TEXT;
    }

    private boolean isShape() {
        return (mode() == MODE_MESH || mode() == MODE_LINK)
                && generation() >= 1
                && generation() <= GENERATION_MAX
                && processIndex() >= 0
                && expectedProcessIndex() >= 0
                && processCount() >= 1
                && workersPerProcess() >= 1
                && workersPerProcess() <= WORKERS_LIMIT
                && (long) processCount() * workersPerProcess() <= Integer.MAX_VALUE;
    }

    private boolean isSettings() {
        return heartbeatIntervalNs() >= 1
                && silenceTimeoutNs() >= 1
                && channelWindow() >= 1
                && linkWindow() >= 1
                && messageLimit() >= 1
                && frameLimit() >= FrameType.FRAME_LIMIT_MIN
                && frameLimit() <= FrameType.FRAME_LIMIT_MAX;
    }

    @Override
    public int payloadLength() {
        return FIXED_LENGTH + clusterIdLength() + hostNameLength() + addressLength() + extensionLength();
    }

    @Override
    public FrameFault validate() {
        if (view.capacity() < FIXED_LENGTH) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (!isMagic()) {
            return FrameFault.BAD_MAGIC;
        }
        if (lowestVersion() > highestVersion()) {
            return FrameFault.BAD_VALUE;
        }
        if (!isSameVersion()) {
            return FrameFault.NONE;
        }
        if (!isWhole()) {
            return FrameFault.BAD_PAYLOAD;
        }
        if ((settings() & ~PAYLOAD_CHECKS) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return isShape() && isSettings() && isFormer() ? validateTexts() : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.HELLO;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" magic=")
                .append(isMagic())
                .append(" lowestVersion=")
                .append(lowestVersion())
                .append(" highestVersion=")
                .append(highestVersion())
                .append(" mode=")
                .append(mode())
                .append(" generation=")
                .append(generation())
                .append(" instanceNonce=")
                .append(instanceNonce())
                .append(" processIndex=")
                .append(processIndex())
                .append(" processCount=")
                .append(processCount())
                .append(" workersPerProcess=")
                .append(workersPerProcess())
                .append(" expectedProcessIndex=")
                .append(expectedProcessIndex())
                .append(" pid=")
                .append(pid())
                .append(" heartbeatIntervalNs=")
                .append(heartbeatIntervalNs())
                .append(" silenceTimeoutNs=")
                .append(silenceTimeoutNs())
                .append(" channelWindow=")
                .append(channelWindow())
                .append(" linkWindow=")
                .append(linkWindow())
                .append(" messageLimit=")
                .append(messageLimit())
                .append(" frameLimit=")
                .append(frameLimit())
                .append(" settings=")
                .append(settings())
                .append(" formerGeneration=")
                .append(formerGeneration())
                .append(" formerIncarnation=")
                .append(formerIncarnation())
                .append(" formerProcessIndex=")
                .append(formerProcessIndex())
                .append(" formerProcessCount=")
                .append(formerProcessCount())
                .append(" formerWorkersPerProcess=")
                .append(formerWorkersPerProcess());
    }
}
