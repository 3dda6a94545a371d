package io.hawser.transport;

/**
 * Memory that only one lane's messages are copied into, so that what is left unread in it keeps no other lane's memory from being used again.
 *
 * <p><em>Threading:</em> the receive thread.
 */
final class LaneCell {
    private final Slab slab;
    private int position;

    LaneCell(final Slab slab) {
        this.slab = slab;
    }

    Slab slab() {
        return slab;
    }

    /** Starts again from the beginning if nobody else holds any of it. */
    boolean hasRoom(final int length) {
        if (slab.references() == 1) {
            position = 0;
        }
        return slab.length() - position >= length;
    }

    /** Copies a payload in; returns where it lies. */
    int put(final Slab source, final int offset, final int length) {
        final int start = position;
        slab.buffer().putBytes(start, source.buffer(), offset, length);
        position += (length + Long.BYTES - 1) & -Long.BYTES;
        return start;
    }
}
