package io.hawser.allocator;

import io.hawser.transport.LaneAddress;
import io.hawser.transport.SendRing;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What one channel could not send to one process yet, in order: from the first message that finds no room until the queue is empty, everything goes through
 * it, so that spilled and unspilled messages are one queue.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class SpillLane {
    /** In a tag: the target is all workers of the process. */
    private static final int ALL = 0xFFFF;

    /** In a tag: the piece is part of a streamed message, and starts with where it belongs. */
    private static final int PART = 1 << 16;

    private static final int PART_PREFIX_LENGTH = 2 * Long.BYTES;

    /** Of a streamed message, at most so much is kept as one piece: it is copied here first. */
    static final int PART_MAX = 64 * 1024;

    private final RoomWait room;
    private final Supplier<SpillStore> spillStores;
    private final Way[] toEach;
    private final Way toAll;
    private final String name;
    private final UnsafeBuffer part = new UnsafeBuffer(new byte[0]);

    /** Opened with the first message. */
    private SpillStore.Queue queue;

    /** How much of the head has been sent, and, if it goes to several workers one after the other, which one's turn it is. */
    private int headDone;

    private int headTarget;

    /** How often something of it has been sent. */
    private long sendCount;

    SpillLane(
            final RoomWait room,
            final Supplier<SpillStore> spillStores,
            final Way[] toEach,
            final Way toAll,
            final String name) {
        this.room = room;
        this.spillStores = spillStores;
        this.toEach = toEach;
        this.toAll = toAll;
        this.name = name;
    }

    /** Throws if what it belongs to is over: then nothing of it is sent any more. */
    void check() {
        toAll.check();
    }

    boolean isEmpty() {
        return queue == null || queue.isEmpty();
    }

    /** Sends a message, or keeps it: either whole. */
    void push(final Way way, final DirectBuffer message, final int offset, final int length) {
        if (isEmpty() && length <= way.recordLimit()) {
            final int index = way.tryClaim(length);
            if (index >= 0) {
                way.buffer().putBytes(index, message, offset, length);
                way.commit();
                return;
            }
        }
        append(targetOf(way), message, offset, length);
        drain();
    }

    /** Sends of a part of a streamed message what can go before it would have to be kept: bytes taken. */
    int sendPart(
            final Way way,
            final long messageLength,
            final long done,
            final DirectBuffer source,
            final int offset,
            final int length) {
        int taken = 0;
        while (isEmpty() && taken < length) {
            final int count = way.tryFragment(messageLength, done + taken, source, offset + taken, length - taken);
            if (count < 0) {
                break;
            }
            taken += count;
        }
        return taken;
    }

    /** Keeps a part of a streamed message, or as much of it as makes one piece: bytes taken. */
    int appendPart(
            final Way way,
            final long messageLength,
            final long done,
            final DirectBuffer source,
            final int offset,
            final int length) {
        final int count = Math.min(length, PART_MAX);
        if (part.capacity() < PART_PREFIX_LENGTH + count) {
            part.wrap(new byte[PART_PREFIX_LENGTH + count]);
        }
        part.putLong(0, messageLength);
        part.putLong(Long.BYTES, done);
        part.putBytes(PART_PREFIX_LENGTH, source, offset, count);
        append(targetOf(way) | PART, part, 0, PART_PREFIX_LENGTH + count);
        return count;
    }

    /**
     * Sends what there is room for, and asks for a signal if something is left.
     *
     * @return whether nothing is left
     */
    boolean drain() {
        if (isEmpty()) {
            return true;
        }
        whereabouts().beginWait(); // for the disk
        try {
            return sendWhatFits();
        } finally {
            whereabouts().goOn();
        }
    }

    private boolean sendWhatFits() {
        while (!isEmpty()) {
            final Way way = headWay();
            final int lack = sendHead(way);
            if (lack < 0 && !way.want(lack)) {
                return false;
            }
        }
        return true;
    }

    private Whereabouts whereabouts() {
        return room.signal().whereabouts();
    }

    /** Drops everything. Idempotent. */
    void close() {
        if (queue != null) {
            whereabouts().beginWait(); // for the disk
            try {
                queue.close();
            } finally {
                whereabouts().goOn();
            }
            queue = null;
        }
    }

    private void append(final long tag, final DirectBuffer source, final int offset, final int length) {
        final boolean isFirst;
        whereabouts().beginWait(); // for the disk
        try {
            if (queue == null) {
                queue = spillStores.get().openQueue(name);
            }
            isFirst = queue.isEmpty();
            queue.append(tag, source, offset, length);
        } finally {
            whereabouts().goOn();
        }
        if (isFirst) {
            room.onSpilling(this);
        }
    }

    private int targetOf(final Way way) {
        if (way == toAll && toEach.length > 1) {
            return ALL;
        }
        return way.address().firstTarget() - toEach[0].address().firstTarget(); // all of a process, or the only one
    }

    /** Where the oldest goes. */
    LaneAddress headAddress() {
        return headWay().address();
    }

    /** How long the oldest is. */
    int headLength() {
        return queue.headLength();
    }

    /** Grows with all that is sent. */
    long sendCount() {
        return sendCount;
    }

    private Way headWay() {
        final int target = (int) queue.headTag() & ALL;
        if (target != ALL) {
            return toEach[target];
        }
        final boolean isShared = headTarget == 0 && headDone == 0 && queue.headLength() <= toAll.wholeLimit();
        return isShared ? toAll : toEach[headTarget];
    }

    /** Sends the head, or some of it; 0, or what is lacking. */
    private int sendHead(final Way way) {
        final DirectBuffer buffer = queue.headBuffer();
        final int offset = queue.headOffset();
        final int length = queue.headLength();
        if ((queue.headTag() & PART) != 0) {
            final long messageLength = buffer.getLong(offset);
            final long done = buffer.getLong(offset + Long.BYTES);
            return sendFragment(
                    way, messageLength, done, buffer, offset + PART_PREFIX_LENGTH, length - PART_PREFIX_LENGTH);
        }
        if (headDone == 0 && length <= way.recordLimit()) {
            final int index = way.tryClaim(length);
            if (index >= 0) {
                way.buffer().putBytes(index, buffer, offset, length);
                way.commit();
                endHead(way);
                return 0;
            }
            if (index == SendRing.FULL || length <= way.wholeLimit()) {
                return index;
            }
        }
        return sendFragment(way, length, 0, buffer, offset, length);
    }

    private int sendFragment(
            final Way way,
            final long messageLength,
            final long done,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        final int count = way.tryFragment(messageLength, done + headDone, buffer, offset + headDone, length - headDone);
        if (count < 0) {
            return count;
        }
        headDone += count;
        sendCount++;
        if (headDone == length) {
            endHead(way);
        }
        return 0;
    }

    private void endHead(final Way way) {
        headDone = 0;
        sendCount++;
        final boolean isForAll = ((int) queue.headTag() & ALL) == ALL;
        if (isForAll && way != toAll && headTarget < toEach.length - 1) {
            headTarget++;
            return;
        }
        headTarget = 0;
        queue.removeHead();
    }
}
