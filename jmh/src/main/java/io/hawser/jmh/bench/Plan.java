package io.hawser.jmh.bench;

import io.hawser.jmh.peers.Entrants;
import io.hawser.jmh.peers.Workload;
import java.util.List;

/**
 * What is to be run.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param workloads in their order
 * @param entrants  names, in their order; each takes part in what it can do
 * @param rounds    how often everything is run
 * @param warmUpMs  how long nothing is measured
 * @param measureMs how long it is measured then
 * @param ratePerS  messages per second where the rate is fixed
 * @param pinning   which processors the processes may use
 * @param priority   of the processes
 * @param timeLimitMs how long all runs together may take, or {@link #NO_TIME_LIMIT}
 * @param jvmOptions more options for the measured JVMs
 */
record Plan(
        List<Workload> workloads,
        List<String> entrants,
        int rounds,
        long warmUpMs,
        long measureMs,
        int ratePerS,
        Pinning pinning,
        Priority priority,
        long timeLimitMs,
        List<String> jvmOptions) {

    /** Everything is run, however long that takes. */
    static final long NO_TIME_LIMIT = 0;

    List<String> entrantsOf(final Workload workload) {
        return Entrants.namesOf(workload).stream().filter(entrants::contains).toList();
    }
}
