package io.hawser.jmh.peers;

/**
 * The receiving side of the work: a transport delivers to it. What it throws makes the run fail.
 *
 * <p><em>Threading:</em> called by one thread, the one that the transport receives on.
 */
interface Receiver {
    /** For whoever only sends. */
    Receiver NONE = (first, last, length) -> {
        throw new IllegalStateException("this side only sends: first=" + first + " length=" + length);
    };

    /**
     * A message.
     *
     * @param first  long of the message
     * @param last   long of the message
     * @param length of the message
     */
    void onMessage(long first, long last, int length);

    /** The transport has no further message at hand. */
    default void onBatchEnd() {
        // most have nothing to do then
    }
}
