package io.hawser.jmh.peers;

import io.hawser.allocator.Worker;

/**
 * What a worker does when nothing has arrived.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
enum HawserIdle {
    /** Sleeps until something comes. */
    PARK {
        @Override
        void idle(final Worker worker) {
            worker.park();
        }
    },

    /** Looks again. */
    SPIN {
        @Override
        void idle(final Worker worker) {
            Threads.giveWay();
        }
    };

    abstract void idle(Worker worker);
}
