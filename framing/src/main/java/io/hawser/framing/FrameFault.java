package io.hawser.framing;

/**
 * The closed family of verdicts on bytes that claim to be a frame.
 *
 * <p>A fault is a value, not an exception: bytes come from outside and being wrong is one of the things they may be.
 * From a greeted peer any fault loses the cluster's health; from a stranger it costs that connection. What the caller
 * does next is the same for all of them: deliver nothing of this frame, read nothing more of this stream, and report
 * {@link FrameDecoder#describe}.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum FrameFault {
    /** No fault. */
    NONE(0, "no fault"),
    /**
     * In greeting mode: the first 8 bytes cannot be the start of a HELLO or REFUSE within its limits. Nothing else is
     * judged.
     */
    NOT_GREETING(-1, "not the start of a hello"),
    /** The header's CRC32C does not match; nothing in the header can be believed, its length least of all. */
    BAD_HEADER_CHECK(-2, "bad header check"),
    /** The version field is not 1. */
    BAD_VERSION(-3, "bad version"),
    /** The type number is outside the closed set of {@link FrameType}. */
    UNKNOWN_TYPE(-4, "unknown frame type"),
    /** A flag that the type may not carry, LAST on a fragment, or a reserved field of the payload that is not 0. */
    RESERVED_BITS(-5, "reserved bits set"),
    /** CHECKED is missing where it must be, or set on DATA though payload checks were not agreed. */
    BAD_CHECKED_FLAG(-6, "flag CHECKED against the agreement"),
    /** The frame length is below the type's least or above its limit. */
    BAD_LENGTH(-7, "bad frame length"),
    /** Channel, source worker or target range have values that the type cannot have. */
    BAD_ADDRESS(-8, "bad channel, source or targets"),
    /** The payload's CRC32C does not match, or is not 0 in a frame without CHECKED. */
    BAD_PAYLOAD_CHECK(-9, "bad payload check"),
    /**
     * The bytes between the frame length and the next multiple of 8 are not all zero. Judged with and without
     * CHECKED.
     */
    BAD_PADDING(-10, "padding is not zero"),
    /** The lengths and counts inside the payload exceed their limits or do not add up to the frame length. */
    BAD_PAYLOAD(-11, "payload does not add up"),
    /** The HELLO does not start with the magic bytes. */
    BAD_MAGIC(-12, "not a Hawser hello"),
    /** A number in the payload is outside its range or its closed set. */
    BAD_VALUE(-13, "value outside its range"),
    /** A text of a HELLO is not UTF-8. Other texts are decoded with replacement characters. */
    BAD_TEXT(-14, "text is not UTF-8"),
    /** The records of a DATA frame do not fill its payload exactly, or their padding is not zero. */
    BAD_RECORDS(-15, "records do not fill their frame"),
    /** A fragment without message bytes, or one whose message length contradicts it. */
    BAD_FRAGMENT(-16, "bad fragment");

    private static final FrameFault[] FAULTS = values();

    private final int code;
    private final String text;

    FrameFault(final int code, final String text) {
        this.code = code;
        this.text = text;
    }

    /**
     * Finds a fault by the code that {@link FrameDecoder#decode} returned, without allocation.
     *
     * @param code the returned value; 0 and positive values are no fault.
     * @return the fault.
     * @throws IllegalArgumentException if no fault has this code.
     */
    public static FrameFault of(final int code) {
        if (code >= 0) {
            return NONE;
        }
        if (code <= -FAULTS.length) {
            throw new IllegalArgumentException("no fault has this code: code=" + code);
        }
        return FAULTS[-code];
    }

    /**
     * The code by which a decoder returns this fault.
     *
     * @return a negative number, 0 for {@link #NONE}.
     */
    public int code() {
        return code;
    }

    /**
     * A few words for messages, without values.
     *
     * @return lower-case text.
     */
    public String text() {
        return text;
    }
}
