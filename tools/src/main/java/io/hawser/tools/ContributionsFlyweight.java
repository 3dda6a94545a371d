package io.hawser.tools;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A view of one message of the ranking: what one worker gives to nodes of another in one iteration. What does not fit into
 * one message follows in more of them; the last has nothing remaining.
 *
 * <pre>
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +---------------------------------------------------------------+
 *   |                           iteration                           |   0  int32
 *   +---------------------------------------------------------------+
 *   |                             count                             |   4  int32
 *   +---------------------------------------------------------------+
 *   |                           remaining                           |   8  int32
 *   +---------------------------------------------------------------+
 *   |                       reserved, zero                          |  12  int32
 *   +---------------------------------------------------------------+
 *   |                           dangling                            |  16  float64
 *   |                                                               |
 *   +---------------------------------------------------------------+
 *   |                             slot                              |  24 + 12 i  int32
 *   +---------------------------------------------------------------+
 *   |                         contribution                          |  28 + 12 i  float64
 *   |                                                               |
 *   +---------------------------------------------------------------+
 * </pre>
 *
 * <p>All numbers are little-endian. Slot and contribution repeat count times.
 *
 * <p><em>Threading:</em> one thread.
 */
final class ContributionsFlyweight {
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private static final int ITERATION_OFFSET = 0;
    private static final int COUNT_OFFSET = ITERATION_OFFSET + Integer.BYTES;
    private static final int REMAINING_OFFSET = COUNT_OFFSET + Integer.BYTES;
    private static final int RESERVED_OFFSET = REMAINING_OFFSET + Integer.BYTES;
    private static final int DANGLING_OFFSET = RESERVED_OFFSET + Integer.BYTES;
    private static final int PAIRS_OFFSET = DANGLING_OFFSET + Double.BYTES;
    private static final int CONTRIBUTION_OFFSET = Integer.BYTES;
    private static final int PAIR_LENGTH = CONTRIBUTION_OFFSET + Double.BYTES;

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);

    /** The length in bytes of a message with so many pairs. */
    static int length(final int count) {
        return PAIRS_OFFSET + count * PAIR_LENGTH;
    }

    /** How many pairs fit into a message of so many bytes. */
    static int capacity(final int length) {
        return (length - PAIRS_OFFSET) / PAIR_LENGTH;
    }

    /** Looks at bytes that stay where they are and belong to somebody else. */
    ContributionsFlyweight wrap(final DirectBuffer source, final int offset, final int length) {
        buffer.wrap(source, offset, length);
        return this;
    }

    /** Writes all but the pairs. */
    ContributionsFlyweight header(final int iteration, final int count, final int remaining, final double dangling) {
        final MutableDirectBuffer message = buffer;
        message.putInt(ITERATION_OFFSET, iteration, ORDER);
        message.putInt(COUNT_OFFSET, count, ORDER);
        message.putInt(REMAINING_OFFSET, remaining, ORDER);
        message.putInt(RESERVED_OFFSET, 0, ORDER);
        message.putDouble(DANGLING_OFFSET, dangling, ORDER);
        return this;
    }

    /** Writes one pair. */
    void pair(final int index, final int slot, final double contribution) {
        buffer.putInt(pairOffset(index), slot, ORDER);
        buffer.putDouble(pairOffset(index) + CONTRIBUTION_OFFSET, contribution, ORDER);
    }

    int iteration() {
        return buffer.getInt(ITERATION_OFFSET, ORDER);
    }

    /** How many pairs this message has. */
    int count() {
        return buffer.getInt(COUNT_OFFSET, ORDER);
    }

    /** How many pairs follow in later messages of this iteration. */
    int remaining() {
        return buffer.getInt(REMAINING_OFFSET, ORDER);
    }

    /** What the sender's nodes without references hold. */
    double dangling() {
        return buffer.getDouble(DANGLING_OFFSET, ORDER);
    }

    /** The receiver's slot of a pair. */
    int slot(final int index) {
        return buffer.getInt(pairOffset(index), ORDER);
    }

    /** What the sender gives to the node in that slot. */
    double contribution(final int index) {
        return buffer.getDouble(pairOffset(index) + CONTRIBUTION_OFFSET, ORDER);
    }

    private static int pairOffset(final int index) {
        return PAIRS_OFFSET + index * PAIR_LENGTH;
    }
}
