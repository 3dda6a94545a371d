package io.hawser.allocator;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Pushes messages of a {@link RawChannel} to one worker, or to all. A message is either given as bytes, or written in place, where
 * the socket (or the other worker) reads it:
 *
 * <pre>{@code
 * int offset = pusher.claim(16);
 * pusher.buffer().putLong(offset, key);
 * pusher.buffer().putLong(offset + 8, value);
 * pusher.commit();
 * }</pre>
 *
 * <p>Messages to one worker arrive in the order of their commits. They leave when enough of them have gathered, and at the latest with the next
 * flush or park.
 *
 * <p>A worker has one open claim at a time, over all its channels.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
public final class RawPusher {
    private final Outlet outlet;

    RawPusher(final Outlet outlet) {
        this.outlet = outlet;
    }

    /**
     * Claims room for a message. Waits while what was pushed before has not left; that is bounded as long as the other process reads
     * or its silence is noticed. Whoever claims has to {@link #commit()} or {@link #abort()}.
     *
     * @param length of the message in bytes, 0 or more
     * @return where the message goes in {@link #buffer()}; all {@code length} bytes are to be written, since old bytes stand there
     * @throws io.hawser.transport.MessageTooLargeException if the message is longer than {@link io.hawser.transport.ClusterConfig#messageLimit()}
     * @throws IllegalStateException    if another claim is open, or the worker has ended
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public int claim(final int length) {
        return outlet.claim(length);
    }

    /**
     * The memory that the claim lies in, together with other messages. Only the claimed bytes may be touched, and only until the commit.
     *
     * @return the buffer of the open claim; another claim may lie in another buffer
     */
    public MutableDirectBuffer buffer() {
        return outlet.buffer();
    }

    /**
     * Lets the claimed message go.
     *
     * @throws IllegalStateException if there is no claim
     * @throws io.hawser.fate.HealthLostException if it is for all workers, some of it had to wait, and the cluster is lost meanwhile
     */
    public void commit() {
        outlet.commit();
    }

    /**
     * Gives the claim up: nothing is sent.
     *
     * @throws IllegalStateException if there is no claim
     */
    public void abort() {
        outlet.abort();
    }

    /**
     * Pushes a message by copying it. Waits as {@link #claim} does.
     *
     * @param message that holds the message; the caller's again when this returns
     * @param offset  of the message's first byte
     * @param length  of the message in bytes, 0 or more
     * @throws io.hawser.transport.MessageTooLargeException   if the message is longer than {@link io.hawser.transport.ClusterConfig#messageLimit()}
     * @throws IndexOutOfBoundsException  if the message does not lie in its buffer
     * @throws IllegalStateException      if a claim is open, or the worker has ended
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public void push(final DirectBuffer message, final int offset, final int length) {
        message.boundsCheck(offset, length);
        final int target = outlet.claim(length);
        boolean isWritten = false;
        try {
            outlet.buffer().putBytes(target, message, offset, length);
            isWritten = true;
        } finally {
            if (!isWritten) {
                outlet.abort();
            }
        }
        outlet.commit();
    }
}
