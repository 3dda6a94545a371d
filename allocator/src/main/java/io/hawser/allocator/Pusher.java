package io.hawser.allocator;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Pushes messages of a {@link Channel} to one worker, or to all. They are encoded straight into the memory that the socket, or the other
 * worker, reads.
 *
 * <p>Messages to one worker arrive in the order in which they were pushed. They leave when enough of them have gathered, and at the latest with the next
 * flush or park.
 *
 * <p><em>Threading:</em> the worker's thread.
 *
 * @param <T> the type of the messages
 */
public final class Pusher<T> {
    private final Outlet outlet;
    private final Codec<T> codec;

    /** Covers the claim and no more, so that a codec that miscounts hurts no other message. */
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);

    Pusher(final Outlet outlet, final Codec<T> codec) {
        this.outlet = outlet;
        this.codec = codec;
    }

    /**
     * Pushes a message. Waits while what was pushed before has not left; that is bounded as long as the other process reads or its
     * silence is noticed. If the codec throws, that is thrown here, nothing of the message is sent, and the channel remains usable.
     *
     * @param message to be pushed; the caller's again when this returns
     * @throws io.hawser.transport.MessageTooLargeException if the message is longer than {@link io.hawser.transport.ClusterConfig#messageLimit()}
     * @throws IllegalStateException    if a claim is open, or the worker has ended
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public void push(final T message) {
        final int length = codec.encodedLength(message);
        final int offset = outlet.claim(length);
        boolean isEncoded = false;
        try {
            view.wrap(outlet.buffer(), offset, length);
            codec.encode(message, view, 0, length);
            isEncoded = true;
        } finally {
            if (!isEncoded) {
                outlet.abort();
            }
        }
        outlet.commit();
    }
}
