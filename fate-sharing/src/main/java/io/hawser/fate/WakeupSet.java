package io.hawser.fate;

import java.util.concurrent.atomic.AtomicLong;

/** The wake-ups of one scope. Whoever throws is isolated and counted. */
final class WakeupSet {
    private final CopyOnWriteArray<WakeupRegistration> waiting = new CopyOnWriteArray<>();
    private final AtomicLong failureCount = new AtomicLong();

    WakeupRegistration add(Wakeup wakeup, boolean isForEndToo) {
        WakeupRegistration registration = new WakeupRegistration(waiting, wakeup, isForEndToo);
        waiting.add(registration);
        return registration;
    }

    /** For whoever finds, after adding, that it came too late: does now what the loss or the end may have missed. */
    void fireLate(WakeupRegistration registration, boolean isEnd) {
        waiting.remove(registration);
        fire(registration, isEnd);
    }

    /** No lock, no allocation. The latest first: workers come after the threads that serve them, and it is they who are waited for. */
    void fireAll(boolean isEnd) {
        Object[] taken = waiting.takeAll();
        for (int i = taken.length - 1; i >= 0; i--) {
            fire(waiting.at(taken, i), isEnd);
        }
    }

    int size() {
        return waiting.size();
    }

    long failureCount() {
        return failureCount.get();
    }

    private void fire(WakeupRegistration registration, boolean isEnd) {
        if ((!isEnd || registration.isForEndToo()) && !registration.fire()) {
            failureCount.incrementAndGet();
        }
    }
}
