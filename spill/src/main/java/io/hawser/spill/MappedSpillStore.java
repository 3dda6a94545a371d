package io.hawser.spill;

import io.hawser.allocator.SpillException;
import io.hawser.allocator.SpillStore;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import net.openhft.chronicle.core.io.IORuntimeException;

/**
 * Queues over mapped files of one directory, with one limit for all. What counts is the length of their segments, full or not.
 *
 * <p><em>Threading:</em> any thread; who closes it sees to it that nobody is using a queue, whose memory goes away.
 */
final class MappedSpillStore implements SpillStore {
    private final SpillDirectory directory;
    private final long limit;
    private final BlockAllocator blocks;
    private final AtomicLong used = new AtomicLong();
    private final Set<MappedSpillQueue> queues = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    MappedSpillStore(final SpillDirectory directory, final long limit, final BlockAllocator blocks) {
        this.directory = directory;
        this.limit = limit;
        this.blocks = blocks;
    }

    @Override
    public Queue openQueue(final String name) {
        final MappedSpillQueue queue = new MappedSpillQueue(this, name);
        queues.add(queue);
        if (isClosed) { // asked after the queue can be found, so that a close meanwhile misses none
            queue.close();
            throw new IllegalStateException("closed: store=" + directory + " queue=" + name);
        }
        return queue;
    }

    @Override
    public long usedBytes() {
        return used.get();
    }

    @Override
    public long limit() {
        return limit;
    }

    @Override
    public void close() {
        isClosed = true;
        queues.forEach(MappedSpillQueue::close);
        directory.close();
    }

    void forget(final MappedSpillQueue queue) {
        queues.remove(queue);
    }

    /**
     * Makes a segment, a shorter one than wished where the limit is near.
     *
     * @param least  length in bytes that is of use, a multiple of {@link Segment#GRANULE}
     * @param wished length in bytes, not below the least
     * @param queue  for messages
     * @throws SpillException if the limit or the disk is full, or the disk fails
     */
    Segment newSegment(final int least, final int wished, final String queue) {
        int length = wished;
        while (!reserve(length)) {
            if (length == least) {
                throw failed(
                        "the limit is reached; raise it, or see why the receivers do not pull", queue, least, null);
            }
            length = Math.max(least, length / 2 / Segment.GRANULE * Segment.GRANULE);
        }
        boolean isMade = false;
        try {
            final Segment segment = new Segment(new SegmentFile(directory.newFile(), length, blocks));
            isMade = true;
            return segment;
        } catch (final IOException | IORuntimeException cause) {
            throw failed("no room on the disk, or it fails; make room, or use another directory", queue, length, cause);
        } finally {
            if (!isMade) {
                used.addAndGet(-length);
            }
        }
    }

    /** Closes a segment and lets others have its bytes. */
    void release(final Segment segment) {
        final int length = segment.length();
        segment.close();
        used.addAndGet(-length);
    }

    /** Whether an empty segment may stay: not where such segments could take more than half of the limit from those that hold something. */
    boolean mayKeepEmpty() {
        return used.get() <= limit / 2;
    }

    private boolean reserve(final int length) {
        long before = used.get();
        while (length <= limit - before) {
            if (used.compareAndSet(before, before + length)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    private SpillException failed(final String what, final String queue, final int length, final Exception cause) {
        return new SpillException(
                "cannot spill: " + what + ": queue=" + queue + " neededBytes=" + length + " usedBytes=" + used
                        + " limit=" + limit + " directory=" + directory
                        + (cause == null ? "" : " cause=" + cause.getMessage()),
                cause);
    }
}
