package io.hawser.allocator;

/**
 * What a channel belongs to, and comes to an end with: the cluster, or a dataflow.
 *
 * <p><em>Threading:</em> any thread.
 */
interface ChannelScope {

    /** 0 is the cluster. */
    long id();

    /**
     * Leaves the caller's loop if it is over, other than cleanly.
     *
     * @throws io.hawser.fate.HealthLostException       if it has failed
     * @throws io.hawser.fate.ScopeCancelledException if it was cancelled
     */
    void check();

    /** Whether a worker takes part in it. */
    boolean isMember(int worker);
}
