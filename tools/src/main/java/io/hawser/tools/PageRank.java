package io.hawser.tools;

import java.util.Arrays;

/**
 * PageRank: a node is as important as the nodes that refer to it, each of which shares its own rank evenly among all that
 * it refers to. What nodes without references hold (the dangling mass) is spread evenly over all nodes, so that the ranks
 * always sum to 1.
 *
 * <pre>
 *   next(v) = (1 - d) / n + d * (sum over u that refer to v: rank(u) / degree(u)  +  dangling / n)
 * </pre>
 *
 * <p>This is the plain form, on one thread over the whole graph, which a distributed run is checked against.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class PageRank {
    static final double DAMPING = 0.85;

    private PageRank() {}

    /**
     * Ranks all nodes of a graph.
     *
     * @param graph      all of it, in one portion.
     * @param iterations how often ranks are passed on.
     * @return the rank of each node, by id.
     */
    static double[] rank(final Portion graph, final int iterations) {
        if (graph.peers() != 1) {
            throw new IllegalArgumentException("not the whole graph: peers=" + graph.peers());
        }
        final int nodeCount = graph.nodeCount();
        final double[] ranks = initial(nodeCount, nodeCount);
        final double[] sums = new double[nodeCount];
        for (int iteration = 0; iteration < iterations; iteration++) {
            Arrays.fill(sums, 0);
            double dangling = 0;
            for (int node = 0; node < nodeCount; node++) {
                final int degree = graph.degree(node);
                if (degree == 0) {
                    dangling += ranks[node];
                }
                for (int i = graph.start(node), end = graph.start(node) + degree; i < end; i++) {
                    sums[graph.target(i)] += ranks[node] / degree;
                }
            }
            for (int node = 0; node < nodeCount; node++) {
                ranks[node] = next(sums[node], dangling, nodeCount);
            }
        }
        return ranks;
    }

    /** The ranks that some of all nodes start with. */
    static double[] initial(final int slotCount, final int nodeCount) {
        final double[] ranks = new double[slotCount];
        Arrays.fill(ranks, 1.0 / nodeCount);
        return ranks;
    }

    /** The rank of a node after an iteration in which it was given {@code sum}. */
    static double next(final double sum, final double dangling, final int nodeCount) {
        return (1 - DAMPING) / nodeCount + DAMPING * (sum + dangling / nodeCount);
    }
}
