package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordIterator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps what one link brings, and how it ended. */
final class CollectingLinkReceiver implements LinkReceiver {
    private final List<Long> numbers = Collections.synchronizedList(new ArrayList<>());
    private final List<Notice> notices = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Optional<Cause> cause = Optional.empty();
    private final Runnable whenHungUp;
    private volatile boolean hasHungUp;
    private volatile int endings;
    private volatile String afterTheEnd = "";

    CollectingLinkReceiver() {
        this(() -> {});
    }

    CollectingLinkReceiver(Runnable whenHungUp) {
        this.whenHungUp = whenHungUp;
    }

    @Override
    public void onData(FrameHeaderFlyweight header, Slab slab, int payloadOffset, ReceiveLane lane) {
        noteLate("onData");
        if (FrameFlags.isRecords(header.flags())) {
            RecordIterator records = new RecordIterator().wrap(slab.buffer(), payloadOffset, header.payloadLength());
            while (records.next()) {
                numbers.add(slab.buffer().getLong(records.messageOffset()));
            }
        }
        CollectingReceiver.consumeAll(header, lane);
    }

    @Override
    public void onNotice(Notice notice, ConsumptionListener books) {
        noteLate("onNotice");
        notices.add(notice);
        books.consumed(notice.targetWorker(), notice.charge());
    }

    @Override
    public void onHangUp() {
        noteLate("onHangUp");
        hasHungUp = true;
        whenHungUp.run();
    }

    @Override
    public synchronized void onEnded(Optional<Cause> firstCause) {
        endings++;
        cause = firstCause;
        ended.countDown();
    }

    private void noteLate(String call) {
        if (ended.getCount() == 0) {
            afterTheEnd = call;
        }
    }

    List<Long> numbers() {
        synchronized (numbers) {
            return List.copyOf(numbers);
        }
    }

    List<Notice> notices() {
        synchronized (notices) {
            return List.copyOf(notices);
        }
    }

    boolean hasHungUp() {
        return hasHungUp;
    }

    int endings() {
        return endings;
    }

    /** {@return which call came after the end, empty if none did} */
    String afterTheEnd() {
        return afterTheEnd;
    }

    /** Waits for the end. */
    Optional<Cause> awaitEnded() throws InterruptedException {
        if (!ended.await(10, TimeUnit.SECONDS)) {
            throw new AssertionError("the link has not ended");
        }
        return cause;
    }
}
