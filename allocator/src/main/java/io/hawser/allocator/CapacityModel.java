package io.hawser.allocator;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Admission by permits: a process has so many, work takes as many as its weight from its acceptance until its end. Work for which there are too few now is rejected as <em>later here</em>; work that
 * weighs more than all of them, and all work while this drains, as <em>elsewhere</em>. Priorities are not looked at.
 *
 * <p>A handler that asks this one has to pass on {@link #onGo} and {@link #onEnd} too, else permits do not come back.
 *
 * <p><em>Threading:</em> any thread reads the gauges and drains; the rest is called as {@link AdmissionHandler} says.
 */
public final class CapacityModel implements AdmissionHandler {
    private final int permits;
    private final Duration retryAfter;

    /** Written by the thread that calls the handler. */
    private final AtomicInteger taken = new AtomicInteger();

    /** Written by the thread that calls the handler. */
    private final AtomicInteger reservationsOpen = new AtomicInteger();

    /** Written by the thread that calls the handler. */
    private final AtomicInteger tasksRunning = new AtomicInteger();

    /** Volatile: from any thread to the one that calls the handler. */
    private volatile boolean isDraining;

    /**
     * Makes a model with all permits free.
     *
     * @param permits    of the process, at least 1
     * @param retryAfter when it is worth asking again if there are too few: about as long as work usually takes, 0 or more
     * @throws IllegalArgumentException if there is no permit, or the time is negative
     */
    public CapacityModel(final int permits, final Duration retryAfter) {
        if (permits < 1 || Objects.requireNonNull(retryAfter, "retryAfter").isNegative()) {
            throw new IllegalArgumentException(
                    "at least one permit, no negative time: permits=" + permits + " retryAfter=" + retryAfter);
        }
        this.permits = permits;
        this.retryAfter = retryAfter;
    }

    @Override
    public Admission onStart(final StartRequest request) {
        if (isDraining) {
            return Admission.rejectElsewhere("this process leaves and takes no new work");
        }
        final int weight = request.weight();
        if (weight < 0) {
            return Admission.rejectForever("no work weighs less than nothing: weight=" + weight);
        }
        if (weight > permits) {
            return Admission.rejectElsewhere(
                    "more than this process ever has: weight=" + weight + " permits=" + permits);
        }
        final int free = permitsFree();
        if (weight > free) {
            return Admission.rejectForNow(
                    "too few permits are free: weight=" + weight + " free=" + free + " permits=" + permits, retryAfter);
        }
        taken.addAndGet(weight);
        reservationsOpen.incrementAndGet();
        return Admission.accept();
    }

    @Override
    public void onGo(final StartRequest request) {
        reservationsOpen.decrementAndGet();
        tasksRunning.incrementAndGet();
    }

    @Override
    public void onEnd(final StartRequest request, final boolean hasBegun) {
        taken.addAndGet(-request.weight());
        (hasBegun ? tasksRunning : reservationsOpen).decrementAndGet();
    }

    /** Rejects all work from now on as <em>elsewhere</em>. What was accepted before is not touched. There is no way back. */
    public void drain() {
        isDraining = true;
    }

    /**
     * Whether it has been told to drain.
     *
     * @return true after {@link #drain()}
     */
    public boolean isDraining() {
        return isDraining;
    }

    /**
     * How many permits nobody has.
     *
     * @return 0 or more
     */
    public int permitsFree() {
        return permits - taken.get();
    }

    /**
     * How much work was accepted and has no go-ahead yet.
     *
     * @return the count of reservations
     */
    public int reservationsOpen() {
        return reservationsOpen.get();
    }

    /**
     * How much work has its go-ahead and has not ended.
     *
     * @return the count of tasks
     */
    public int tasksRunning() {
        return tasksRunning.get();
    }
}
