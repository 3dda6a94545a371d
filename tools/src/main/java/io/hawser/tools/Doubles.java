package io.hawser.tools;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * Numbers as text that loses no bit: each as eight big-endian bytes, all together in Base64.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class Doubles {
    private Doubles() {}

    static String toText(final double[] values) {
        final ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES);
        bytes.asDoubleBuffer().put(values);
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    static double[] fromText(final String text) {
        final ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
        final double[] values = new double[bytes.remaining() / Double.BYTES];
        bytes.asDoubleBuffer().get(values);
        return values;
    }
}
