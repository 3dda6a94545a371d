package io.hawser.allocator;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The go-aheads that have come for one worker and were not shown to it yet. The reservations of its process bound it.
 *
 * <p><em>Threading:</em> any thread adds, the rest is for the worker.
 */
final class GoBox {
    private final Inbox inbox;
    private final Queue<GoAhead> goAheads = new ConcurrentLinkedQueue<>();

    /** Told of what comes to nothing because the worker has ended; any thread. */
    private final Consumer<GoAhead> onUnused;

    /** Volatile; what comes after the worker has ended is let go by whoever brings it. */
    private volatile boolean isClosed;

    private volatile GoHandler handler;
    private boolean isShowing;

    GoBox(final Inbox inbox, final Consumer<GoAhead> onUnused) {
        this.inbox = inbox;
        this.onUnused = onUnused;
    }

    /** Any thread. */
    void add(final GoAhead goAhead) {
        goAheads.add(goAhead);
        if (isClosed) {
            letGo();
        } else {
            inbox.wakeUnlessAwake();
        }
    }

    void handler(final GoHandler newHandler) {
        handler = newHandler;
    }

    boolean isClosed() {
        return isClosed;
    }

    boolean hasHandler() {
        return handler != null;
    }

    /** Whether there is something that {@link #show} would show. */
    boolean hasAny() {
        return handler != null && !isShowing && !goAheads.isEmpty();
    }

    /**
     * Shows what has come, unless a handler is just being shown something.
     *
     * @param after told of each after it was shown
     * @return whether there was anything
     */
    boolean show(final Consumer<GoAhead> after) {
        if (!hasAny()) {
            return false;
        }
        isShowing = true;
        try {
            final GoHandler shown = handler;
            for (GoAhead goAhead = goAheads.poll(); goAhead != null; goAhead = goAheads.poll()) {
                try {
                    shown.onGo(goAhead);
                } finally {
                    after.accept(goAhead);
                }
            }
        } finally {
            isShowing = false;
        }
        return true;
    }

    /** Lets go of all that is here and all that will come. Idempotent. */
    void close() {
        isClosed = true;
        letGo();
    }

    private void letGo() {
        for (GoAhead goAhead = goAheads.poll(); goAhead != null; goAhead = goAheads.poll()) {
            onUnused.accept(goAhead);
        }
    }
}
