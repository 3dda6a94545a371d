package io.hawser.transport;

/**
 * The sending half of a link, as the send rings see it.
 *
 * <p><em>Threading:</em> called by the workers.
 */
@FunctionalInterface
interface SendWaker {
    /**
     * Something has been published, with a full fence after it, so that reading a word will do to see whether somebody sends. Never waits.
     *
     * @param ring     that holds it
     * @param isUrgent whether the worker has nothing more to say for now, so that it may send by itself
     */
    void onPublished(SendRingDrain ring, boolean isUrgent);
}
