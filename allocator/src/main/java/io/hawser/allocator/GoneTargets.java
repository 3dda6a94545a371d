package io.hawser.allocator;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which workers of this process read nothing any more of one channel of one pushing worker, whether it is pushed to them alone or together.
 *
 * <p><em>Threading:</em> any thread.
 */
final class GoneTargets {

    private static final int GONE = 1;

    private final int firstWorker;
    private final AtomicIntegerArray gone;

    /** All of so many workers read, from a global index on. */
    GoneTargets(final int firstWorker, final int count) {
        this.firstWorker = firstWorker;
        this.gone = new AtomicIntegerArray(count);
    }

    void set(final int worker) {
        gone.set(worker - firstWorker, GONE);
    }

    /** Whether none of some workers reads. */
    boolean areGone(final int first, final int count) {
        for (int i = first - firstWorker; i < first - firstWorker + count; i++) {
            if (gone.get(i) != GONE) {
                return false;
            }
        }
        return true;
    }
}
