package io.hawser.spill;

import io.hawser.allocator.SpillStore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;

/**
 * A chain of segments. The first is small and each is twice as long as the one before, so that few bytes cost little and many cost few files. An
 * emptied segment is deleted, except that the last is used again if it is small and the store is not half full: a queue that is now empty, now not,
 * makes no files, and one that stays empty keeps {@link #FIRST_LENGTH} at most. (Pieces too long for a small segment make a file each time then.)
 *
 * <p><em>Threading:</em> one thread at a time, which includes who closes the store.
 */
final class MappedSpillQueue implements SpillStore.Queue {
    /**
     * Of the first segment, in bytes. Holds any message under the default frame limit, takes a fraction of a millisecond to make, and a thousand queues
     * that are empty keep 256 MiB at most.
     */
    static final int FIRST_LENGTH = 256 * 1024;

    /** No segment is longer, unless one piece needs it: so much is given back at a time, and so long a worker is held up to allocate it. */
    static final int LENGTH_LIMIT = 64 * 1024 * 1024;

    private final MappedSpillStore store;
    private final String name;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private Segment head;
    private Segment tail;
    private long pendingBytes;

    MappedSpillQueue(final MappedSpillStore store, final String name) {
        this.store = store;
        this.name = name;
    }

    @Override
    public void append(final long tag, final DirectBuffer source, final int offset, final int length) {
        if (isClosed.get()) {
            throw closed();
        }
        source.boundsCheck(offset, length);
        if (tail == null || !tail.hasRoomFor(length)) {
            extend(length);
        }
        tail.append(tag, source, offset, length);
        pendingBytes += length;
    }

    @Override
    public boolean isEmpty() {
        return head == null || head.isEmpty();
    }

    @Override
    public long pendingBytes() {
        return pendingBytes;
    }

    @Override
    public DirectBuffer headBuffer() {
        return headSegment().buffer();
    }

    @Override
    public int headOffset() {
        return headSegment().headOffset();
    }

    @Override
    public int headLength() {
        return headSegment().headLength();
    }

    @Override
    public long headTag() {
        return headSegment().headTag();
    }

    @Override
    public void removeHead() {
        final Segment segment = headSegment();
        pendingBytes -= segment.headLength();
        segment.removeHead();
        if (segment.isEmpty()) {
            if (segment == tail && segment.length() <= FIRST_LENGTH && store.mayKeepEmpty()) {
                segment.reset();
            } else {
                dropHeadSegment();
            }
        }
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            while (head != null) {
                dropHeadSegment();
            }
            pendingBytes = 0;
            store.forget(this);
        }
    }

    private void extend(final int pieceLength) {
        if (pieceLength > Segment.MAX_PIECE_LENGTH) {
            throw new IllegalArgumentException("a piece is too long for a segment: queue=" + name + " maxPieceLength="
                    + Segment.MAX_PIECE_LENGTH + " length=" + pieceLength);
        }
        if (tail != null && tail.isEmpty()) {
            dropHeadSegment(); // the only one, kept for pieces smaller than this
        }
        final int least = Segment.lengthFor(pieceLength);
        final int grown = tail == null ? FIRST_LENGTH : (int) Math.min(LENGTH_LIMIT, 2L * tail.length());
        final Segment segment = store.newSegment(least, Math.max(least, grown), name);
        if (tail == null) {
            head = segment;
        } else {
            tail.next = segment;
        }
        tail = segment;
    }

    private void dropHeadSegment() {
        final Segment dropped = head;
        head = dropped.next;
        if (head == null) {
            tail = null;
        }
        store.release(dropped);
    }

    private Segment headSegment() {
        if (isEmpty()) {
            throw isClosed.get() ? closed() : new IllegalStateException("nothing waits: queue=" + name);
        }
        return head;
    }

    private IllegalStateException closed() {
        return new IllegalStateException("closed: queue=" + name);
    }
}
