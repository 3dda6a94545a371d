package io.hawser.allocator;

import java.util.function.LongSupplier;

/** One direction of a simulated connection: keeps order, takes time, and can end. */
final class AdmissionLink {
    private final VirtualTimeline time;
    private final LongSupplier delayNs;
    private long lastDueNs;
    private boolean hasEnded;
    private boolean isTorn;

    AdmissionLink(final VirtualTimeline time, final LongSupplier delayNs) {
        this.time = time;
        this.delayNs = delayNs;
        this.lastDueNs = time.nowNs();
    }

    void send(final Runnable delivery) {
        if (!hasEnded) {
            deliver(() -> {
                if (!isTorn) {
                    delivery.run();
                }
            });
        }
    }

    /** The sender is killed: the receiver learns it behind what was sent before, which is lost if the connection is torn. */
    void end(final boolean isTornToo, final Runnable loss) {
        hasEnded = true;
        isTorn = isTornToo;
        deliver(loss);
    }

    private void deliver(final Runnable delivery) {
        final long dueNs = time.nowNs() + delayNs.getAsLong();
        lastDueNs = dueNs - lastDueNs > 0 ? dueNs : lastDueNs;
        time.at(lastDueNs, delivery);
    }
}
