package io.hawser.tools;

/**
 * What one worker gives away in each iteration: the references of its portion turned round, so that for each node of the
 * whole graph it is known which of the worker's own nodes refer to it. All that one worker gives to one node is summed
 * before it is sent.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Shares {
    private final Portion portion;
    private final int[] starts;
    private final int[] sources;
    private final int[] receiverCounts;
    private final double[] shares;
    private double dangling;

    Shares(final Portion portion) {
        this.portion = portion;
        starts = new int[portion.nodeCount() + 1];
        sources = new int[portion.referenceCount()];
        receiverCounts = new int[portion.peers()];
        shares = new double[portion.slotCount()];
        turnRound();
        for (int node = 0; node < portion.nodeCount(); node++) {
            receiverCounts[node % portion.peers()] += isReceiver(node) ? 1 : 0;
        }
    }

    /** Shares the ranks of the worker's own nodes out among what they refer to. */
    void share(final double[] ranks) {
        dangling = 0;
        for (int slot = 0; slot < ranks.length; slot++) {
            final int degree = portion.degree(slot);
            if (degree == 0) {
                dangling += ranks[slot];
            } else {
                shares[slot] = ranks[slot] / degree;
            }
        }
    }

    /** What the worker's nodes without references hold. */
    double dangling() {
        return dangling;
    }

    /** How many nodes of a worker are given anything. */
    int receiverCount(final int worker) {
        return receiverCounts[worker];
    }

    /**
     * Writes the pairs of a message to one worker.
     *
     * @param message   to write to.
     * @param firstNode the first node of that worker to look at.
     * @param count     how many nodes that are given anything fit into the message; there must be so many.
     * @return the node to go on with in the next message.
     */
    int fill(final ContributionsFlyweight message, final int firstNode, final int count) {
        final int peers = portion.peers();
        int node = firstNode;
        for (int i = 0; i < count; node += peers) {
            if (isReceiver(node)) {
                message.pair(i, node / peers, givenTo(node));
                i++;
            }
        }
        return node;
    }

    private boolean isReceiver(final int node) {
        return starts[node + 1] > starts[node];
    }

    private double givenTo(final int node) {
        double sum = 0;
        for (int i = starts[node]; i < starts[node + 1]; i++) {
            sum += shares[sources[i]];
        }
        return sum;
    }

    /** Sorts references by target, counting how many each target has. */
    private void turnRound() {
        for (int reference = 0; reference < sources.length; reference++) {
            starts[portion.target(reference) + 1]++;
        }
        for (int node = 0; node < portion.nodeCount(); node++) {
            starts[node + 1] += starts[node];
        }
        final int[] next = starts.clone();
        for (int slot = 0; slot < portion.slotCount(); slot++) {
            final int end = portion.start(slot) + portion.degree(slot);
            for (int reference = portion.start(slot); reference < end; reference++) {
                final int target = portion.target(reference);
                sources[next[target]++] = slot;
            }
        }
    }
}
