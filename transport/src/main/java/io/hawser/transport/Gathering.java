package io.hawser.transport;

import io.hawser.fate.Cause;

/** What brings the links of a mesh about, and hears of them until all have started. Any thread. */
interface Gathering {
    /** A peer has said READY. */
    void onPeerReady(Link link);

    /**
     * A link was lost, perhaps before the start.
     *
     * @param link  which
     * @param seen  what was seen
     * @param cause the same, as its peer is told
     * @param loss  to be run if that is more than the loss of a link
     */
    void onLost(Link link, String seen, Cause cause, Runnable loss);

    /** A peer has started and has lost its health, and this process has not started. */
    void onLostElsewhere(Link link, Cause cause);

    /** Health is lost. Allocates nothing. */
    void wake();

    /** Nothing of the mesh is left. */
    void stop();

    StrangerCounts strangerCounts();
}
