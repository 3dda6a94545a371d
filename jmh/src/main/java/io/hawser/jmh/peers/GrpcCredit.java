package io.hawser.jmh.peers;

import java.util.function.IntConsumer;

/**
 * Grants a sender more messages before it has used up what it was granted.
 *
 * <p><em>Threading:</em> the event loop.
 */
final class GrpcCredit {
    private static final int STEP = 256;

    /** What is granted at first. */
    static final int FIRST = 2 * STEP;

    private final IntConsumer granting;
    private int usedCount;

    GrpcCredit(final IntConsumer granting) {
        this.granting = granting;
    }

    void used() {
        if (++usedCount == STEP) {
            usedCount = 0;
            granting.accept(STEP);
        }
    }
}
