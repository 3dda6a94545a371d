package io.hawser.framing;

import org.agrona.DirectBuffer;

/**
 * A view of a payload that ends in opaque bytes, whose count only the frame length tells.
 *
 * <p><em>Threading:</em> not thread-safe; one thread owns a flyweight at a time.
 */
public abstract class OpaqueFlyweight extends PayloadFlyweight {

    private int opaqueLength;

    OpaqueFlyweight() {}

    /**
     * The count of opaque bytes.
     *
     * @return bytes.
     */
    public final int opaqueLength() {
        return opaqueLength;
    }

    /**
     * Copies the opaque bytes out.
     *
     * @return a new array of {@link #opaqueLength()} bytes.
     */
    public final byte[] opaque() {
        final byte[] bytes = new byte[opaqueLength];
        view.getBytes(fixedLength(), bytes);
        return bytes;
    }

    /**
     * Puts the opaque bytes. The last put: nothing stands behind them.
     *
     * @param source that holds them.
     * @param sourceOffset of the first byte in the source.
     * @param length of the opaque bytes.
     */
    public final void opaque(final DirectBuffer source, final int sourceOffset, final int length) {
        view.putBytes(fixedLength(), source, sourceOffset, length);
        opaqueLength = length;
    }

    @Override
    public final int payloadLength() {
        return fixedLength() + opaqueLength;
    }

    final void wrapOpaque(final DirectBuffer buffer, final int offset, final int length) {
        view.wrap(buffer, offset, length);
        opaqueLength = Math.max(0, length - fixedLength());
    }

    @Override
    final void begin(final DirectBuffer buffer, final int offset, final int length) {
        super.begin(buffer, offset, length);
        opaqueLength = 0;
    }
}
