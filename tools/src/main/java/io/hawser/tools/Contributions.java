package io.hawser.tools;

import java.util.Arrays;

/**
 * What all workers give to the nodes of one worker in one iteration. It is kept apart by giver, and summed in the order of
 * givers once all is there: floating-point sums depend on their order, and the result is not to depend on who is fast.
 *
 * <p><em>Threading:</em> one thread.
 */
final class Contributions {
    private final double[][] perGiver;
    private final double[] dangling;
    private int incomplete;

    Contributions(final int peers, final int slotCount) {
        perGiver = new double[peers][slotCount];
        dangling = new double[peers];
        incomplete = peers;
    }

    /** Takes one message; messages of one giver come in the order in which they were sent. */
    void add(final int giver, final ContributionsFlyweight message) {
        final double[] given = perGiver[giver];
        for (int i = 0, count = message.count(); i < count; i++) {
            given[message.slot(i)] = message.contribution(i);
        }
        if (message.remaining() == 0) {
            dangling[giver] = message.dangling();
            incomplete--;
        }
    }

    boolean isComplete() {
        return incomplete == 0;
    }

    /** Ranks the nodes anew, and forgets what was given. */
    void applyTo(final double[] ranks, final int nodeCount) {
        double danglingSum = 0;
        for (final double mass : dangling) {
            danglingSum += mass;
        }
        for (int slot = 0; slot < ranks.length; slot++) {
            double sum = 0;
            for (final double[] given : perGiver) {
                sum += given[slot];
            }
            ranks[slot] = PageRank.next(sum, danglingSum, nodeCount);
        }
        clear();
    }

    private void clear() {
        for (final double[] given : perGiver) {
            Arrays.fill(given, 0);
        }
        incomplete = perGiver.length;
    }
}
