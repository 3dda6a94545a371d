package io.hawser.jmh.peers;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes what one of the other processes sends in an all-to-all: verifies and counts.
 *
 * <p><em>Threading:</em> the receiving thread; the count and the end can be read by any.
 */
final class MeshSource implements Receiver {
    private final int messageLength;
    private final Ending ending = new Ending();
    private final AtomicLong published = new AtomicLong();
    private long count;

    MeshSource(final int messageLength) {
        this.messageLength = messageLength;
    }

    @Override
    public void onMessage(final long first, final long last, final int length) {
        if (first != count || last != ~first || length != messageLength) {
            onOther(first, last, length);
            return;
        }
        count++;
        published.lazySet(count);
    }

    /** How many messages have been verified. */
    long count() {
        return published.get();
    }

    boolean isEnded() {
        return ending.isReached();
    }

    private void onOther(final long first, final long last, final int length) {
        if (first != Payload.END || ending.isReached()) {
            throw BadMessageException.at(count, first, last, length);
        }
        if (last != count) {
            throw new BadMessageException("messages are lost: sent=" + last + " received=" + count);
        }
        ending.reach();
    }
}
