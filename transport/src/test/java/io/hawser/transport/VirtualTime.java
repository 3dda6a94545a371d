package io.hawser.transport;

import java.util.PriorityQueue;

/** Virtual time: what is to happen when, one thing after the other. Times may overflow, as those of a monotonic clock may. */
final class VirtualTime {
    private record Event(long dueNs, long number, Runnable action) {}

    private final PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> {
        int order = Long.signum(a.dueNs - b.dueNs);
        return order != 0 ? order : Long.compare(a.number, b.number);
    });
    private final long startNs;
    private long nowNs;
    private long count;

    VirtualTime(long startNs) {
        this.startNs = startNs;
        this.nowNs = startNs;
    }

    long nowNs() {
        return nowNs;
    }

    /** {@return how much time has passed since the start, ns} */
    long elapsedNs() {
        return nowNs - startNs;
    }

    long eventCount() {
        return count;
    }

    void after(long delayNs, Runnable action) {
        if (delayNs < 0) {
            throw new IllegalArgumentException("in the past: delayNs=" + delayNs);
        }
        events.add(new Event(nowNs + delayNs, count++, action));
    }

    /** Lets the next thing happen; returns whether there was one within the limit. */
    boolean step(long limitNs) {
        Event event = events.peek();
        if (event == null || event.dueNs - startNs > limitNs) {
            return false;
        }
        events.remove();
        nowNs = event.dueNs;
        event.action.run();
        return true;
    }
}
