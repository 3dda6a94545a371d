package io.hawser.jmh.bench;

import io.hawser.jmh.peers.Entrants;
import io.hawser.jmh.peers.Workload;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long everything together may take. Each work has a share of it, by its number of entrants, and what its first ones leave is for the next ones; those
 * that all others are judged by are left out last.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Budget {
    /** How long a run is thought to take before there has been one. */
    private static final long FIRST_RUN_NS = TimeUnit.MILLISECONDS.toNanos(3_000);

    private final Plan plan;
    private final LongSupplier clockNs;
    private final long startNs;
    private int runCount;

    Budget(final Plan plan, final LongSupplier clockNs) {
        this.plan = plan;
        this.clockNs = clockNs;
        startNs = clockNs.getAsLong();
    }

    /** Whether there is time for one more run of this entrant. */
    boolean allows(final Workload workload, final String entrant) {
        if (plan.timeLimitMs() == Plan.NO_TIME_LIMIT) {
            return true;
        }
        final long limitNs = TimeUnit.MILLISECONDS.toNanos(plan.timeLimitMs());
        final long elapsedNs = clockNs.getAsLong() - startNs;
        final long runNs = runCount == 0 ? FIRST_RUN_NS : elapsedNs / runCount;
        final double share = Entrants.isEssential(entrant) ? 1 : (double) entrantsUpTo(workload) / entrantsUpTo(null);
        return elapsedNs + runNs <= limitNs * share;
    }

    /** One more run is over. */
    void count() {
        runCount++;
    }

    private int entrantsUpTo(final Workload last) {
        int count = 0;
        for (final Workload workload : plan.workloads()) {
            count += plan.entrantsOf(workload).size();
            if (workload == last) {
                break;
            }
        }
        return count;
    }
}
