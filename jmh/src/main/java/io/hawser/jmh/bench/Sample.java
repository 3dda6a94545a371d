package io.hawser.jmh.bench;

import io.hawser.jmh.peers.ResultLine;
import io.hawser.jmh.peers.Workload;

/**
 * What one run has given.
 *
 * <p><em>Threading:</em> immutable, once made.
 *
 * @param workload the work
 * @param entrant  who did it
 * @param round    in which, from 1
 * @param result   what was measured; null if the run failed
 * @param failure  why it failed; null if it did not
 */
record Sample(Workload workload, String entrant, int round, ResultLine result, String failure) {
    boolean isFailed() {
        return failure != null;
    }

    /** One number of the result; not a number if it was not measured. */
    double number(final String key) {
        return result == null ? Double.NaN : result.get(key).orElse(Double.NaN);
    }

    /** Processor time of all processes for each 10⁹ bytes. */
    double cpuSecondsPerGb() {
        return number(ResultLine.CPU_CORES) / number(ResultLine.GBYTES_PER_S);
    }

    /** Processor time of all processes for each million messages, or round trips. */
    double cpuSecondsPerMillion() {
        final double messages = number(ResultLine.MESSAGES_PER_S);
        final double perS = Double.isNaN(messages) ? number(ResultLine.ROUND_TRIPS_PER_S) : messages;
        return number(ResultLine.CPU_CORES) / (perS / 1e6);
    }
}
