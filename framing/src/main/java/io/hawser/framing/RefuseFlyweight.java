package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * The payload of REFUSE: the sender does not talk to the receiver, and why.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +---------------------------------------------------------------+
 * |                             reason                            |   0
 * +---------------------------------------------------------------+
 * |         lowest version        |        highest version        |   4
 * +---------------------------------------------------------------+
 * |                           generation                          |   8
 * |                                                               |
 * +---------------------------------------------------------------+
 * |                         process index                         |  16
 * +---------------------------------------------------------------+
 * |          text length          |          reserved, 0          |  20
 * +---------------------------------------------------------------+
 * |                    the reason in words                     ...  24
 * +---------------------------------------------------------------+
 * </pre>
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public final class RefuseFlyweight extends PayloadFlyweight {

    private static final int REASON_OFFSET = 0;
    private static final int LOWEST_VERSION_OFFSET = REASON_OFFSET + Integer.BYTES;
    private static final int HIGHEST_VERSION_OFFSET = LOWEST_VERSION_OFFSET + Short.BYTES;
    private static final int GENERATION_OFFSET = HIGHEST_VERSION_OFFSET + Short.BYTES;
    private static final int PROCESS_INDEX_OFFSET = GENERATION_OFFSET + Long.BYTES;
    private static final int TEXT_LENGTH_OFFSET = PROCESS_INDEX_OFFSET + Integer.BYTES;
    private static final int RESERVED_OFFSET = TEXT_LENGTH_OFFSET + Short.BYTES;

    /** Bytes of the fields that every REFUSE has. */
    public static final int FIXED_LENGTH = RESERVED_OFFSET + Short.BYTES;

    /** Bytes of the longest payload of this type. */
    public static final int MAX_LENGTH = FIXED_LENGTH + TEXT_LIMIT;

    private static final int TEXT_OFFSET = FIXED_LENGTH;

    /** Creates a flyweight that is not yet wrapped. */
    public RefuseFlyweight() {}

    /**
     * Wraps the payload of a frame.
     *
     * @param buffer that holds it.
     * @param offset of the payload's first byte.
     * @param length of the payload without the padding.
     * @return this.
     */
    public RefuseFlyweight wrap(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        return this;
    }

    /**
     * The reason.
     *
     * @return the constant, or null if the number is outside the closed set.
     */
    public RefuseReason reason() {
        return RefuseReason.of(getInt(REASON_OFFSET));
    }

    /**
     * Puts the reason.
     *
     * @param reason the constant.
     * @return this.
     */
    public RefuseFlyweight reason(final RefuseReason reason) {
        putInt(REASON_OFFSET, reason.number());
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
    public RefuseFlyweight lowestVersion(final int lowestVersion) {
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
    public RefuseFlyweight highestVersion(final int highestVersion) {
        putUint16(HIGHEST_VERSION_OFFSET, highestVersion);
        return this;
    }

    /**
     * The generation of the refusing process.
     *
     * @return the field's value.
     */
    public long generation() {
        return getLong(GENERATION_OFFSET);
    }

    /**
     * Puts the generation of the refusing process.
     *
     * @param generation the field's value.
     * @return this.
     */
    public RefuseFlyweight generation(final long generation) {
        putLong(GENERATION_OFFSET, generation);
        return this;
    }

    /**
     * The index of the refusing process.
     *
     * @return the field's value.
     */
    public int processIndex() {
        return getInt(PROCESS_INDEX_OFFSET);
    }

    /**
     * Puts the index of the refusing process.
     *
     * @param processIndex the field's value.
     * @return this.
     */
    public RefuseFlyweight processIndex(final int processIndex) {
        putInt(PROCESS_INDEX_OFFSET, processIndex);
        return this;
    }

    private int textLength() {
        return getUint16(TEXT_LENGTH_OFFSET);
    }

    /**
     * The reason in words. What is not UTF-8 in it is replaced: the reason matters more than its spelling.
     *
     * @return the text, maybe empty.
     */
    public String text() {
        return getText(TEXT_OFFSET, textLength());
    }

    /**
     * Puts the reason in words, cut to {@link #TEXT_LIMIT} bytes at a code-point boundary, null as empty.
     *
     * @param text the words.
     * @return this.
     */
    public RefuseFlyweight text(final CharSequence text) {
        putText(TEXT_LENGTH_OFFSET, TEXT_OFFSET, text, TEXT_LIMIT);
        return this;
    }

    @Override
    void begin(final DirectBuffer buffer, final int offset, final int length) {
        super.begin(buffer, offset, length);
        lowestVersion(HelloFlyweight.VERSION).highestVersion(HelloFlyweight.VERSION);
    }

    @Override
    public int payloadLength() {
        return FIXED_LENGTH + textLength();
    }

    @Override
    public FrameFault validate() {
        if (!isWhole() || textLength() > TEXT_LIMIT) {
            return FrameFault.BAD_PAYLOAD;
        }
        if (getUint16(RESERVED_OFFSET) != 0) {
            return FrameFault.RESERVED_BITS;
        }
        return reason() != null && lowestVersion() <= highestVersion() && generation() >= 0 && processIndex() >= 0
                ? FrameFault.NONE
                : FrameFault.BAD_VALUE;
    }

    @Override
    int fixedLength() {
        return FIXED_LENGTH;
    }

    @Override
    FrameType type() {
        return FrameType.REFUSE;
    }

    @Override
    void describe(final StringBuilder text) {
        text.append(" reason=")
                .append(getInt(REASON_OFFSET))
                .append(" lowestVersion=")
                .append(lowestVersion())
                .append(" highestVersion=")
                .append(highestVersion())
                .append(" generation=")
                .append(generation())
                .append(" processIndex=")
                .append(processIndex());
    }
}
