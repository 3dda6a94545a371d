package io.hawser.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.SpillStore;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Pieces that can be told from each other: the tag says what the bytes have to be. */
final class Pieces {
    private Pieces() {}

    static void append(final SpillStore.Queue queue, final long tag, final int length) {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[length + 3]);
        for (int i = 0; i < length; i++) {
            source.putByte(3 + i, byteAt(tag, i));
        }
        queue.append(tag, source, 3, length);
    }

    static void assertHead(final SpillStore.Queue queue, final long tag, final int length) {
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.headTag()).isEqualTo(tag);
        assertThat(queue.headLength()).as("tag=%s", tag).isEqualTo(length);
        final DirectBuffer buffer = queue.headBuffer();
        final int offset = queue.headOffset();
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(offset + i) != byteAt(tag, i)) {
                throw new AssertionError("wrong byte: tag=" + tag + " length=" + length + " index=" + i);
            }
        }
    }

    static void assertTaken(final SpillStore.Queue queue, final long tag, final int length) {
        assertHead(queue, tag, length);
        queue.removeHead();
    }

    private static byte byteAt(final long tag, final int index) {
        return (byte) (tag * 31 + index * 7L + (index >> 8));
    }
}
