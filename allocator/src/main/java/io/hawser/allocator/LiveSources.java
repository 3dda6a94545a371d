package io.hawser.allocator;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts whoever may still send something to the workers of this process: the other processes until they hang up, and its own
 * workers until they end. Once a worker is the last one, nothing but its own messages can reach it any more.
 *
 * <p><em>Threading:</em> any thread. Whoever ends does so after its last delivery, so that who sees the count also sees the delivery.
 */
final class LiveSources {
    private final AtomicInteger count;
    private final Inbox[] inboxes;

    LiveSources(final int count, final Inbox[] inboxes) {
        this.count = new AtomicInteger(count);
        this.inboxes = inboxes;
    }

    /** One of them sends nothing more. Called once for each. */
    void end() {
        if (count.decrementAndGet() == 1) {
            for (final Inbox inbox : inboxes) {
                inbox.wake();
            }
        }
    }

    /** Whether a worker that asks has no other source than itself. */
    boolean isOnlyOne() {
        return count.get() <= 1;
    }
}
