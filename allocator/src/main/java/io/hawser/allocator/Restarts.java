package io.hawser.allocator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * When a supervised cluster is formed again, and when no more: so many restarts within so long a time, as Erlang's supervisors count them, with a pause that doubles from one to the next, drawn at random so that the survivors do not
 * dial in step (case 31).
 *
 * <p><em>Threading:</em> one thread.
 */
final class Restarts {
    private final SupervisionPolicy policy;
    private final RandomGenerator random;
    private final Deque<Long> latest = new ArrayDeque<>();
    private int inARow;
    private long count;

    Restarts(final SupervisionPolicy policy, final RandomGenerator random) {
        this.policy = policy;
        this.random = random;
    }

    /**
     * A generation was lost.
     *
     * @param nowNs   the time
     * @param livedNs how long it had lived
     * @return whether it may be followed by another one
     */
    boolean tryRestart(final long nowNs, final long livedNs) {
        while (!latest.isEmpty() && nowNs - latest.peek() > policy.restartWindowNs()) {
            latest.remove();
        }
        if (latest.size() >= policy.restartLimit()) {
            return false;
        }
        latest.add(nowNs);
        inARow = livedNs >= policy.stableAfterNs() ? 1 : inARow + 1;
        count++;
        return true;
    }

    /** {@return how long to wait before the restart that was just granted, ns} */
    long pauseNs() {
        final int doublings = Math.min(inARow - 1, Long.SIZE - 2);
        final long max = policy.backoffMaxNs();
        final long bound = policy.backoffMinNs() > max >> doublings ? max : policy.backoffMinNs() << doublings;
        return random.nextLong(bound + 1);
    }

    long count() {
        return count;
    }
}
