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
     * Whether whoever it is for has dropped the channel ({@link RawChannel#drop()}): what is claimed and written then is dropped.
     *
     * @return true for good; of a pusher to all workers, once all have dropped it
     */
    public boolean isReceiverGone() {
        return outlet.isReceiverGone();
    }

    /**
     * Pushes a message. If there is no room for it, what happens is what the channel was allocated with: see {@link OnFull}. If the codec throws, that is thrown here, nothing of the message is sent, and the channel remains usable.
     *
     * @param message to be pushed; the caller's again when this returns
     * @return {@link PushResult#REFUSED} if the channel is full and refuses; {@link PushResult#RECEIVER_GONE} if nobody reads it any more; else it is pushed
     * @throws io.hawser.transport.MessageTooLargeException if the message is too long, see {@link RawPusher#claim}
     * @throws StandstillException      if it would wait for this worker itself to pull; nothing was sent
     * @throws SpillException           if it cannot be spilled; a message for all workers may have reached some
     * @throws IllegalStateException    if a claim is open, or the worker has ended
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public PushResult push(final T message) {
        final int length = codec.encodedLength(message);
        if (outlet.isReceiverGone()) {
            outlet.check(length);
            return PushResult.RECEIVER_GONE;
        }
        final int offset = outlet.claim(length);
        if (offset == Outlet.REFUSED) {
            return PushResult.REFUSED;
        }
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
        return PushResult.PUSHED;
    }
}
