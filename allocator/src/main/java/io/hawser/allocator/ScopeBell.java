package io.hawser.allocator;

import io.hawser.transport.Scope;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Tells a worker that dataflows were stopped, or have their outcome, wherever it sleeps.
 *
 * <p><em>Threading:</em> any thread rings, the rest is for the worker.
 */
final class ScopeBell {

    private final RoomSignal signal;
    private final Queue<Scope> changed = new ConcurrentLinkedQueue<>();

    /** Volatile; what rings after the worker has ended is let go by whoever rings. */
    private volatile boolean isClosed;

    ScopeBell(final RoomSignal signal) {
        this.signal = signal;
    }

    void ring(final Scope scope) {
        changed.add(scope);
        if (isClosed) {
            changed.clear();
        } else {
            signal.run();
        }
    }

    boolean hasRung() {
        return !changed.isEmpty();
    }

    /** The worker has ended. Idempotent. */
    void close() {
        isClosed = true;
        changed.clear();
    }

    /** The next one; null if there is none. */
    Scope poll() {
        return changed.poll();
    }
}
