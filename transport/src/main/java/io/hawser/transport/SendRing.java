package io.hawser.transport;

import static io.hawser.framing.FrameHeaderFlyweight.HEADER_LENGTH;

import io.hawser.fate.Health;
import io.hawser.fate.HealthState;
import io.hawser.fate.WakeupRegistration;
import io.hawser.framing.FragmentDescriptor;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordDescriptor;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
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
 * <p>Messages of the same lane extend the open frame. Others, a frame at its limit, a full ring, spent credit, and {@link #flush()}
 * seal it: its length and payload check are filled in while the bytes are hot in this core's cache, then one ordered store publishes it. If the send
 * thread sleeps it is woken once enough has been published, or at a flush the worker sends by itself. What is not flushed may stay here: flush before waiting for anything.
 * A frame never wraps; a marker at the ring's end says to go on at its beginning.
 *
 * <pre>{@code
 * int index;
 * while ((index = ring.tryClaim(lane, length)) < 0) { // length up to lane.wholeFrameLimit(); cut longer ones by tryFragment, or call push
 *     ring.await(lane, index);
 * }
 * ring.buffer().putLong(index, value);
 * ring.commit();
 * }</pre>
 *
 * <p>A ring holds nothing that its receiver has not granted, so whatever is published can be sent, and a lane without credit is in nobody's way.
 *
 * <p><em>Ownership:</em> claimed bytes are the caller's until {@link #commit()} or {@link #abort()}, and hold whatever they held before. The
 * memory is freed when the worker has called {@link #close()} and the send thread has let go too.
 *
 * <p><em>Threading:</em> all methods are for the one worker that owns the ring, except {@link #close()}, which another thread may call once
 * the worker's thread has ended.
 */
public final class SendRing implements AutoCloseable {
    /**
     * There is no room. All that was committed has been published, so that the send thread can make room: call {@link #await},
     * or do something else, and claim again.
     */
    public static final int FULL = -1;

    /**
     * The receiver grants no more for now. All that was committed has been published: call {@link #await}, or do something else, and claim again. For a frame longer than
     * {@link SendLane#wholeFrameLimit()} credit may never come: ask for that again, and cut the message by {@link #tryFragment}.
     */
    public static final int NO_CREDIT = -2;

    /** In place of the id of a dataflow: the messages belong to none, only to the cluster, or the link. */
    public static final long NO_DATAFLOW = 0;

    /** Stands in place of a frame length: nothing more up to the ring's end. */
    static final int SKIP_TO_START = -1;

    private static final int FRAMES_PER_RING = 2;

    /**
     * A frame is sealed at this length even if more would fit: the check and the socket's copy find it in the cache then. With 64-byte messages
     * ({@code ./hawser bench W2 --pin 0/1 --congestion reno}) that was 93 instead of 110 ns of CPU for each message, both processes together.
     */
    private static final int BATCH_LENGTH = 32 * 1024;

    /**
     * Who sends is told of what is published when it is this much, not of each frame: where messages change lanes often frames are short, and a wake-up for each would
     * cost more than the frame. With bursts of 64 messages of 64 bytes, both ways in turn within one pair of pinned processes, it was 13 ± 1.5 % more messages over 16
     * channels than with a wake-up for each frame, and nothing measurable over one; over 1,000, where half of this length was compared, 18 ± 2.6 %. {@code ./hawser bench W2
     * --entrants hawser-16ch,hawser-1000ch} measures the same work in separate processes, which scatter more than that.
     */
    private static final int TELL_LENGTH = 2 * BATCH_LENGTH;

    /** A small ring has to be told of before it is full, so that it is emptied while it is filled. */
    private static final int TELL_DIVISOR = 8;

    private static final int NO_CLAIM = -1;
    private static final int NO_FRAME = -1;

    /** A message is not cut into less, its end apart: many small frames would cost more than waiting for some more room. */
    public static final int FRAGMENT_MIN = 1024;

    private static final Runnable NOBODY = () -> {};

    /**
     * Who waits is woken once this part of the ring is free: one wake-up for many messages, while what is left to send covers the time
     * that waking takes.
     */
    private static final int WAKE_DIVISOR = 4;

    private final int capacity;
    private final int frameLimit;
    private final int batchLength;
    private final int tellLength;
    private final int messageLimit;
    private final int flags;
    private final SendRoute route;
    private final LaneTerms terms;
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
    private SendLane openLane;

    // the worker: its claim, what it has published, and what it waits for
    private int claimEnd = NO_CLAIM;
    private long published;
    private long told;
    private long wanted;
    private boolean isClosed;

    /** Lanes on which something has been sent, ever. */
    private long livedLanes;

    /** Lanes that the receiver has forgotten, ever; counted by the receive thread. */
    private final AtomicLong forgottenLanes = new AtomicLong();

    /** The worker while it waits; volatile, read by whoever wakes it. */
    private volatile Thread waiter;

    /** Whom to tell when nobody waits but somebody asked. */
    private volatile Runnable roomListener = NOBODY;

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
     * @param terms      what has been agreed about lanes
     * @param health     whose loss ends all waiting
     * @param account    where the memory is counted
     * @param waker      told of what is published
     */
    SendRing(
            final int length,
            final int frameLimit,
            final boolean isChecked,
            final SendRoute route,
            final LaneTerms terms,
            final Health health,
            final MemoryAccount account,
            final SendWaker waker) {
        if (Integer.bitCount(length) != 1 || length / FRAMES_PER_RING < frameLimit) {
            throw new IllegalArgumentException(
                    "a ring is a power of two and holds two frames: length=" + length + " frameLimit=" + frameLimit);
        }
        this.capacity = length;
        this.frameLimit = frameLimit;
        this.terms = terms;
        this.batchLength = Math.min(BATCH_LENGTH, frameLimit);
        this.tellLength = Math.min(TELL_LENGTH, length / TELL_DIVISOR);
        this.messageLimit = (int) Math.min(
                frameLimit - HEADER_LENGTH - RecordDescriptor.PREFIX_LENGTH,
                terms.lanes().messageLimit());
        this.flags = FrameFlags.RECORDS | (isChecked ? FrameFlags.CHECKED : 0);
        this.route = route;
        this.health = health;
        this.waker = waker;
        this.memory = new SendRingMemory(length, account);
        this.buffer = memory.producerBuffer();
        this.drain = new SendRingDrain(
                capacity, memory, positions, this::wake, terms.lanes().stopped());
        this.registration = health.addWakeup(this::wake);
    }

    /**
     * Opens a lane, or finds it if it is open. Nothing is sent for that.
     *
     * @param scopeId     the dataflow that the messages belong to, or {@link #NO_DATAFLOW}
     * @param channelId   the channel, ≥ 0
     * @param firstTarget global index of the worker addressed, or of the first one
     * @param targetCount 1, or the number of workers of the process that this ring leads to, for all of them
     * @return the lane, for as long as the ring lives or until {@link #tryClose}
     * @throws IllegalArgumentException if the ring does not lead there
     * @throws IllegalStateException    if the ring is closed
     */
    public SendLane openLane(final long scopeId, final int channelId, final int firstTarget, final int targetCount) {
        checkNoClaim();
        checkAddress(channelId, firstTarget, targetCount);
        final LaneAddress address = new LaneAddress(scopeId, channelId, route.sourceWorker(), firstTarget, targetCount);
        return terms.lanes().add(new SendLane(address, this, terms.channelWindow()));
    }

    /**
     * How many lanes this worker may have open to that process at a time.
     *
     * @return the agreed link window over the agreed channel window, this worker's part of it
     */
    public long laneLimit() {
        return terms.laneLimit();
    }

    /**
     * The longest message that may be sent, in fragments.
     *
     * @return bytes, as both sides have agreed
     */
    public long messageLimit() {
        return terms.lanes().messageLimit();
    }

    /**
     * Claims room for a message.
     *
     * @param lane   of this ring
     * @param length of the message in bytes, 0…{@link #recordLimit()}
     * @return the index in {@link #buffer()} where the message goes, {@link #FULL} or {@link #NO_CREDIT}
     * @throws MessageTooLargeException if the message is longer than the limit
     * @throws IllegalArgumentException if the length is negative
     * @throws IllegalStateException    if the ring or the lane is closed, or the last claim is neither committed nor aborted
     * @throws io.hawser.fate.HealthLostException if health is lost; noticed when a frame is opened or there is no room
     */
    public int tryClaim(final SendLane lane, final int length) {
        checkNoClaim();
        checkLength(length);
        final int recordLength = RecordDescriptor.recordLength(length);
        final boolean isSame = lane == openLane;
        if (!isSame || cursor + recordLength > openLimit) {
            health.check();
            if (!(isSame && mayGrow(recordLength))) {
                sealAndPublish();
                if (published - told >= tellLength) {
                    tell(false);
                }
                final int result = open(lane, recordLength);
                if (result < 0) {
                    tell(false); // what is lacking may depend on it
                    return result;
                }
            }
        }
        claimEnd = cursor + recordLength;
        return RecordDescriptor.begin(buffer, cursor, length);
    }

    /**
     * Puts the next fragment of a message that is too long to travel whole: as much of it as there is room and credit for. If that is all of it, it travels
     * whole.
     *
     * @param lane          of this ring
     * @param messageLength of the whole message in bytes
     * @param done          bytes of it that have been put before
     * @param source        that holds what comes next
     * @param offset        of the next byte
     * @param length        of what the source holds, at least 1
     * @return bytes taken, at least 1, or {@link #FULL} or {@link #NO_CREDIT}
     * @throws MessageTooLargeException if the message is longer than the limit that both sides agreed on
     * @throws IllegalArgumentException if the source holds nothing, or more than is left of the message
     * @throws IllegalStateException if the ring or the lane is closed, or a claim is open
     * @throws io.hawser.fate.HealthLostException if health is lost
     */
    public int tryFragment(
            final SendLane lane,
            final long messageLength,
            final long done,
            final DirectBuffer source,
            final int offset,
            final int length) {
        checkNoClaim();
        checkFragment(lane, messageLength, done, length);
        health.check();
        sealAndPublish();
        tell(false);
        final int prefix = done == 0 ? FragmentDescriptor.PREFIX_LENGTH : 0;
        final long wish = Math.min(frameLimit, (long) HEADER_LENGTH + prefix + length);
        final long least = Math.min(wish, FRAGMENT_MIN);
        final long credit = creditOf(lane);
        if (credit < FrameHeaderFlyweight.alignedLength((int) least)) {
            return NO_CREDIT;
        }
        final int opened = place(lane, FrameHeaderFlyweight.alignedLength((int) least));
        if (opened < 0) {
            return opened;
        }
        final long room = Math.min(Math.min(wish, credit), limit(openIndex, openPosition, frameLimit) - openIndex);
        final int taken = (int) room - HEADER_LENGTH - prefix;
        final boolean isEnd = done + taken == messageLength;
        if (done == 0 && isEnd) { // there happens to be credit for the whole: a record, whose prefix is shorter
            begin(lane, flags);
            cursor = RecordDescriptor.put(buffer, cursor, source, offset, taken);
        } else {
            putFragment(lane, messageLength, done, source, offset, taken);
        }
        final boolean isPublished = sealAndPublish();
        lane.amidMessage(isPublished && !isEnd);
        tell(false);
        return taken;
    }

    private void putFragment(
            final SendLane lane,
            final long messageLength,
            final long done,
            final DirectBuffer source,
            final int offset,
            final int taken) {
        final boolean isEnd = done + taken == messageLength;
        begin(lane, flags & ~FrameFlags.RECORDS | (done == 0 ? FrameFlags.BEGIN : 0) | (isEnd ? FrameFlags.END : 0));
        if (done == 0) {
            cursor = FragmentDescriptor.begin(buffer, cursor, messageLength);
        }
        buffer.putBytes(cursor, source, offset, taken);
        cursor += taken;
    }

    /**
     * Closes a lane: its receiver learns that nothing more comes, and both sides forget it once all has been consumed.
     *
     * @param lane of this ring; must not be used afterwards
     * @return true, or false if the ring is full: {@link #await} and try again
     * @throws IllegalStateException if the ring is closed, or a claim is open
     * @throws io.hawser.fate.HealthLostException if health is lost
     */
    public boolean tryClose(final SendLane lane) {
        checkNoClaim();
        health.check();
        if (lane.isClosed()) {
            return true;
        }
        sealAndPublish();
        tell(false);
        if (!lane.isAlive()) {
            lane.onClosed();
            terms.lanes().remove(lane);
            return true;
        }
        if (place(lane, HEADER_LENGTH) < 0) {
            return false;
        }
        begin(lane, flags | FrameFlags.LAST);
        lane.onClosed();
        sealAndPublish();
        tell(false);
        if (lane.ownWindow() == ReceiveLane.UNBOUNDED) { // nobody will tell
            if (terms.lanes().remove(lane)) {
                livedLanes--;
            }
        }
        return true;
    }

    /**
     * Lets go of a lane whose scope was stopped: nothing more of it is sent, what was pushed and not sent included.
     *
     * @param lane of this ring; must not be used afterwards
     * @throws IllegalStateException if the ring is closed, or a claim is open
     */
    public void drop(final SendLane lane) {
        checkNoClaim();
        if (lane == openLane) {
            openLane = null;
            openLimit = NO_FRAME; // the frame was not published, so the next one takes its place
        }
        if (!lane.isClosed()) {
            lane.onClosed();
        }
        terms.lanes().drop(lane);
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
            openLane = null;
        }
    }

    /**
     * Seals the open frame and publishes it, so that it travels now; nothing happens if there is none.
     *
     * @throws IllegalStateException if a claim is neither committed nor aborted
     */
    public void flush() {
        checkNoClaim();
        sealAndPublish();
        tell(true);
    }

    /**
     * Claims, waits for room if need be, copies and commits. A message that credit may never come for in one piece, see {@link SendLane#wholeFrameLimit()}, is
     * cut if there is none for it now.
     *
     * @param lane   of this ring
     * @param source that holds the message
     * @param offset of the message in the source
     * @param length of the message in bytes, 0…{@link #recordLimit()}
     * @throws MessageTooLargeException if the message is longer than the limit
     * @throws io.hawser.fate.HealthLostException if health is lost
     */
    public void push(final SendLane lane, final DirectBuffer source, final int offset, final int length) {
        source.boundsCheck(offset, length);
        int index = tryClaim(lane, length);
        while (index < 0) {
            if (index == NO_CREDIT && !isCreditSure(lane, length)) {
                pushInFragments(lane, source, offset, length);
                return;
            }
            await(lane, index);
            index = tryClaim(lane, length);
        }
        buffer.putBytes(index, source, offset, length);
        commit();
    }

    private static boolean isCreditSure(final SendLane lane, final int length) {
        return HEADER_LENGTH + RecordDescriptor.recordLength(length) <= lane.wholeFrameLimit();
    }

    private void pushInFragments(final SendLane lane, final DirectBuffer source, final int offset, final int length) {
        int done = 0;
        while (done < length) {
            final int taken = tryFragment(lane, length, done, source, offset + done, length - done);
            if (taken < 0) {
                await(lane, taken);
            } else {
                done += taken;
            }
        }
    }

    /**
     * Parks until what was lacking may be there: room in the ring, or credit. An interrupt does not end the wait, and is kept.
     *
     * @param lane that lacked it
     * @param lack {@link #FULL} or {@link #NO_CREDIT}, as the last call for that lane said
     * @throws io.hawser.fate.HealthLostException if health is lost, before or while waiting
     * @throws IllegalStateException if the ring is closed, or nobody reads it any more though health is not lost
     */
    public void await(final SendLane lane, final int lack) {
        checkNoClaim();
        boolean isInterrupted = false;
        waiter = Thread.currentThread();
        try {
            while (!isThere(lane, lack)) {
                LockSupport.park(this);
                isInterrupted |= Thread.interrupted();
            }
        } finally {
            positions.wantNothing();
            lane.wantNothing();
            waiter = null;
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Asks to be told, through the room listener, when what was lacking may be there.
     *
     * @param lane that lacked it
     * @param lack {@link #FULL} or {@link #NO_CREDIT}, as the last call for that lane said
     * @return true if it is there already
     * @throws io.hawser.fate.HealthLostException if health is lost
     */
    public boolean want(final SendLane lane, final int lack) {
        return isThere(lane, lack);
    }

    /**
     * Sets who is told of what was asked for by {@link #want}.
     *
     * @param listener called by I/O threads; must neither wait nor throw. Called for no reason, too
     */
    public void roomListener(final Runnable listener) {
        roomListener = listener;
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
     * The longest message that travels whole, if there is credit for it.
     *
     * @return bytes
     */
    public int recordLimit() {
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
        sealAndPublish();
        tell(true);
        isClosed = true;
        registration.close();
        drain.onProducerClosed();
        memory.letGo(SendRingMemory.PRODUCER);
        waker.onPublished(drain, false);
    }

    /** Up to where frames have been published; the worker. */
    long publishedPosition() {
        return published;
    }

    /** The other side, for the send thread. */
    SendRingDrain drain() {
        return drain;
    }

    /** The receive thread: the receiver has forgotten a lane, so there may be another one. */
    void onLaneForgotten() {
        forgottenLanes.incrementAndGet();
        wake();
    }

    /** Any thread: what the worker waits for may be there. */
    void wake() {
        final Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
        roomListener.run();
    }

    /** Whether the open frame has room for a record, now that we look at what the consumer has freed, and the receiver granted. */
    private boolean mayGrow(final int recordLength) {
        openLimit = (int) Math.min(limit(openIndex, openPosition, batchLength), openIndex + creditOf(openLane));
        return cursor + recordLength <= openLimit;
    }

    /** How far a frame may extend: to its own limit, to the ring's end, to what is not consumed. All multiples of 8, like its padded end. */
    private int limit(final int index, final long position, final int frameLength) {
        final int free = (int) (positions.consumed() + capacity - position);
        return index + Math.min(free, Math.min(frameLength, capacity - index));
    }

    /** What may be sent on a lane; nothing on one too many. */
    private long creditOf(final SendLane lane) {
        if (lane.isClosed()) {
            throw new IllegalStateException("the lane is closed: " + lane.address());
        }
        final long forgotten = forgottenLanes.get();
        return lane.lookAtCredit(forgotten, livedLanes - forgotten < terms.laneLimit());
    }

    private int open(final SendLane lane, final int recordLength) {
        final int leastLength = FrameHeaderFlyweight.alignedLength(HEADER_LENGTH + recordLength);
        final long credit = creditOf(lane);
        if (credit < leastLength) {
            return NO_CREDIT;
        }
        final int result = place(lane, leastLength);
        if (result < 0) {
            return result;
        }
        openLimit = (int) Math.min(
                Math.max(openIndex + leastLength, limit(openIndex, openPosition, batchLength)), openIndex + credit);
        begin(lane, flags);
        return 0;
    }

    /** Finds the place of the next frame. */
    private int place(final SendLane lane, final int leastLength) {
        if (lane.ring() != this) {
            throw new IllegalArgumentException("a lane of another ring: " + lane.address() + " route=" + route);
        }
        final int end = (int) published & (capacity - 1);
        final int skipped = capacity - end < leastLength ? capacity - end : 0;
        final long position = published + skipped;
        if (position + leastLength - capacity > positions.consumed()) {
            wanted = Math.max(position + leastLength, published + capacity / WAKE_DIVISOR) - capacity;
            return FULL;
        }
        if (skipped != 0) {
            buffer.putInt(end, SKIP_TO_START, ByteOrder.LITTLE_ENDIAN);
        }
        openIndex = (int) position & (capacity - 1);
        openPosition = position;
        return 0;
    }

    private void begin(final SendLane lane, final int frameFlags) {
        openLane = lane;
        openLimit = Math.max(openLimit, 0); // there is a frame
        cursor = encoder.data(buffer, openIndex, frameFlags);
        final LaneAddress address = lane.address();
        encoder.header()
                .scopeId(address.scopeId())
                .channelId(address.channelId())
                .sourceWorker(address.sourceWorker())
                .targets(address.firstTarget(), address.targetCount());
    }

    /** Ends the open frame; false if there is none, or nobody reads its lane any more, so that it is dropped. */
    private boolean sealAndPublish() {
        if (openLimit == NO_FRAME) {
            return false;
        }
        if (openLane.isSink() && !openLane.isClosed()) {
            openLane = null;
            openLimit = NO_FRAME; // nobody reads it: the next frame takes its place
            return false;
        }
        final int alignedLength = encoder.end(cursor - openIndex - HEADER_LENGTH);
        encoder.header().payloadCheck(encoder.payloadCheck(buffer, openIndex));
        if (!openLane.isAlive()) {
            openLane.onFirstFrame();
            livedLanes++;
        }
        openLane.charge(alignedLength);
        openLane = null;
        openLimit = NO_FRAME;
        published = openPosition + alignedLength;
        positions.publish(published);
        return true;
    }

    /** Sees to it that what is published is sent. */
    private void tell(final boolean isUrgent) {
        if (told != published) {
            told = published;
            waker.onPublished(drain, isUrgent);
        }
    }

    /** Says what is wanted, then looks whether it is there. */
    private boolean isThere(final SendLane lane, final int lack) {
        final boolean isCreditLacking = lack == NO_CREDIT;
        if (isCreditLacking) {
            lane.want();
        } else {
            positions.want(wanted);
        }
        health.check();
        if (isCreditLacking ? lane.hasMore(forgottenLanes.get()) : positions.consumed() >= wanted) {
            return true;
        }
        // the send thread may have ended before the verdict about its link: that loses health in bounded time, and
        // wakes us
        if (drain.isReleased() && health.state() == HealthState.ENDED) {
            throw new IllegalStateException("the cluster has ended: health=" + health.state());
        }
        return false;
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

    private void checkFragment(final SendLane lane, final long messageLength, final long done, final int length) {
        if (lane.address().targetCount() > 1) {
            throw new IllegalArgumentException("a message for several workers cannot be cut, send it to each: "
                    + lane.address() + " messageLength=" + messageLength);
        }
        final long limit = terms.lanes().messageLimit();
        if (messageLength > limit) {
            throw new MessageTooLargeException(messageLength, limit);
        }
        if (done < 0 || length < 1 || length > messageLength - done) {
            throw new IllegalArgumentException("no such part of a message: messageLength=" + messageLength + " done="
                    + done + " length=" + length);
        }
    }

    private void checkAddress(final int channelId, final int firstTarget, final int targetCount) {
        final boolean isRange = targetCount == 1 || targetCount == route.workerCount();
        if (channelId < 0 || !isRange || !route.leadsTo(firstTarget, targetCount)) {
            throw new IllegalArgumentException("the ring does not lead there: channelId=" + channelId + " firstTarget="
                    + firstTarget + " targetCount=" + targetCount + " route=" + route);
        }
    }
}
