package io.hawser.transport;

import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordIterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;

/** Holds what arrives on some channels, in the memory that it arrived in, until it is told to consume it; the rest it consumes at once. */
final class HoldingReceiver implements MeshReceiver {
    private record Held(ReceiveLane lane, int worker, int charge, Slab slab) {}

    private final IntPredicate isHeld;
    private final ConcurrentLinkedQueue<Held> held = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Notice> notices = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ConsumptionListener> noticeBooks = new ConcurrentLinkedQueue<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong messages = new AtomicLong();

    HoldingReceiver(IntPredicate isHeld) {
        this.isHeld = isHeld;
    }

    @Override
    public void onData(FrameHeaderFlyweight header, Slab slab, int payloadOffset, ReceiveLane lane) {
        if (FrameFlags.isRecords(header.flags())) {
            RecordIterator records = new RecordIterator().wrap(slab.buffer(), payloadOffset, header.payloadLength());
            while (records.next()) {
                messages.incrementAndGet();
            }
        }
        if (!isHeld.test(header.channelId())) {
            CollectingReceiver.consumeAll(header, lane);
            return;
        }
        int charge = ReceiveLane.chargeOf(header);
        for (int i = 0; i < header.targetWorkerCount(); i++) {
            slab.retain();
            heldBytes.addAndGet(charge);
            held.add(new Held(lane, header.firstTargetWorker() + i, charge, slab));
        }
    }

    @Override
    public void onNotice(Notice notice, ConsumptionListener books) {
        noticeBooks.add(books);
        notices.add(notice); // last: whoever finds it finds its books
    }

    /** Lets go of the notice that came first, and returns it; null if there is none. */
    Notice takeNotice() {
        Notice first = notices.poll();
        if (first != null) {
            noticeBooks.remove().consumed(first.targetWorker(), first.charge());
        }
        return first;
    }

    @Override
    public void onHangUp(int process) {}

    /** Lets go of what came first; returns whether there was anything. */
    boolean consumeOne() {
        Held first = held.poll();
        if (first == null) {
            return false;
        }
        heldBytes.addAndGet(-first.charge);
        first.slab.release();
        first.lane.consumed(first.worker, first.charge);
        return true;
    }

    int heldCount() {
        return held.size();
    }

    long heldBytes() {
        return heldBytes.get();
    }

    long messages() {
        return messages.get();
    }
}
