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
    /** Instead of a place: the channel is full, and refuses. Nothing is claimed. */
    public static final int REFUSED = Outlet.REFUSED;

    private final Outlet outlet;
    private final Outbox outbox;

    RawPusher(final Outlet outlet, final Outbox outbox) {
        this.outlet = outlet;
        this.outbox = outbox;
    }

    /**
     * Claims room for a message. If there is none, what happens is what the channel was allocated with: see {@link OnFull}. Whoever claims has to {@link #commit()} or {@link #abort()}.
     *
     * @param length of the message in bytes, 0 or more
     * @return where the message goes in {@link #buffer()}; all {@code length} bytes are to be written, since old bytes stand there. Or {@link #REFUSED}
     * @throws io.hawser.transport.MessageTooLargeException if the message is longer than {@link io.hawser.transport.ClusterConfig#messageLimit()} or
     *     {@link io.hawser.transport.ClusterConfig#assemblyLimit()}, or, on a channel that refuses, than about half of the channel window
     * @throws StandstillException      if it would wait for this worker itself to pull
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
     * Lets the claimed message go. Waits if the message is for all workers, or too long to travel whole, and the channel waits.
     *
     * @throws IllegalStateException if there is no claim
     * @throws StandstillException   if it would wait for this worker itself to pull; nothing was sent, the claim is given up
     * @throws SpillException        if it cannot be spilled; the claim is given up. A message for all workers may have reached some
     * @throws io.hawser.fate.HealthLostException if it had to wait, and the cluster is lost meanwhile
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
     * Whether whoever it is for has dropped the channel ({@link RawChannel#drop()}): what is claimed and written then is dropped.
     *
     * @return true for good; of a pusher to all workers, once all have dropped it
     */
    public boolean isReceiverGone() {
        return outlet.isReceiverGone();
    }

    /**
     * Pushes a message by copying it. Waits as {@link #claim} does.
     *
     * @param message that holds the message; the caller's again when this returns
     * @param offset  of the message's first byte
     * @param length  of the message in bytes, 0 or more
     * @return {@link PushResult#REFUSED} if the channel is full and refuses; {@link PushResult#RECEIVER_GONE} if nobody reads it any more; else it is pushed
     * @throws io.hawser.transport.MessageTooLargeException   if the message is too long, see {@link #claim}
     * @throws StandstillException        if it would wait for this worker itself to pull; nothing was sent
     * @throws SpillException             if it cannot be spilled; a message for all workers may have reached some
     * @throws IndexOutOfBoundsException  if the message does not lie in its buffer
     * @throws IllegalStateException      if a claim is open, or the worker has ended
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public PushResult push(final DirectBuffer message, final int offset, final int length) {
        message.boundsCheck(offset, length);
        if (outlet.isReceiverGone()) {
            outlet.check(length);
            return PushResult.RECEIVER_GONE;
        }
        final int target = outlet.claim(length);
        if (target == REFUSED) {
            return PushResult.REFUSED;
        }
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
        return PushResult.PUSHED;
    }

    /**
     * Starts a message that is written piece by piece, of any length up to {@link io.hawser.transport.ClusterConfig#messageLimit()}.
     *
     * @param length of the whole message in bytes
     * @return the writer, to be written to until nothing remains
     * @throws io.hawser.transport.MessageTooLargeException if the message is longer than the limit
     * @throws IllegalArgumentException if the length is not positive
     * @throws IllegalStateException    if this pusher is for all workers, a claim is open, another message is being written to the channel, or the worker has ended
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public MessageWriter write(final long length) {
        if (!(outlet instanceof UnicastOutlet)) {
            throw new IllegalStateException(
                    "a message for all workers cannot be written piece by piece; write it to each: channelId="
                            + outlet.channel.id());
        }
        return outbox.write((UnicastOutlet) outlet, length);
    }
}
