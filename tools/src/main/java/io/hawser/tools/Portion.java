package io.hawser.tools;

import java.util.Arrays;

/**
 * One worker's part of a directed graph: the nodes it owns, and what each of them refers to. The worker with index w of n
 * owns the nodes whose id modulo n is w; a node's <em>slot</em> is its place among them, id / n.
 *
 * <pre>
 *   references of slot s:   targets[starts[s]] … targets[starts[s + 1] - 1]
 * </pre>
 *
 * <p><em>Threading:</em> safe; immutable.
 */
final class Portion {
    private final int worker;
    private final int peers;
    private final int nodeCount;
    private final int[] starts;
    private final int[] targets;

    private Portion(final Builder from) {
        worker = from.worker;
        peers = from.peers;
        nodeCount = from.nodeCount;
        starts = Arrays.copyOf(from.starts, from.slots + 1);
        targets = Arrays.copyOf(from.targets, from.starts[from.slots]);
    }

    int worker() {
        return worker;
    }

    int peers() {
        return peers;
    }

    /** How many nodes the whole graph has. */
    int nodeCount() {
        return nodeCount;
    }

    /** How many nodes this worker owns. */
    int slotCount() {
        return starts.length - 1;
    }

    int referenceCount() {
        return targets.length;
    }

    /** How many nodes a slot refers to. */
    int degree(final int slot) {
        return starts[slot + 1] - starts[slot];
    }

    /** Where the references of a slot begin; they end where those of the next one begin. */
    int start(final int slot) {
        return starts[slot];
    }

    /** The id of the node that a reference points to. */
    int target(final int reference) {
        return targets[reference];
    }

    /** How many of {@code nodeCount} nodes one of several workers owns. */
    static int slotCount(final int nodeCount, final int worker, final int peers) {
        return (nodeCount - worker + peers - 1) / peers;
    }

    /** Takes the references of one owned node after the other. */
    static final class Builder {
        private static final int REFERENCES_PER_NODE = 12;

        private final int worker;
        private final int peers;
        private final int nodeCount;
        private final int[] starts;
        private int[] targets;
        private int slots;

        Builder(final int worker, final int peers, final int nodeCount) {
            if (worker < 0 || worker >= peers) {
                throw new IllegalArgumentException("no such worker: worker=" + worker + " peers=" + peers);
            }
            this.worker = worker;
            this.peers = peers;
            this.nodeCount = nodeCount;
            starts = new int[Portion.slotCount(nodeCount, worker, peers) + 1];
            targets = new int[REFERENCES_PER_NODE * starts.length];
        }

        Builder add(final int... references) {
            final int start = starts[slots];
            final int end = start + references.length;
            if (end > targets.length) {
                targets = Arrays.copyOf(targets, Math.max(end, targets.length * 2));
            }
            System.arraycopy(references, 0, targets, start, references.length);
            slots++;
            starts[slots] = end;
            return this;
        }

        Portion build() {
            if (slots != starts.length - 1) {
                throw new IllegalStateException("nodes missing: slots=" + slots + " expected=" + (starts.length - 1));
            }
            return new Portion(this);
        }
    }
}
