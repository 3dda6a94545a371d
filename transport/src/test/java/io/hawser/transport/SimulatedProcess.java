package io.hawser.transport;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A process of the operating system in virtual time: it may be killed, or be suspended for a while. Its threads are lanes: what is
 * due in one lane happens in order, also after a suspension, from which the lanes wake in any order.
 */
final class SimulatedProcess {
    static final int GREET = 0;
    static final int WATCH = 1;
    static final int WORKERS = 2;
    private static final int LANES_OF_ALL = 3;
    private static final int WAKE_JITTER_NS = 100_000;

    private record Deferred(int lane, Runnable action) {}

    final int index;
    final long pid;
    final Random random;

    private final VirtualTime time;
    private final long clockBaseMs;
    private final long soonMaxNs;
    private final List<Deferred> deferred = new ArrayList<>();

    /** Until when what comes later in a lane has to wait for what came earlier. */
    private final Map<Integer, Long> busyUntilNs = new HashMap<>();

    private boolean isAlive = true;
    private int pauses;

    /**
     * Starts a process.
     *
     * @param index       its place in the cluster
     * @param pid         tells it from its predecessors
     * @param time        when it is
     * @param random      of its scheduler
     * @param clockBaseMs wall clock at the start of time
     * @param soonMaxNs   how long a wake-up takes at most
     */
    SimulatedProcess(int index, long pid, VirtualTime time, Random random, long clockBaseMs, long soonMaxNs) {
        this.index = index;
        this.pid = pid;
        this.time = time;
        this.random = random;
        this.clockBaseMs = clockBaseMs;
        this.soonMaxNs = soonMaxNs;
    }

    static int send(int peer) {
        return LANES_OF_ALL + 2 * peer;
    }

    static int receive(int peer) {
        return LANES_OF_ALL + 2 * peer + 1;
    }

    long nowNs() {
        return time.nowNs();
    }

    long elapsedNs() {
        return time.elapsedNs();
    }

    long epochMs() {
        return clockBaseMs + time.elapsedNs() / 1_000_000;
    }

    boolean isAlive() {
        return isAlive;
    }

    boolean isPaused() {
        return pauses > 0;
    }

    /** A thread comes round after a time of its own. */
    void later(int lane, long delayNs, Runnable action) {
        if (isAlive) {
            time.after(delayNs, () -> run(lane, action));
        }
    }

    /** A thread is woken, or handed something: it takes a moment, but what is handed over first is done first. */
    void soon(int lane, Runnable action) {
        long dueNs = nowNs() + random.nextLong(soonMaxNs);
        long busyNs = busyUntilNs.getOrDefault(lane, dueNs);
        dueNs = busyNs - dueNs > 0 ? busyNs : dueNs;
        busyUntilNs.put(lane, dueNs);
        later(lane, dueNs - nowNs(), action);
    }

    private void run(int lane, Runnable action) {
        if (!isAlive) {
            return;
        }
        if (isPaused()) {
            deferred.add(new Deferred(lane, action));
            return;
        }
        action.run();
    }

    void kill() {
        isAlive = false;
        deferred.clear();
    }

    void pause() {
        pauses++;
    }

    void resume() {
        pauses--;
        if (isPaused()) {
            return;
        }
        busyUntilNs.clear();
        for (Deferred one : deferred) {
            long wakeNs = busyUntilNs.computeIfAbsent(one.lane, lane -> nowNs() + random.nextInt(WAKE_JITTER_NS));
            time.after(wakeNs - nowNs(), () -> run(one.lane, one.action));
        }
        deferred.clear();
    }
}
