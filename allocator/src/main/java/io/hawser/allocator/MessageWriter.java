package io.hawser.allocator;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes one message piece by piece, for those that are too long to be held in memory. Its receiver reads it piece by piece, too, with
 * {@link RawPuller#pollFragments}, or whole, if it fits its {@link io.hawser.transport.ClusterConfig#assemblyLimit()}.
 *
 * <pre>{@code
 * try (MessageWriter writer = pusher.write(file.size())) {
 *     while (writer.remaining() > 0) {
 *         writer.write(buffer, 0, readNext(buffer));
 *     }
 * }
 * }</pre>
 *
 * <p>While it is open the worker pushes nothing else to the same channel; other channels are free. A worker that ends with an open writer panics, since the receiver would wait for the rest.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
public final class MessageWriter implements AutoCloseable {
    private final Outbox outbox;
    private final UnicastOutlet outlet;
    private final long length;

    /** A message that would fit one frame is sent as one, once it is complete; null for longer ones. */
    private final UnsafeBuffer whole;

    private long done;
    private boolean isRefused;

    MessageWriter(final Outbox outbox, final UnicastOutlet outlet, final long length, final boolean isWhole) {
        this.outbox = outbox;
        this.outlet = outlet;
        this.length = length;
        this.whole = isWhole ? new UnsafeBuffer(new byte[(int) length]) : null;
    }

    /**
     * Writes the next bytes. What is written leaves with the next flush at the latest.
     *
     * @param source that holds them; the caller's again when this returns
     * @param offset of the first byte
     * @param count  how many, at most {@link #remaining()}
     * @return how many were taken: all of them, unless the channel refuses; then as many as there was room for, and the rest is to be written
     *     again after {@link Worker#park()} or {@link Worker#awaitRoom}
     * @throws IndexOutOfBoundsException if the bytes do not lie in their buffer, or are more than remain
     * @throws StandstillException       if it would wait for the worker itself to pull; {@link #remaining()} tells what was taken before that
     * @throws SpillException            if the channel spills and cannot; {@link #remaining()} tells what was taken before that
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public int write(final DirectBuffer source, final int offset, final int count) {
        source.boundsCheck(offset, count);
        if (count > remaining()) {
            throw new IndexOutOfBoundsException("more than remains of the message: count=" + count + " remaining="
                    + remaining() + " messageLength=" + length);
        }
        if (remaining() == 0) {
            return 0;
        }
        outbox.checkWrite(outlet.channel, this);
        if (isRefused) {
            outbox.room().forget(this);
        }
        final long before = done;
        if (whole == null) {
            send(source, offset, count);
        } else {
            gather(source, offset, count);
        }
        if (remaining() == 0) {
            outlet.channel.writer(null);
        }
        return (int) (done - before);
    }

    /**
     * What is still to be written.
     *
     * @return bytes
     */
    public long remaining() {
        return length - done;
    }

    /**
     * Checks that the message is complete.
     *
     * @throws IllegalStateException if it is not; it remains open
     */
    @Override
    public void close() {
        if (remaining() > 0) {
            throw new IllegalStateException("a message is not complete, and its receiver waits for the rest: remaining="
                    + remaining() + " messageLength=" + length + " channelId=" + outlet.channel.id());
        }
    }

    /** Whether there is room for some more, or nothing is to be written any more. */
    boolean hasRoom() {
        if (remaining() == 0) {
            return true;
        }
        return whole == null
                ? outbox.room().hasRoomForFragment(outlet.way(), remaining())
                : outlet.hasRoom((int) length);
    }

    boolean isOf(final ChannelOut channel) {
        return outlet.channel == channel;
    }

    boolean isRefused() {
        return isRefused;
    }

    void refused(final boolean isNow) {
        isRefused = isNow;
    }

    private void gather(final DirectBuffer source, final int offset, final int count) {
        if (count == remaining()) {
            if (outlet.channel.onFull() == OnFull.REFUSE && !outlet.hasRoom((int) length)) {
                outbox.room()
                        .onWriterRefused(
                                this); // all but the last bytes may be taken, these not before the message fits
                return;
            }
            if (outlet.channel.onFull() == OnFull.WAIT) {
                outbox.room().checkNotStuck(outlet.way(), (int) length);
            }
        }
        whole.putBytes((int) done, source, offset, count);
        if (count == remaining()) {
            sendWhole();
        }
        done += count;
    }

    /** If it fails, the message is as it was before its last bytes. */
    private void sendWhole() {
        boolean isSent = false;
        outlet.channel.writer(null); // which claims nothing while a message is being written
        try {
            final int at = outlet.claim((int) length);
            outlet.buffer().putBytes(at, whole, 0, (int) length);
            outlet.commit();
            isSent = true;
        } finally {
            if (!isSent) {
                outlet.channel.writer(this);
            }
        }
    }

    private void send(final DirectBuffer source, final int offset, final int count) {
        if (outlet.spill() != null) {
            final int sent = outlet.spill().sendPart(outlet.way(), length, done, source, offset, count);
            done += sent;
            for (int left = count - sent; left > 0; ) {
                final int kept =
                        outlet.spill().appendPart(outlet.way(), length, done, source, offset + count - left, left);
                done += kept;
                left -= kept;
            }
            return;
        }
        int taken = 0;
        while (taken < count) {
            final int result = outlet.way().tryFragment(length, done, source, offset + taken, count - taken);
            if (result > 0) {
                taken += result;
                done += result;
            } else if (outlet.channel.onFull() == OnFull.REFUSE) {
                outbox.room().onWriterRefused(this);
                return;
            } else {
                outbox.room().await(outlet.way(), result, count - taken);
            }
        }
    }
}
