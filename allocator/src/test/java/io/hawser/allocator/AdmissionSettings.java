package io.hawser.allocator;

/**
 * What a simulated cluster is like.
 *
 * @param processes        of two workers each; the first coordinates
 * @param delayMinNs       of a link, one way
 * @param delayMaxNs       of a link, one way
 * @param stalled          probability that a message, and all behind it, takes up to stallMaxNs longer
 * @param stallMaxNs       how long at most
 * @param swallowed        probability that a question, an answer or a release gets lost
 * @param rejected         probability that a worker says no for no reason
 * @param retryAfterMs     what it says then
 * @param holdNs           how long reservations hold
 * @param taskMaxNs        how long tasks run
 * @param scale            factor for what a process takes
 */
record AdmissionSettings(
        int processes,
        long delayMinNs,
        long delayMaxNs,
        double stalled,
        long stallMaxNs,
        double swallowed,
        double rejected,
        int retryAfterMs,
        long holdNs,
        long taskMaxNs,
        int scale) {
    private static final long MS = 1_000_000;

    static AdmissionSettings chaotic() {
        return new AdmissionSettings(4, MS / 10, 2 * MS, 0.003, 80 * MS, 0.02, 0.2, 3, 50 * MS, 10 * MS, 1);
    }

    static AdmissionSettings calm(final long delayNs) {
        return new AdmissionSettings(5, delayNs, delayNs, 0, 0, 0, 0, 3, 10_000 * MS, 0, 100);
    }
}
