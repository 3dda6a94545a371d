package io.hawser.allocator;

import io.hawser.transport.ClusterConfig;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * The spill store of one process's part in a cluster, opened when the first channel asks for it.
 *
 * <p><em>Threading:</em> any thread.
 */
final class SpillStores implements Supplier<SpillStore>, AutoCloseable {
    private final ClusterConfig config;
    private final long generation;
    private SpillStore store;
    private boolean isClosed;

    SpillStores(final ClusterConfig config, final long generation) {
        this.config = config;
        this.generation = generation;
    }

    @Override
    public synchronized SpillStore get() {
        if (isClosed) {
            throw new IllegalStateException("the cluster has ended: clusterId=" + config.clusterId());
        }
        if (store == null) {
            final SpillStore.Provider provider = ServiceLoader.load(
                            SpillStore.Provider.class, SpillStores.class.getClassLoader())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "no spill store is on the class path; add the module hawser-spill, or another provider of "
                                    + SpillStore.Provider.class.getName()));
            store = provider.open(
                    config.spillDirectory(),
                    config.clusterId() + "-p" + config.processIndex() + "-g" + generation,
                    config.spillLimit());
        }
        return store;
    }

    /** What is spilled at the moment, in bytes of disk. */
    synchronized long usedBytes() {
        return store == null ? 0 : store.usedBytes();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (store != null) {
            store.close();
            store = null;
        }
    }
}
