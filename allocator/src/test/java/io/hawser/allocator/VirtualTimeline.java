package io.hawser.allocator;

import java.util.PriorityQueue;

/** Virtual time: what is to happen when, one thing after the other. It begins shortly before the clock overflows. */
final class VirtualTimeline {
    private record Event(long dueNs, long number, Runnable action) {}

    private final PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> {
        final int order = Long.signum(a.dueNs - b.dueNs);
        return order != 0 ? order : Long.compare(a.number, b.number);
    });
    private final long startNs = Long.MAX_VALUE - 50_000_000;
    private long nowNs = startNs;
    private long count;

    long nowNs() {
        return nowNs;
    }

    long elapsedNs() {
        return nowNs - startNs;
    }

    void at(final long dueNs, final Runnable action) {
        events.add(new Event(dueNs, count++, action));
    }

    void after(final long delayNs, final Runnable action) {
        at(nowNs + delayNs, action);
    }

    void every(final long periodNs, final long untilElapsedNs, final Runnable action) {
        after(periodNs, () -> {
            action.run();
            if (elapsedNs() < untilElapsedNs) {
                every(periodNs, untilElapsedNs, action);
            }
        });
    }

    /** Lets all happen, until nothing is left to happen. */
    void run() {
        for (Event event = events.poll(); event != null; event = events.poll()) {
            nowNs = event.dueNs;
            event.action.run();
        }
    }
}
