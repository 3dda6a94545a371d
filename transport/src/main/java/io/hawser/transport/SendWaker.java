package io.hawser.transport;

/**
 * Wakes the send thread of a peer, as the send rings see it.
 *
 * <p><em>Threading:</em> called by the workers.
 */
@FunctionalInterface
interface SendWaker {
    /**
     * Unparks the send thread if it sleeps. Called after each publication and a full fence, so that reading a flag will do: the send
     * thread sets the flag with volatile ordering, looks at its rings again, and only then parks.
     */
    void wakeIfAsleep();
}
