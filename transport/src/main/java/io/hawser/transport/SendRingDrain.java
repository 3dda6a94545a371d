package io.hawser.transport;

import io.hawser.framing.FrameHeaderFlyweight;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sending side of a {@link SendRing}. It gives published frames their place in the stream and hands them out as stretches of memory, as
 * they are.
 *
 * <pre>
 *      consumed            sealed            published
 *         |    the stretch    |   not yet sealed  |
 *     ----+-------------------+-------------------+----
 * </pre>
 *
 * <p>It is an object of its own so that its fields do not share a cache line with those that the worker writes at each message.
 *
 * <p><em>Ownership:</em> a stretch belongs to whoever holds the sending half ({@link SendAgent}) until {@link #consumed}; a frame in it has been counted and must be sent.
 *
 * <p><em>Threading:</em> for the holder of the sending half, except where a method says otherwise. {@link #isDrained()} may be asked by one who has just let go
 * of it: what it sees may be stale then, which costs a needless wake-up.
 */
final class SendRingDrain {
    private final int capacity;
    private final SendRingMemory memory;
    private final SendRingPositions positions;
    private final Runnable producerWaker;
    private final StoppedScopes stopped;
    private final UnsafeBuffer buffer;
    private final ByteBuffer stretch;
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();

    // the holder of the sending half
    private long consumed;
    private long sealed;

    // volatile: set once, each by its side
    private volatile boolean isProducerClosed;
    private volatile boolean isReleased;

    SendRingDrain(
            final int capacity,
            final SendRingMemory memory,
            final SendRingPositions positions,
            final Runnable producerWaker,
            final StoppedScopes stopped) {
        this.stopped = stopped;
        this.capacity = capacity;
        this.memory = memory;
        this.positions = positions;
        this.producerWaker = producerWaker;
        this.buffer = memory.consumerBuffer();
        this.stretch = memory.view().limit(0);
    }

    /**
     * Seals published frames, as many as lie one behind the other within a limit, but at least one. What an earlier call has sealed and
     * nobody has consumed comes first.
     *
     * @param sealer   gives each frame its sequence
     * @param maxBytes how long the stretch should be at most
     * @return the length of the {@link #stretch()}, 0 if there is nothing to send
     */
    int sealPublished(final FrameSealer sealer, final int maxBytes) {
        checkHeld();
        final long published = positions.published();
        if (consumed == sealed && consumed < published) {
            skip(published);
        }
        final int start = index(consumed);
        final long limit = Math.min(published, consumed + Math.min(maxBytes, capacity - start));
        while (sealed < published && (sealed < limit || sealed == consumed)) {
            final int aligned = sealNext(sealer, limit);
            if (aligned == 0) {
                break;
            }
            sealed += aligned;
        }
        final int length = (int) (sealed - consumed);
        stretch.limit(start + length).position(start);
        return length;
    }

    /** The bytes to write, as told by the last {@link #sealPublished}; the channel may move the position. Always the same object. */
    ByteBuffer stretch() {
        return stretch;
    }

    /** Where the stretch starts in the ring. */
    int stretchOffset() {
        return index(consumed);
    }

    /**
     * Gives bytes of the stretch back to the worker, and wakes it if it waits for them.
     *
     * @param bytes written to the socket, from the start of the stretch; need not end at a frame
     */
    void consumed(final int bytes) {
        checkHeld();
        if (bytes < 0 || bytes > sealed - consumed) {
            throw new IllegalArgumentException(
                    "more than the stretch holds: bytes=" + bytes + " stretch=" + (sealed - consumed));
        }
        consumed += bytes;
        if (positions.consume(consumed & -FrameHeaderFlyweight.FRAME_ALIGNMENT)) {
            producerWaker.run();
        }
    }

    /** Whether all that was published has been consumed. */
    boolean isDrained() {
        return consumed == positions.published();
    }

    /** Whether nothing will come any more: the worker has closed its side, and all is consumed. */
    boolean isEnded() {
        return isProducerClosed && isDrained();
    }

    /** Lets the memory go; whoever waits for room is told. Idempotent; by the send thread, or another one once it has ended. */
    void release() {
        isReleased = true;
        producerWaker.run();
        memory.letGo(SendRingMemory.CONSUMER);
    }

    /** Any thread. */
    boolean isReleased() {
        return isReleased;
    }

    /** The worker, after its last publication. */
    void onProducerClosed() {
        isProducerClosed = true;
    }

    /** Seals the frame that follows and tells its padded length; 0 if it does not belong to this stretch. */
    private int sealNext(final FrameSealer sealer, final long limit) {
        final int index = index(sealed);
        final int frameLength = frameLength(index);
        if (frameLength == SendRing.SKIP_TO_START) {
            return 0;
        }
        final int aligned = FrameHeaderFlyweight.alignedLength(frameLength);
        if (sealed + aligned > limit && sealed != consumed) {
            return 0;
        }
        header.wrap(buffer, index);
        if (sealed != consumed && stopped.contains(header.scopeId())) {
            return 0; // it is skipped when everything before it has been sent
        }
        sealer.seal(buffer, index, frameLength, header.payloadCheck());
        return aligned;
    }

    /**
     * Goes past what is not to be sent: markers, and frames of stopped scopes, which have not been numbered. Nobody is ahead of a marker but us; a marker is published only
     * together with the frame that it leads to.
     */
    private void skip(final long published) {
        final long before = consumed;
        boolean isSkipped = true;
        while (isSkipped && consumed < published) {
            final int index = index(consumed);
            final int frameLength = frameLength(index);
            if (frameLength == SendRing.SKIP_TO_START) {
                consumed += capacity - index;
            } else if (stopped.contains(header.wrap(buffer, index).scopeId())) {
                consumed += FrameHeaderFlyweight.alignedLength(frameLength);
            } else {
                isSkipped = false;
            }
        }
        sealed = consumed;
        if (consumed != before && positions.consume(consumed)) {
            producerWaker.run();
        }
    }

    /** Up to where frames have been sent, or skipped; any thread. */
    long passedPosition() {
        return positions.consumed();
    }

    private int frameLength(final int index) {
        return buffer.getInt(index, ByteOrder.LITTLE_ENDIAN);
    }

    private int index(final long position) {
        return (int) position & (capacity - 1);
    }

    private void checkHeld() {
        if (isReleased) {
            throw new IllegalStateException("the ring's memory has been let go: consumed=" + consumed);
        }
    }
}
