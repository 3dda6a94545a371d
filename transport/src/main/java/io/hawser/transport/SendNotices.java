package io.hawser.transport;

import io.hawser.framing.CreditFlyweight;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.NoticeFlyweight;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.MutableDirectBuffer;

/**
 * The notices that go to one peer: those not sent yet, in order, and for each of its workers how much more may come. Part of {@link Session}.
 *
 * <p>What waits here is charged before it comes, so the windows bound the queue.
 *
 * <p><em>Threading:</em> offered by any thread, encoded by the holder of the sending half, credited by the receive thread.
 */
final class SendNotices {
    /** The longest frame. */
    static final int FRAME_LENGTH_MAX = FrameHeaderFlyweight.alignedLength(
            FrameHeaderFlyweight.HEADER_LENGTH + NoticeFlyweight.FIXED_LENGTH + Notice.LENGTH_MAX);

    private final Hello peer;
    private final ConcurrentLinkedQueue<Notice> queue = new ConcurrentLinkedQueue<>();

    /** By target worker: bytes charged, ever; added to by any thread, never beyond the limit. */
    private final AtomicLongArray charged;

    /** By target worker: how far that may go, ever; the receive thread's. */
    private final AtomicLongArray limits;

    SendNotices(final Hello peer) {
        this.peer = peer;
        this.charged = new AtomicLongArray(peer.workersPerProcess());
        this.limits = new AtomicLongArray(peer.workersPerProcess());
        for (int i = 0; i < limits.length(); i++) {
            limits.set(i, Notice.WINDOW);
        }
    }

    /** Takes a notice if the window of its target has room for it; returns whether. */
    boolean offer(final Notice notice) {
        final int index = notice.targetWorker() - peer.firstWorker();
        long before;
        do {
            before = charged.get(index);
            if (before + notice.charge() > limits.get(index)) {
                return false;
            }
        } while (!charged.compareAndSet(index, before, before + notice.charge()));
        boolean isAdded = false;
        try {
            queue.add(notice);
            isAdded = true;
        } finally {
            if (!isAdded) { // no memory
                charged.addAndGet(index, -notice.charge());
            }
        }
        return true;
    }

    boolean hasAny() {
        return !queue.isEmpty();
    }

    /** Writes the next one, not sealed; returns the bytes that it occupies, 0 if there is none. */
    int encodeNext(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
        final Notice notice = queue.poll();
        if (notice == null) {
            return 0;
        }
        encoder.notice(buffer, offset)
                .kind(notice.kind())
                .opaque(notice.body(), 0, notice.body().capacity());
        encoder.header()
                .channelId(notice.channelId())
                .sourceWorker(notice.sourceWorker())
                .targets(notice.targetWorker(), 1);
        return encoder.end();
    }

    /**
     * A grant has come.
     *
     * @return null, or what is wrong with it
     */
    String onCredit(final FrameHeaderFlyweight header, final CreditFlyweight credit) {
        final int index = header.sourceWorker() - peer.firstWorker();
        if (header.targetWorkerCount() != 0 || index < 0 || index >= limits.length()) {
            return "CREDIT for notices from worker=" + header.sourceWorker() + " to workers="
                    + header.firstTargetWorker() + "+" + header.targetWorkerCount()
                    + ": not from a worker of the peer to this process";
        }
        final long consumed = credit.bytesConsumed();
        final long limit = credit.creditLimit();
        if (limit < limits.get(index) || consumed > charged.get(index) || limit != consumed + Notice.WINDOW) {
            return "CREDIT for notices to worker=" + header.sourceWorker() + " says limit=" + limit + " consumed="
                    + consumed + " after limit=" + limits.get(index) + " charged=" + charged.get(index);
        }
        limits.set(index, limit);
        return null;
    }
}
