package io.hawser.transport;

import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.NoticeFlyweight;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The notices that come from one peer: for each worker of this process how much has come, been taken, and been granted. Part of {@link Session}.
 *
 * <p><em>Threading:</em> admitted by the receive thread, consumed by any, granted by the holder of the sending half.
 */
final class ReceiveNotices implements ConsumptionListener {
    private final Hello own;
    private final Hello peer;
    private final Runnable dueListener;

    // by worker of this process; bytes, ever
    private final long[] received;
    private final AtomicLongArray consumed;
    private final AtomicLongArray limits;

    /** Whether a grant may be due; set by whoever consumes, cleared by the holder of the sending half before it looks. */
    private volatile boolean isDue;

    ReceiveNotices(final Hello own, final Hello peer, final Runnable dueListener) {
        this.own = own;
        this.peer = peer;
        this.dueListener = dueListener;
        final int count = own.workersPerProcess();
        this.received = new long[count];
        this.consumed = new AtomicLongArray(count);
        this.limits = new AtomicLongArray(count);
        for (int i = 0; i < count; i++) {
            limits.set(i, Notice.WINDOW);
        }
    }

    /** Takes a notice whose workers have been found to be right; null if its window has no room for it. */
    Notice admit(final FrameHeaderFlyweight header, final DirectBuffer buffer, final int payload) {
        final NoticeFlyweight frame = new NoticeFlyweight().wrap(buffer, payload, header.payloadLength());
        final Notice notice = new Notice(
                peer.processIndex(),
                header.sourceWorker(),
                header.firstTargetWorker(),
                header.channelId(),
                frame.kind(),
                buffer,
                payload + NoticeFlyweight.FIXED_LENGTH,
                header.payloadLength() - NoticeFlyweight.FIXED_LENGTH);
        final int index = notice.targetWorker() - own.firstWorker();
        if (received[index] + notice.charge() > limits.get(index)) {
            return null;
        }
        received[index] += notice.charge();
        return notice;
    }

    /** Why a notice was not admitted. */
    String fault(final FrameHeaderFlyweight header) {
        final int index = header.firstTargetWorker() - own.firstWorker();
        return "NOTICE to worker=" + header.firstTargetWorker() + " beyond its window: received=" + received[index]
                + " frameLength=" + header.frameLength() + " granted=" + limits.get(index);
    }

    @Override
    public void consumed(final int worker, final int bytes) {
        final int index = worker - own.firstWorker();
        if (isWorthwhile(consumed.addAndGet(index, bytes), index)) {
            isDue = true;
            dueListener.run();
        }
    }

    boolean hasDue() {
        return isDue;
    }

    /** Writes the next grant, not sealed; returns the bytes that it occupies, 0 if there is none. */
    int encodeNext(final FrameEncoder encoder, final MutableDirectBuffer buffer, final int offset) {
        isDue = false;
        for (int i = 0; i < received.length; i++) {
            final long taken = consumed.get(i);
            if (isWorthwhile(taken, i)) {
                isDue = true; // there may be more
                limits.set(i, taken + Notice.WINDOW);
                encoder.credit(buffer, offset)
                        .creditLimit(taken + Notice.WINDOW)
                        .bytesConsumed(taken);
                encoder.header().channelId(Notice.NO_CHANNEL).sourceWorker(own.firstWorker() + i);
                return encoder.end();
            }
        }
        return 0;
    }

    /** Half a window, so that grants are few. */
    private boolean isWorthwhile(final long taken, final int index) {
        return taken + Notice.WINDOW - limits.get(index) >= Notice.WINDOW / 2;
    }
}
