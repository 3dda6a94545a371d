package io.hawser.transport;

import java.util.List;
import org.agrona.BitUtil;

/**
 * Where the payloads of lanes are copied to once unread messages keep too many slabs from being used again: an unread message of a few bytes would pin a slab
 * of a megabyte, whereas a cell holds messages of one lane only, at least half of it full or yet to be filled. So what is held stays near what the lanes are charged.
 *
 * <p><em>Threading:</em> the receive thread of one link; for the lanes within a process the worker that sends. Slabs are released by any thread.
 */
public final class LaneCells {
    private static final int CELL_MIN = 4 * 1024;
    private static final int POOLED_PER_SIZE = 4;

    private final MemoryAccount account;
    private final List<SlabPool> pools;

    /** By the power of two of their length over {@link #CELL_MIN}; made when first needed. */
    private final SlabPool[] bySize = new SlabPool[Integer.SIZE];

    /**
     * Creates cells, none yet.
     *
     * @param account where the memory is counted
     * @param pools   where pools are kept for whoever closes them; safe for concurrent use
     */
    public LaneCells(final MemoryAccount account, final List<SlabPool> pools) {
        this.account = account;
        this.pools = pools;
    }

    /**
     * The cell of a lane with room for a payload: the one that it has, or a new one in its place.
     *
     * @param current the lane's cell, null if it has none
     * @param length  of the payload in bytes
     * @return the lane's cell from now on; its slab is to be released when the lane is over
     */
    public LaneCell withRoom(final LaneCell current, final int length) {
        if (current != null && isOfSize(current.slab().length(), length) && current.hasRoom(length)) {
            return current;
        }
        final LaneCell next = acquire(length);
        if (current != null) {
            current.slab().release();
        }
        return next;
    }

    /** A few bytes must not hold a large cell. */
    private static boolean isOfSize(final int cellLength, final int length) {
        return cellLength == CELL_MIN || length > cellLength / 4;
    }

    /** What unused cells may take, in bytes: some of each power of two up to that of a frame. */
    static long pooledBytesMax(final int frameLimit) {
        return 2L * POOLED_PER_SIZE * BitUtil.findNextPositivePowerOfTwo(Math.max(frameLimit, CELL_MIN));
    }

    private LaneCell acquire(final int length) {
        final int size = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros((length - 1) / CELL_MIN));
        SlabPool pool = bySize[size];
        if (pool == null) {
            pool = new SlabPool(CELL_MIN << size, POOLED_PER_SIZE, account);
            bySize[size] = pool;
            pools.add(pool);
        }
        return new LaneCell(pool.acquire());
    }
}
