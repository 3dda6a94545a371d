package io.hawser.transport;

/**
 * That a push has been waiting, or waits no more, as WAIT tells it.
 *
 * @param waiter      global index of the worker that pushes
 * @param scopeId     in which dataflow; 0 is the cluster itself
 * @param channelId   on which channel
 * @param firstTarget the first of the workers for whose credit it waits
 * @param targetCount how many workers those are
 * @param number      rises with each wait of that worker
 * @param waitedNs    how long it had waited when it was told, ns
 * @param bytes       how much credit it needs
 * @param isOver      whether it waits no more
 */
record WaitNews(
        int waiter,
        long scopeId,
        int channelId,
        int firstTarget,
        int targetCount,
        long number,
        long waitedNs,
        long bytes,
        boolean isOver) {
    WaitNews over() {
        return new WaitNews(waiter, scopeId, channelId, firstTarget, targetCount, number, waitedNs, bytes, true);
    }

    WaitNews after(final long newWaitedNs) {
        return new WaitNews(waiter, scopeId, channelId, firstTarget, targetCount, number, newWaitedNs, bytes, false);
    }
}
