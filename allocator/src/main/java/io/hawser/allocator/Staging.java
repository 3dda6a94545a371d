package io.hawser.allocator;

import org.agrona.BitUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where a message is written that cannot be written where it is sent from.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class Staging {
    /** Kept for the next message; more is given back to the collector. */
    private static final int KEPT_MAX = 1024 * 1024;

    private static final int LENGTH_MIN = 4 * 1024;
    private static final byte[] NOTHING = {};

    private final UnsafeBuffer buffer = new UnsafeBuffer(NOTHING);

    MutableDirectBuffer buffer() {
        return buffer;
    }

    void ensure(final int length) {
        if (buffer.capacity() < length) {
            buffer.wrap(new byte[capacityFor(length)]);
        }
    }

    void shrink() {
        if (buffer.capacity() > KEPT_MAX) {
            buffer.wrap(NOTHING);
        }
    }

    private static int capacityFor(final int length) {
        return length > KEPT_MAX ? length : BitUtil.findNextPositivePowerOfTwo(Math.max(LENGTH_MIN, length));
    }
}
