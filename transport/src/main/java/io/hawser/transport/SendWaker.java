package io.hawser.transport;

/**
 * The sending half of a link, as the send rings see it.
 *
 * <p><em>Threading:</em> called by the workers.
 */
@FunctionalInterface
interface SendWaker {
    /**
     * Something has been published, with a full fence after it, so that reading a word will do to see whether somebody sends; or the ring has been
     * closed. Sends it here and now if nobody does and the socket takes it, and wakes the send thread for the rest; never waits.
     *
     * @param ring that holds it
     */
    void onPublished(SendRingDrain ring);
}
