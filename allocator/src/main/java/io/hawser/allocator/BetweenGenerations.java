package io.hawser.allocator;

import io.hawser.transport.ClusterConfig;

/**
 * What a supervised process does between two generations, see {@link SupervisionPolicy.Builder#between}.
 *
 * <p><em>Threading:</em> called by the supervising thread, while no worker of this process runs.
 */
@FunctionalInterface
public interface BetweenGenerations {
    /**
     * Prepares the next generation.
     *
     * @param interlude what was lost, and what would come next
     * @return the settings of the next generation: {@link Interlude#nextConfig()}, or others, of another shape for example; all processes have to come to the same shape. Generation and former place are set by the supervisor
     * @throws Exception ends the supervision: thrown on by {@link Cluster#supervise}
     */
    ClusterConfig apply(Interlude interlude) throws Exception;
}
