package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.framing.FrameHeaderFlyweight;
import org.agrona.DirectBuffer;

/** What a link tells, and asks of, the mesh that it belongs to. All methods may be called by any of the link's threads. */
interface LinkOwner {
    Clock clock();

    Health health();

    /** Any cause: for trying out, while there is memory, what will have to work when there is none. */
    Cause rehearsalCause();

    /** Blocks the receive thread of a peer that has started earlier until this process starts too, or the link is closed. */
    void awaitStart(Link link);

    void onData(FrameHeaderFlyweight header, Slab slab, int payloadOffset, ReceiveLane lane);

    /** A notice has come; the books are to be told once its worker has taken it. */
    void onNotice(Notice notice, ConsumptionListener books);

    /** A push in another process has been waiting, or waits no more. */
    void onWaiting(WaitNews news);

    /**
     * A word about a scope has come, maybe after the peer has lost its health.
     *
     * @return null, or what is wrong with it
     */
    String onFate(Link link, long scopeId);

    /** The peer wants a scope to end. */
    void onCancel(Link link, long scopeId, int worker);

    /**
     * The peer has answered a cancel.
     *
     * @return null, or what is wrong with it
     */
    String onCancelled(Link link, long scopeId);

    /** The peer says something about work that is offered. */
    void onOffered(Link link, FrameHeaderFlyweight header, DirectBuffer buffer, int payload);

    void onPeerReady(Link link);

    void onPeerHungUp(Link link);

    void onPeerAborted(Link link, Cause cause);

    /** The peer's stream has ended before everything had been said. */
    void onPeerLost(Link link, String seen);

    void onPeerViolated(Link link, String seen);

    void onThreadFailed(String role, Throwable error);

    /** Something has changed that the watch thread has to look at. */
    void wakeWatch();
}
