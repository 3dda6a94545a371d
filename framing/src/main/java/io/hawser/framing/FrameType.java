package io.hawser.framing;

import static io.hawser.framing.FrameFlags.CHECKED;
import static io.hawser.framing.FrameFlags.CONFIRM;
import static io.hawser.framing.FrameFlags.LAST;
import static io.hawser.framing.FrameFlags.RECORDS;
import static io.hawser.framing.FrameFlags.REPLY;

/**
 * The closed set of frame types, with their numbers on the wire and the bounds of their lengths.
 *
 * <p>Numbers are explicit, unique and never reused. A number outside this set is a violation.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum FrameType {
    /** Who I am and what I insist on. */
    HELLO(1, HelloFlyweight.FIXED_LENGTH + 1, 2_048, REPLY),
    /** I have a greeted link to every peer. */
    READY(2, ReadyFlyweight.FIXED_LENGTH, 64, 0),
    /** Records, or a fragment of one message. */
    DATA(3, 1, FrameType.AGREED, RECORDS | LAST),
    /** I live; my clock, my totals, my workers' progress. */
    HEARTBEAT(4, HeartbeatFlyweight.FIXED_LENGTH, 48 + HeartbeatFlyweight.MAX_LENGTH, 0),
    /** You may have sent up to so many bytes on this channel. */
    CREDIT(5, CreditFlyweight.FIXED_LENGTH, 64, 0),
    /** I have sent all my data; the totals. */
    HANGUP(6, HangupFlyweight.FIXED_LENGTH, 80, CONFIRM),
    /** My health is lost; the first cause. */
    ABORT(7, AbortFlyweight.FIXED_LENGTH, 4_096, 0),
    /** I do not talk to you, and why. */
    REFUSE(8, RefuseFlyweight.FIXED_LENGTH, 1_024, 0),
    /** Will you take this work? It carries no plan. */
    START(9, StartFlyweight.FIXED_LENGTH, 4_096, 0),
    /** Yes, reserved. */
    ACCEPT(10, AcceptFlyweight.FIXED_LENGTH, 64, 0),
    /** No, why, and where to try. */
    REJECT(11, RejectFlyweight.FIXED_LENGTH, 1_024, 0),
    /** Begin; the plan. */
    GO(12, GoFlyweight.FIXED_LENGTH, FrameType.AGREED, 0),
    /** Drop this dataflow, channel or reservation. */
    CANCEL(13, CancelFlyweight.FIXED_LENGTH, 1_024, 0),
    /** The answer to CANCEL. */
    CANCELLED(14, CancelledFlyweight.FIXED_LENGTH, 64, 0),
    /** A small message beside the data. */
    NOTICE(15, NoticeFlyweight.FIXED_LENGTH, 4_096, 0),
    /** A push of mine has been waiting for a while, or does so no longer. */
    WAIT(16, WaitFlyweight.FIXED_LENGTH, 2_128, 0),
    /** The final word of a process about a dataflow. */
    FATE(17, FateFlyweight.FIXED_LENGTH, 4_096, 0);

    /** The least frame limit that two sides may agree, so that a frame always has room for some message bytes. */
    public static final int FRAME_LIMIT_MIN = 1_024;

    /** The greatest frame limit that two sides may agree, so that no sum of a position and a length overflows. */
    public static final int FRAME_LIMIT_MAX = 1 << 30;

    private static final int AGREED = -1;

    private static final FrameType[] BY_NUMBER = byNumber();

    private final int number;
    private final int minLength;
    private final int maxLength;
    private final int allowedFlags;

    FrameType(final int number, final int minPayloadLength, final int maxLength, final int ownFlags) {
        this.number = number;
        this.minLength = FrameHeaderFlyweight.HEADER_LENGTH + minPayloadLength;
        this.maxLength = maxLength;
        this.allowedFlags = CHECKED | ownFlags;
    }

    /**
     * Finds a type by its number on the wire, without allocation.
     *
     * @param number as read from a header, any value.
     * @return the type, or null if the number is outside the closed set.
     */
    public static FrameType of(final int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /**
     * The number of this type on the wire.
     *
     * @return the number, 1 or more.
     */
    public int number() {
        return number;
    }

    /**
     * The least frame length of this type, header included, padding excluded; of DATA that without LAST.
     *
     * @return bytes.
     */
    public int minLength() {
        return minLength;
    }

    /**
     * The least frame length of this type with these flags, header included, padding excluded.
     *
     * @param flags of the frame; DATA with LAST may have an empty payload.
     * @return bytes.
     */
    public int minLength(final int flags) {
        return this == DATA && FrameFlags.isLast(flags) ? FrameHeaderFlyweight.HEADER_LENGTH : minLength;
    }

    /**
     * The greatest frame length of this type, header included, padding excluded.
     *
     * @param frameLimit that the two sides have agreed, which bounds DATA and GO.
     * @return bytes.
     */
    public int maxLength(final int frameLimit) {
        return maxLength == AGREED ? frameLimit : maxLength;
    }

    /**
     * The flag bits that a frame of this type may carry.
     *
     * @return a set of {@link FrameFlags}.
     */
    public int allowedFlags() {
        return allowedFlags;
    }

    /**
     * Whether this type may stand at the start of a stream, before the other side is known.
     *
     * @return true for HELLO and REFUSE.
     */
    public boolean isGreeting() {
        return this == HELLO || this == REFUSE;
    }

    private static FrameType[] byNumber() {
        final FrameType[] types = new FrameType[values().length + 1];
        for (final FrameType type : values()) {
            types[type.number] = type;
        }
        return types;
    }
}
