package io.hawser.transport;

/**
 * Who keeps the books of what was delivered, so that its sender gets new credit.
 *
 * <p><em>Threading:</em> any thread.
 */
@FunctionalInterface
public interface ConsumptionListener {
    /**
     * Something that a worker has received is held no more, and its memory has been given back.
     *
     * @param worker global index of the worker that it was for
     * @param bytes  as they were charged
     */
    void consumed(int worker, int bytes);

    /**
     * A worker reads nothing of it any more: whoever sends may stop. Any thread.
     *
     * @param worker global index of the worker
     */
    default void receiverGone(final int worker) {
        // whose senders have no use for that
    }
}
