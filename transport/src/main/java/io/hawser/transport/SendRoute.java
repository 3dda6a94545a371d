package io.hawser.transport;

/**
 * Whose ring this is, and where it leads. All workers by their global index.
 *
 * @param sourceWorker the worker that writes
 * @param firstWorker  first worker of the process that it leads to
 * @param workerCount  workers of that process
 */
record SendRoute(int sourceWorker, int firstWorker, int workerCount) {
    /** Whether a range of workers lies within the process that this leads to. */
    boolean leadsTo(final int firstTarget, final int targetCount) {
        return firstTarget >= firstWorker
                && targetCount >= 1
                && (long) firstTarget + targetCount <= (long) firstWorker + workerCount;
    }
}
