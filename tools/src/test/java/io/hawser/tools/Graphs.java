package io.hawser.tools;

import java.util.Random;

/** Small graphs for tests; each is given as what each node refers to. */
final class Graphs {
    private Graphs() {}

    static Portion of(final int[][] references) {
        return portion(references, 0, 1);
    }

    static Portion portion(final int[][] references, final int worker, final int peers) {
        final Portion.Builder portion = new Portion.Builder(worker, peers, references.length);
        for (int node = worker; node < references.length; node += peers) {
            portion.add(references[node]);
        }
        return portion.build();
    }

    /** Nodes that refer to none up to nine others; a few are referred to by many. */
    static int[][] random(final Random random, final int nodeCount) {
        final int[][] references = new int[nodeCount][];
        for (int node = 0; node < nodeCount; node++) {
            final int self = node;
            references[node] = random.ints(0, nodeCount)
                    .map(target -> target % 3 == 0 ? target % 10 : target)
                    .filter(target -> target != self)
                    .limit(random.nextInt(10))
                    .distinct()
                    .toArray();
        }
        return references;
    }
}
