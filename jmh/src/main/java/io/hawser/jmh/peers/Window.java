package io.hawser.jmh.peers;

/**
 * When to warm up and when to measure, counted from a start.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param warmUpNs  how long nothing is measured
 * @param measureNs how long it is measured then
 */
record Window(long warmUpNs, long measureNs) {
    /** Senders go on for so long, since receivers start their clocks later. */
    private static final long TAIL_NS = 700_000_000;

    /** How long a sender sends. */
    long sendNs() {
        return warmUpNs + measureNs + TAIL_NS;
    }
}
