package io.hawser.allocator;

import io.hawser.transport.ConsumptionListener;
import io.hawser.transport.Notice;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The notices that have come for one worker and were not shown to it yet. The windows of their senders bound it.
 *
 * <p><em>Threading:</em> any thread adds, the rest is for the worker.
 */
final class NoticeBox {
    private record Entry(Notice notice, ConsumptionListener books) {
        void consumed() {
            books.consumed(notice.targetWorker(), notice.charge());
        }
    }

    /** Shown in one go: whoever floods a worker with notices does not keep it from its data. */
    private static final int SHOWN_MAX = 64;

    private final Inbox inbox;
    private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();

    /** Volatile; what comes after the worker has ended is let go by whoever brings it. */
    private volatile boolean isClosed;

    private NoticeHandler handler;
    private boolean isShowing;

    NoticeBox(final Inbox inbox) {
        this.inbox = inbox;
    }

    /** Any thread. */
    void add(final Notice notice, final ConsumptionListener books) {
        entries.add(new Entry(notice, books));
        if (isClosed) {
            letGo();
        } else {
            inbox.wakeUnlessAwake();
        }
    }

    void handler(final NoticeHandler newHandler) {
        handler = newHandler;
    }

    /** Whether there is something that {@link #show()} would show. */
    boolean hasAny() {
        return handler != null && !isShowing && !entries.isEmpty();
    }

    /** Shows what has come, unless a handler is just being shown something; returns whether there was anything. */
    boolean show() {
        if (!hasAny()) {
            return false;
        }
        isShowing = true;
        try {
            for (int i = 0; i < SHOWN_MAX && handler != null; i++) { // a handler may take itself away
                final Entry entry = entries.poll();
                if (entry == null) {
                    break;
                }
                entry.consumed(); // first: whatever the handler throws, the books are right
                handler.onNotice(entry.notice);
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
        for (Entry entry = entries.poll(); entry != null; entry = entries.poll()) {
            entry.consumed();
        }
    }
}
