package io.hawser.allocator;

import org.agrona.DirectBuffer;

/**
 * Sees messages where they lie.
 *
 * <p><em>Threading:</em> called by the worker's thread, from within {@link RawPuller#poll}.
 */
@FunctionalInterface
public interface MessageHandler {
    /**
     * A message. What is thrown here leaves {@code poll}; the message counts as consumed.
     *
     * @param buffer       that holds the message. Lent for this call: whoever wants the bytes afterwards copies them
     * @param offset       of the message's first byte; multiples of 4, not of 8
     * @param length       of the message in bytes, 0 or more
     * @param sourceWorker global index of the worker that pushed it
     */
    void onMessage(DirectBuffer buffer, int offset, int length, int sourceWorker);
}
