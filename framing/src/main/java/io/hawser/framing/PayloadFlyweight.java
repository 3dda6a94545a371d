package io.hawser.framing;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A view of one payload, which owns nothing.
 *
 * <p>To read: {@code wrap} the payload of a frame that a decoder has let pass, then call the getters; they trust what
 * {@link #validate} has verified. To write: {@link FrameEncoder} hands out a view of the zeroed payload of a new
 * frame, whose puts are fluent. The family is closed: one class for each type of frame but DATA.
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public abstract class PayloadFlyweight {

    /** The longest host name, address or cluster id in bytes. */
    public static final int NAME_LIMIT = 255;

    /** The longest text of a refusal, a rejection or a cancellation in bytes. */
    public static final int TEXT_LIMIT = 512;

    final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    PayloadFlyweight() {}

    /**
     * The length of the payload as its own fields tell it.
     *
     * @return bytes, without the padding of the frame.
     */
    public abstract int payloadLength();

    /**
     * Judges the structure and the values of the wrapped payload.
     *
     * @return {@link FrameFault#NONE}, or the first fault found.
     */
    public abstract FrameFault validate();

    /** The part of the payload that has the same length in every frame of the type. */
    abstract int fixedLength();

    /** The type of frame whose payload this is. */
    abstract FrameType type();

    abstract void describe(StringBuilder text);

    /** Starts a new payload: all fixed fields zero, nothing behind them. */
    void begin(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        view.setMemory(0, fixedLength(), (byte) 0);
    }

    /** The numbers of the payload as name=value, for messages. Texts are left out: they come from outside. */
    @Override
    public final String toString() {
        final StringBuilder text = new StringBuilder(type().name());
        if (view.capacity() < fixedLength()) {
            return text.append(" (not wrapped)").toString();
        }
        describe(text);
        return text.toString();
    }

    /** Whether the fields tell the very length that was wrapped. The first of all judgements. */
    final boolean isWhole() {
        return view.capacity() >= fixedLength() && payloadLength() == view.capacity();
    }

    final long getLong(final int offset) {
        return view.getLong(offset, LITTLE_ENDIAN);
    }

    final void putLong(final int offset, final long value) {
        view.putLong(offset, value, LITTLE_ENDIAN);
    }

    final int getInt(final int offset) {
        return view.getInt(offset, LITTLE_ENDIAN);
    }

    final void putInt(final int offset, final int value) {
        view.putInt(offset, value, LITTLE_ENDIAN);
    }

    final int getUint16(final int offset) {
        return view.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
    }

    final void putUint16(final int offset, final int value) {
        view.putShort(offset, (short) value, LITTLE_ENDIAN);
    }

    /** Reads a text; empty if it does not lie within the payload, as may be in a HELLO of another version. */
    final String getText(final int offset, final int length) {
        return length > view.capacity() - offset ? "" : view.getStringWithoutLengthUtf8(offset, length);
    }

    /** Writes a text and the field that tells its length; returns the offset behind it. */
    final int putText(final int lengthOffset, final int offset, final CharSequence text, final int limit) {
        final int length = Utf8.encode(text, view, offset, limit);
        putUint16(lengthOffset, length);
        return offset + length;
    }

    final boolean isUtf8(final int offset, final int length) {
        return Utf8.isValid(view, offset, length);
    }
}
