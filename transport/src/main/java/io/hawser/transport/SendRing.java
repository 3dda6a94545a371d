package io.hawser.transport;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;

import io.hawser.fate.Health;
import io.hawser.fate.HealthState;
import io.hawser.fate.WakeupRegistration;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordDescriptor;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The way of one worker's messages to one process: a ring of DATA frames laid out exactly as on the wire, so that the worker serialises in
 * place and the send thread, or the worker itself at a flush, writes the same bytes to the socket.
 *
 * <pre>
 *    claim, write, commit     claim, write, commit          seal
 *   +--------+--------------+----------------------+- - -+- - - - +
 *   | header | record       | record               |     | padding |   the open frame
 *   +--------+--------------+----------------------+- - -+- - - - +
 * </pre>
 *
 * <p>Messages for the same scope, channel and targets extend the open frame. Others, a frame at its limit, a full ring, and {@link #flush()}
 * seal it: its length and payload check are filled in while the bytes are hot in this core's cache, then one ordered store publishes it, and
 * if the send thread sleeps it is woken, or at a flush the worker sends by itself. What is neither sealed nor flushed stays here: flush before waiting for anything.
 * A frame never wraps; a marker at the ring's end says to go on at its beginning.
 *
 * <pre>{@code
 * int index;
 * while ((index = ring.tryClaim(scopeId, channelId, worker, 1, length)) == SendRing.FULL) {
 *     ring.awaitSpace();
 * }
 * ring.buffer().putLong(index, value);
 * ring.commit();
 * }</pre>
 *
 * <p><em>Ownership:</em> claimed bytes are the caller's until {@link #commit()} or {@link #abort()}, and hold whatever they held before. The
 * memory is freed when the worker has called {@link #close()} and the send thread has let go too.
 *
 * <p><em>Threading:</em> all methods are for the one worker that owns the ring, except {@link #close()}, which another thread may call once
 * the worker's thread has ended.
 */
public final class SendRing implements AutoCloseable {
    /**
     * There is no room. All that was committed has been published, so that the send thread can make room: call {@link #awaitSpace()},
     * or do something else, and claim again.
     */
    public static final int FULL = -1;

    /** Stands in place of a frame length: nothing more up to the ring's end. */
    static final int SKIP_TO_START = -1;

    private static final int FRAMES_PER_RING = 2;

    /**
     * A frame is sealed at this length even if more would fit: the check and the socket's copy find it in the cache then. With 64-byte messages
     * ({@code ./hawser bench W2 --pin 0/1 --congestion reno}) that was 93 instead of 110 ns of CPU for each message, both processes together.
     */
    private static final int BATCH_LENGTH = 32 * 1024;

    private static final int NO_CLAIM = -1;
    private static final int NO_FRAME = -1;

    /**
     * Who waits is woken once this part of the ring is free: one wake-up for many messages, while what is left to send covers the time
     * that waking takes.
     */
    private static final int WAKE_DIVISOR = 4;

    private final int capacity;
    private final int batchLength;
    private final int messageLimit;
    private final int flags;
    private final SendRoute route;
    private final Health health;
    private final SendWaker waker;
    private final SendRingMemory memory;
    private final UnsafeBuffer buffer;
    private final FrameEncoder encoder = new FrameEncoder();

    // the worker: the open frame. Indexes are places in the buffer
    private int cursor;
    private int openLimit = NO_FRAME;
    private int openIndex;
    private long openPosition;
    private long openScopeId;
    private int openChannelId;
    private int openFirstTarget;
    private int openTargetCount;

    // the worker: its claim, what it has published, and what it waits for
    private int claimEnd = NO_CLAIM;
    private long published;
    private long wanted;
    private boolean isClosed;

    /** The worker while it waits; volatile, read by whoever wakes it. */
    private volatile Thread waiter;

    private final SendRingPositions positions = new SendRingPositions();
    private final SendRingDrain drain;
    private final WakeupRegistration registration;

    /**
     * Creates an empty ring.
     *
     * @param length     of the ring in bytes, a power of two, at least two frames
     * @param frameLimit the agreed limit of a frame in bytes
     * @param isChecked  whether payload checks are agreed
     * @param route      whose ring it is and where it leads
     * @param health     whose loss ends all waiting
     * @param account    where the memory is counted
     * @param waker      told of what is published
     */
    SendRing(
            final int length,
            final int frameLimit,
            final boolean isChecked,
            final SendRoute route,
            final Health health,
            final MemoryAccount account,
            final SendWaker waker) {
        if (Integer.bitCount(length) != 1 || length / FRAMES_PER_RING < frameLimit) {
            throw new IllegalArgumentException(
                    "a ring is a power of two and holds two frames: length=" + length + " frameLimit=" + frameLimit);
        }
        this.capacity = length;
        this.batchLength = Math.min(BATCH_LENGTH, frameLimit);
        this.messageLimit = frameLimit - HEADER_LENGTH - RecordDescriptor.PREFIX_LENGTH;
        this.flags = FrameFlags.RECORDS | (isChecked ? FrameFlags.CHECKED : 0);
        this.route = route;
        this.health = health;
        this.waker = waker;
        this.memory = new SendRingMemory(length, account);
        this.buffer = memory.producerBuffer();
        this.drain = new SendRingDrain(capacity, memory, positions, this::wakeWaiter);
        this.registration = health.addWakeup(this::wakeWaiter);
    }

    /**
     * Claims room for a message.
     *
     * @param scopeId     the dataflow that the message belongs to
     * @param channelId   the channel, ≥ 0
     * @param firstTarget global index of the first worker addressed
     * @param targetCount how many workers are addressed, all of them in the process that this ring leads to
     * @param length      of the message in bytes, 0…{@link #messageLimit()}
     * @return the index in {@link #buffer()} where the message goes, or {@link #FULL}
     * @throws MessageTooLargeException if the message is longer than the limit
     * @throws IllegalArgumentException if channel, targets or length are out of range
     * @throws IllegalStateException    if the ring is closed, or the last claim is neither committed nor aborted
     * @throws io.hawser.fate.HealthLostException if health is lost; noticed when a frame is opened or the ring is full
     */
    public int tryClaim(
            final long scopeId, final int channelId, final int firstTarget, final int targetCount, final int length) {
        checkNoClaim();
        checkLength(length);
        final int recordLength = RecordDescriptor.recordLength(length);
        final boolean isSame = isOpenFor(scopeId, channelId, firstTarget, targetCount);
        if (!isSame || cursor + recordLength > openLimit) {
            health.check();
            if (!(isSame && mayGrow(recordLength))) {
                sealAndPublish(false);
                if (!open(scopeId, channelId, firstTarget, targetCount, recordLength)) {
                    return FULL;
                }
            }
        }
        claimEnd = cursor + recordLength;
        return RecordDescriptor.begin(buffer, cursor, length);
    }

    /**
     * Makes the claimed message part of the open frame. It travels at the latest after {@link #flush()}.
     *
     * @throws IllegalStateException if nothing is claimed
     */
    public void commit() {
        checkClaim();
        cursor = claimEnd;
        claimEnd = NO_CLAIM;
    }

    /**
     * Takes the claim back; the message leaves no trace.
     *
     * @throws IllegalStateException if nothing is claimed
     */
    public void abort() {
        checkClaim();
        claimEnd = NO_CLAIM;
        if (cursor == openIndex + HEADER_LENGTH) {
            openLimit = NO_FRAME;
        }
    }

    /**
     * Seals the open frame and publishes it, so that it travels now; nothing happens if there is none.
     *
     * @throws IllegalStateException if a claim is neither committed nor aborted
     */
    public void flush() {
        checkNoClaim();
        sealAndPublish(true);
    }

    /**
     * Claims, waits for room if need be, copies and commits.
     *
     * @param scopeId     the dataflow that the message belongs to
     * @param channelId   the channel, ≥ 0
     * @param firstTarget global index of the first worker addressed
     * @param targetCount how many workers are addressed
     * @param source      that holds the message
     * @param offset      of the message in the source
     * @param length      of the message in bytes, 0…{@link #messageLimit()}
     * @throws MessageTooLargeException if the message is longer than the limit
     * @throws io.hawser.fate.HealthLostException if health is lost
     */
    public void push(
            final long scopeId,
            final int channelId,
            final int firstTarget,
            final int targetCount,
            final DirectBuffer source,
            final int offset,
            final int length) {
        source.boundsCheck(offset, length);
        int index = tryClaim(scopeId, channelId, firstTarget, targetCount, length);
        while (index == FULL) {
            awaitSpace();
            index = tryClaim(scopeId, channelId, firstTarget, targetCount, length);
        }
        buffer.putBytes(index, source, offset, length);
        commit();
    }

    /**
     * Parks until there is room for what did not fit last. An interrupt does not end the wait, and is kept.
     *
     * @throws io.hawser.fate.HealthLostException if health is lost, before or while waiting
     * @throws IllegalStateException if the ring is closed, or nobody reads it any more though health is not lost
     */
    public void awaitSpace() {
        checkNoClaim();
        boolean isInterrupted = false;
        waiter = Thread.currentThread();
        try {
            while (!hasSpace()) {
                LockSupport.park(this);
                isInterrupted |= Thread.interrupted();
            }
        } finally {
            positions.wantNothing();
            waiter = null;
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The ring's memory, for the bytes of claimed messages.
     *
     * @return the buffer, always the same; valid until {@link #close()}
     */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /**
     * The longest message.
     *
     * @return bytes
     */
    public int messageLimit() {
        return messageLimit;
    }

    /** Gives up a claim if there is one, publishes what was committed, and lets the memory go. Idempotent. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        if (claimEnd != NO_CLAIM) {
            abort();
        }
        sealAndPublish(true);
        isClosed = true;
        registration.close();
        drain.onProducerClosed();
        memory.letGo(SendRingMemory.PRODUCER);
        waker.onPublished(drain, false);
    }

    /** The other side, for the send thread. */
    SendRingDrain drain() {
        return drain;
    }

    private boolean isOpenFor(final long scopeId, final int channelId, final int firstTarget, final int targetCount) {
        return openLimit != NO_FRAME
                && channelId == openChannelId
                && firstTarget == openFirstTarget
                && targetCount == openTargetCount
                && scopeId == openScopeId;
    }

    /** Whether the open frame has room for a record, now that we look at what the consumer has freed. */
    private boolean mayGrow(final int recordLength) {
        openLimit = limit(openIndex, openPosition);
        return cursor + recordLength <= openLimit;
    }

    /** How far a frame may extend: to its own limit, to the ring's end, to what is not consumed. All multiples of 8, like its padded end. */
    private int limit(final int index, final long position) {
        final int free = (int) (positions.consumed() + capacity - position);
        return index + Math.min(free, Math.min(batchLength, capacity - index));
    }

    private boolean open(
            final long scopeId,
            final int channelId,
            final int firstTarget,
            final int targetCount,
            final int recordLength) {
        checkAddress(channelId, firstTarget, targetCount);
        final int leastLength = FrameHeaderFlyweight.alignedLength(HEADER_LENGTH + recordLength);
        final int end = (int) published & (capacity - 1);
        final int skipped = capacity - end < leastLength ? capacity - end : 0;
        final long position = published + skipped;
        if (position + leastLength - capacity > positions.consumed()) {
            wanted = Math.max(position + leastLength, published + capacity / WAKE_DIVISOR) - capacity;
            return false;
        }
        if (skipped != 0) {
            buffer.putInt(end, SKIP_TO_START, ByteOrder.LITTLE_ENDIAN);
        }
        openIndex = (int) position & (capacity - 1);
        openPosition = position;
        openLimit = Math.max(openIndex + leastLength, limit(openIndex, position));
        openScopeId = scopeId;
        openChannelId = channelId;
        openFirstTarget = firstTarget;
        openTargetCount = targetCount;
        cursor = encoder.data(buffer, openIndex, flags);
        encoder.header()
                .scopeId(scopeId)
                .channelId(channelId)
                .sourceWorker(route.sourceWorker())
                .targets(firstTarget, targetCount);
        return true;
    }

    private void sealAndPublish(final boolean isUrgent) {
        if (openLimit == NO_FRAME) {
            return;
        }
        final int alignedLength = encoder.end(cursor - openIndex - HEADER_LENGTH);
        encoder.header().payloadCheck(encoder.payloadCheck(buffer, openIndex));
        openLimit = NO_FRAME;
        published = openPosition + alignedLength;
        positions.publish(published);
        waker.onPublished(drain, isUrgent);
    }

    private boolean hasSpace() {
        positions.want(wanted);
        health.check();
        if (positions.consumed() >= wanted) {
            return true;
        }
        // the send thread may have ended before the verdict about its link: that loses health in bounded time, and
        // wakes us
        if (drain.isReleased() && health.state() == HealthState.ENDED) {
            throw new IllegalStateException("the cluster has ended: health=" + health.state());
        }
        return false;
    }

    private void wakeWaiter() {
        final Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    private void checkClaim() {
        if (claimEnd == NO_CLAIM) {
            throw new IllegalStateException("nothing is claimed: claimEnd=" + claimEnd);
        }
    }

    private void checkNoClaim() {
        if (claimEnd != NO_CLAIM || isClosed) {
            throw new IllegalStateException(
                    (isClosed ? "the ring is closed" : "a claim is neither committed nor aborted") + ": claimEnd="
                            + claimEnd);
        }
    }

    private void checkLength(final int length) {
        if (length > messageLimit) {
            throw new MessageTooLargeException(length, messageLimit);
        }
        if (length < 0) {
            throw new IllegalArgumentException("a message has no negative length: length=" + length);
        }
    }

    private void checkAddress(final int channelId, final int firstTarget, final int targetCount) {
        if (channelId < 0 || !route.leadsTo(firstTarget, targetCount)) {
            throw new IllegalArgumentException("the ring does not lead there: channelId=" + channelId + " firstTarget="
                    + firstTarget + " targetCount=" + targetCount + " route=" + route);
        }
    }
}
