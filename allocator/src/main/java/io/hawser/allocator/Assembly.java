package io.hawser.allocator;

import io.hawser.framing.FragmentDescriptor;
import io.hawser.transport.MessageTooLargeException;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message that is put together from its fragments. Memory grows with what has come, not with what was announced.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class Assembly {
    /** The setting that says how long a message may be that is put together. */
    static final String LIMIT_NAME = "assemblyLimit";

    private static final int LENGTH_MIN = 64 * 1024;
    private static final byte[] NOTHING = {};
    private static final int NOBODY = -1;

    private final int limit;
    private final UnsafeBuffer buffer = new UnsafeBuffer(NOTHING);
    private int sourceWorker = NOBODY;
    private long messageLength;
    private int length;

    /**
     * An assembly with nothing in it.
     *
     * @param limit the longest message that it takes
     */
    Assembly(final int limit) {
        this.limit = limit;
    }

    /** Whether a message has begun and is not finished with. */
    boolean isActive() {
        return sourceWorker != NOBODY;
    }

    int sourceWorker() {
        return sourceWorker;
    }

    /** Whether the whole message is here. */
    boolean isComplete() {
        return isActive() && length == messageLength;
    }

    DirectBuffer buffer() {
        return buffer;
    }

    int length() {
        return length;
    }

    long messageLength() {
        return messageLength;
    }

    /** Begins with the first fragment of a message, if that is not too long. */
    void begin(final Delivery first, final int channelId) {
        final long announced = first.slab().buffer().getLong(first.offset(), ByteOrder.LITTLE_ENDIAN);
        if (announced > limit) {
            throw new MessageTooLargeException(
                    "a message that is too long to be put together in memory, from worker " + first.sourceWorker()
                            + " on channel " + channelId + "; read it with pollFragments, or raise assemblyLimit",
                    announced,
                    LIMIT_NAME,
                    limit);
        }
        sourceWorker = first.sourceWorker();
        messageLength = announced;
        length = 0;
        append(first, FragmentDescriptor.PREFIX_LENGTH);
    }

    void append(final Delivery next) {
        append(next, 0);
    }

    /** Ends with this message: its memory is given up if it is large, or if somebody retains it. */
    void end(final boolean isRetained) {
        sourceWorker = NOBODY;
        if (isRetained || buffer.capacity() > LENGTH_MIN) {
            buffer.wrap(NOTHING);
        }
    }

    private void append(final Delivery fragment, final int prefix) {
        final int count = fragment.length() - prefix;
        if (buffer.capacity() - length < count) {
            grow(length + count);
        }
        buffer.putBytes(length, fragment.slab().buffer(), fragment.offset() + prefix, count);
        length += count;
    }

    private void grow(final int needed) {
        final long doubled = Math.max(LENGTH_MIN, Math.max(needed, 2L * buffer.capacity()));
        final byte[] larger = new byte[(int) Math.min(doubled, messageLength)];
        buffer.getBytes(0, larger, 0, length);
        buffer.wrap(larger);
    }
}
