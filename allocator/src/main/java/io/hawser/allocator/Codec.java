package io.hawser.allocator;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * How messages of one type lie in memory. A message is encoded straight into the memory that the wire is fed from, and decoded
 * straight out of the memory that it arrived in.
 *
 * <p>What a codec throws reaches the caller of push or pull and costs only that one message: a message that could not be encoded is
 * not sent, not even in part; one that could not be decoded is consumed.
 *
 * <p><em>Threading:</em> called by the thread of the worker that pushes or pulls. One codec given to several workers has to bear
 * concurrent calls; those in {@link Codecs} do. A codec must not use the channel that it is called for.
 *
 * @param <T> the type of the messages
 */
public interface Codec<T> {
    /**
     * How many bytes {@link #encode} will write for a message.
     *
     * @param message to be pushed
     * @return the length in bytes, 0 or more
     */
    int encodedLength(T message);

    /**
     * Writes a message. All {@code length} bytes must be written, since the memory holds whatever was there before; writing beyond
     * them throws.
     *
     * @param message to be pushed
     * @param buffer  to write into, valid during the call only
     * @param offset  of the first byte
     * @param length  what {@link #encodedLength} returned
     */
    void encode(T message, MutableDirectBuffer buffer, int offset, int length);

    /**
     * Reads a message. What it returns must not refer to the buffer, which is used again.
     *
     * @param buffer to read from, valid during the call only
     * @param offset of the message's first byte
     * @param length of the message in bytes
     * @return the message, not null
     */
    T decode(DirectBuffer buffer, int offset, int length);
}
