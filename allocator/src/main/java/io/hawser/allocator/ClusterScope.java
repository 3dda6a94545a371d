package io.hawser.allocator;

import io.hawser.fate.Health;

/**
 * What channels belong to that are of no dataflow: the cluster itself, with all its workers.
 *
 * <p><em>Threading:</em> any thread.
 *
 * @param health of the cluster
 */
record ClusterScope(Health health) implements ChannelScope {
    @Override
    public long id() {
        return 0;
    }

    @Override
    public void check() {
        health.check();
    }

    @Override
    public boolean isMember(final int worker) {
        return true;
    }
}
