package io.hawser.allocator;

import io.hawser.framing.FragmentDescriptor;
import io.hawser.framing.FrameFault;
import io.hawser.framing.RecordIterator;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What has arrived for one channel of one worker and was not yet pulled. Exists from the first delivery on, even if the worker
 * allocates the channel later, so that a message that comes early keeps its place.
 *
 * <p>The message at the head stays in place, and its slab stays retained, until {@link #consume()}. A message that came in fragments is put together first, one
 * at a time: meanwhile other fragmented messages wait within their credit, and with them whatever comes later from the same worker.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class ChannelQueue {
    /** A delivery of less than this part of its slab is not held for a message that is retained: a few bytes would keep all of the slab. */
    private static final int HELD_DIVISOR = 4;

    private final long scopeId;
    private final int channelId;
    private final Intake intake;
    private final Deque<Delivery> waiting = new ArrayDeque<>();

    /** What has to wait until the message that is being put together is complete, and from whom. */
    private final Deque<Delivery> postponed = new ArrayDeque<>();

    private final IntHashSet postponedSources = new IntHashSet();
    private final RecordIterator records = new RecordIterator();
    private final Assembly assembly;

    /** Where messages that are read piece by piece have got to, by source worker. */
    private final Int2ObjectHashMap<Progress> progresses = new Int2ObjectHashMap<>();

    /** The delivery that the iterator stands in, on a message not yet consumed; null if there is none. */
    private Delivery current;

    /** The memory of the current delivery. */
    private DirectBuffer buffer;

    private boolean isAllocated;
    private boolean isClosed;
    private boolean isInUse;
    private boolean isRetained;

    /** What is in use is a piece of a message. */
    private boolean isPieceShown;

    /** A message of which some fragments have been handed out. */
    private static final class Progress {
        private long messageLength;
        private long position;
    }

    ChannelQueue(final long scopeId, final int channelId, final Intake intake, final int assemblyLimit) {
        this.scopeId = scopeId;
        this.channelId = channelId;
        this.intake = intake;
        this.assembly = new Assembly(assemblyLimit);
    }

    long scopeId() {
        return scopeId;
    }

    int channelId() {
        return channelId;
    }

    boolean isAllocated() {
        return isAllocated;
    }

    void allocate() {
        isAllocated = true;
    }

    /** How many deliveries are here that a pull would look at, the one being read included. */
    int deliveryCount() {
        return waiting.size() + (current == null ? 0 : 1);
    }

    /** Appends a delivery, whose slab reference it takes over. */
    void add(final Delivery delivery) {
        waiting.add(delivery);
    }

    /** Whether there is a message at the head; looks into the inbox if need be. */
    boolean hasMessage() {
        checkNotInUse(); // before anything is taken
        return current != null || assembly.isComplete() || advance();
    }

    DirectBuffer buffer() {
        return current == null ? assembly.buffer() : buffer;
    }

    int messageOffset() {
        return current == null ? 0 : records.messageOffset();
    }

    int messageLength() {
        return current == null ? assembly.length() : records.messageLength();
    }

    int sourceWorker() {
        return current == null ? assembly.sourceWorker() : current.sourceWorker();
    }

    /** Marks the head as being looked at by user code, which must not come back here meanwhile. */
    void beginUse() {
        checkNotInUse();
        isInUse = true;
    }

    private void checkNotInUse() {
        if (isInUse) {
            throw new IllegalStateException(
                    "a handler or codec must not pull from its own channel: channelId=" + channelId);
        }
    }

    /** The memory that is being looked at must not be given back. */
    void checkClosable() {
        if (isInUse) {
            throw new IllegalStateException(
                    "a handler or codec must not close its own channel, close it afterwards: channelId=" + channelId);
        }
    }

    /** Keeps the head, which is being looked at, beyond {@link #consume()}. */
    RetainedMessage retain() {
        if (!isInUse || isPieceShown) {
            throw new IllegalStateException("there is no whole message to retain, "
                    + (isPieceShown ? "only a piece of one" : "outside of a handler") + ": channelId=" + channelId);
        }
        if (current == null) {
            isRetained = true;
            return new RetainedMessage(new UnsafeBuffer(assembly.buffer()), 0, messageLength(), sourceWorker(), null);
        }
        if (current.length() < current.slab().length() / HELD_DIVISOR) {
            final byte[] copy = new byte[messageLength()];
            buffer.getBytes(messageOffset(), copy);
            return new RetainedMessage(new UnsafeBuffer(copy), 0, copy.length, sourceWorker(), null);
        }
        final RetainedMessage message =
                new RetainedMessage(buffer, messageOffset(), messageLength(), sourceWorker(), current);
        current.hold(); // last: what is held is given back by the message alone
        return message;
    }

    /** Goes to the next message; after the last one of a delivery its slab is released. */
    void consume() {
        isInUse = false;
        if (isClosed) {
            releaseHead();
        } else if (current == null) {
            assembly.end(isRetained);
            isRetained = false;
            resume();
        } else if (!records.next()) {
            final Delivery finished = current;
            current = null;
            buffer = null;
            intake.onConsumed();
            try {
                checkRecords(finished);
            } finally {
                finished.release();
            }
        }
    }

    /**
     * Shows the next piece of a message to a handler.
     *
     * @return whether there was one
     */
    boolean pollFragment(final FragmentHandler handler) {
        checkNotInUse(); // before anything is taken
        if (assembly.isActive()) {
            return showAssembled(handler);
        }
        if (current == null && waiting.isEmpty() && !intake.fetch(this)) {
            return false;
        }
        if (current == null && !waiting.peek().isFragment()) {
            wrap(waiting.poll());
        }
        if (current == null) {
            showFragment(handler, waiting.poll());
            return true;
        }
        beginUse();
        final int length = messageLength();
        try {
            handler.onFragment(buffer, messageOffset(), length, sourceWorker(), 0, length);
        } finally {
            consume();
        }
        return true;
    }

    /** Shows all deliveries that are here. */
    void forEach(final Consumer<Delivery> action) {
        if (current != null) {
            action.accept(current);
        }
        waiting.forEach(action);
        postponed.forEach(action);
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Releases everything; what user code is just looking at, when it has done so. */
    void close() {
        isClosed = true;
        if (!isInUse) {
            releaseHead();
        }
        release(waiting);
        release(postponed);
    }

    private void releaseHead() {
        assembly.end(isRetained);
        isRetained = false;
        if (current != null) {
            final Delivery head = current;
            current = null;
            buffer = null;
            head.release();
        }
    }

    private static void release(final Deque<Delivery> deliveries) {
        for (Delivery delivery = deliveries.poll(); delivery != null; delivery = deliveries.poll()) {
            delivery.release();
        }
    }

    private boolean advance() {
        while (!waiting.isEmpty() || intake.fetch(this)) {
            final Delivery head = waiting.peek();
            if (isToWait(head)) {
                postpone(waiting.poll());
            } else if (!head.isFragment()) {
                wrap(waiting.poll());
                return true;
            } else if (assemble(head)) {
                return true;
            }
        }
        return false;
    }

    private boolean isToWait(final Delivery delivery) {
        final int source = delivery.sourceWorker();
        return assembly.isActive()
                && source != assembly.sourceWorker()
                && (delivery.isFragment() || postponedSources.contains(source));
    }

    private void postpone(final Delivery delivery) {
        postponed.add(delivery);
        postponedSources.add(delivery.sourceWorker());
        intake.onConsumed(); // nothing that a pull could give out
    }

    /** Adds a fragment to its message; returns whether that is complete. If it is too long it stays at the head. */
    private boolean assemble(final Delivery fragment) {
        if (fragment.isBegin()) {
            assembly.begin(fragment, channelId);
        } else {
            continueAssembly(fragment);
        }
        waiting.poll();
        intake.onConsumed();
        fragment.release();
        return assembly.isComplete();
    }

    private void continueAssembly(final Delivery fragment) {
        if (!assembly.isActive()) {
            throw new IllegalStateException(
                    "a message is being read piece by piece, go on with pollFragments until it is complete: channelId="
                            + channelId + " sourceWorker=" + fragment.sourceWorker());
        }
        assembly.append(fragment);
    }

    /** What was postponed comes before what came later. */
    private void resume() {
        while (!postponed.isEmpty()) {
            waiting.addFirst(postponed.pollLast());
            intake.onResumed();
        }
        postponedSources.clear();
    }

    private void wrap(final Delivery delivery) {
        current = delivery;
        buffer = current.slab().buffer();
        records.wrap(buffer, current.offset(), current.length());
        if (!records.next()) {
            checkRecords(current);
        }
    }

    /** What has been put together of a message is its first piece. */
    private boolean showAssembled(final FragmentHandler handler) {
        final int source = assembly.sourceWorker();
        final Progress progress = new Progress();
        progress.messageLength = assembly.messageLength();
        progress.position = assembly.length();
        if (!assembly.isComplete()) {
            progresses.put(source, progress);
        }
        beginUse();
        isPieceShown = true;
        try {
            handler.onFragment(assembly.buffer(), 0, assembly.length(), source, 0, assembly.messageLength());
        } finally {
            endPiece();
            assembly.end(false);
            resume();
        }
        return true;
    }

    private void showFragment(final FragmentHandler handler, final Delivery fragment) {
        final int source = fragment.sourceWorker();
        final DirectBuffer memory = fragment.slab().buffer();
        final int prefix = fragment.isBegin() ? FragmentDescriptor.PREFIX_LENGTH : 0;
        Progress progress = progresses.get(source);
        if (progress == null) {
            progress = new Progress();
            progress.messageLength = memory.getLong(fragment.offset(), ByteOrder.LITTLE_ENDIAN);
            progresses.put(source, progress);
        }
        final int length = fragment.length() - prefix;
        final long position = progress.position;
        progress.position += length;
        if (progress.position == progress.messageLength) {
            progresses.remove(source);
        }
        beginUse();
        isPieceShown = true;
        try {
            handler.onFragment(memory, fragment.offset() + prefix, length, source, position, progress.messageLength);
        } finally {
            endPiece();
            intake.onConsumed();
            fragment.release();
        }
    }

    private void endPiece() {
        isInUse = false;
        isPieceShown = false;
    }

    /** Received records were judged before they came here, and local ones are laid by us. */
    private void checkRecords(final Delivery delivery) {
        if (records.fault() != FrameFault.NONE) {
            throw new IllegalStateException("records do not fill their delivery, please report it: channelId="
                    + channelId + " delivery=" + delivery);
        }
    }
}
