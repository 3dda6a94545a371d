package io.hawser.transport;

/**
 * Memory that only one lane's messages are copied into, so that what is left unread in it keeps no other lane's memory from being used again.
 *
 * <p><em>Threading:</em> the thread that fills it.
 */
public final class LaneCell {
    private final Slab slab;
    private int position;

    LaneCell(final Slab slab) {
        this.slab = slab;
    }

    /**
     * The memory.
     *
     * @return the slab, to be retained by whoever gets a slice of it
     */
    public Slab slab() {
        return slab;
    }

    /** Starts again from the beginning if nobody else holds any of it. */
    boolean hasRoom(final int length) {
        if (slab.references() == 1) {
            position = 0;
        }
        return slab.length() - position >= length;
    }

    /**
     * Copies a payload in.
     *
     * @param source that holds it
     * @param offset of its first byte
     * @param length in bytes, no more than there is room for
     * @return where it lies in {@link #slab()}
     */
    public int put(final Slab source, final int offset, final int length) {
        final int start = position;
        slab.buffer().putBytes(start, source.buffer(), offset, length);
        position += (length + Long.BYTES - 1) & -Long.BYTES;
        return start;
    }
}
