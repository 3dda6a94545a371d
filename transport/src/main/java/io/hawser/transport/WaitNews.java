package io.hawser.transport;

import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.WaitState;

/**
 * That a push has been waiting, that a worker is stalled, or that it is so no more, as WAIT tells it.
 *
 * @param waiter      global index of the worker
 * @param scopeId     in which dataflow its push waits; 0 is the cluster itself
 * @param channelId   on which channel; −1 if it is stalled
 * @param firstTarget the first of the workers for whose credit it waits; itself if it is stalled
 * @param targetCount how many workers those are
 * @param number      rises with each wait of that worker; stalls are counted on their own
 * @param waitedNs    how long it had waited, or stood still, when it was told, ns
 * @param bytes       how much credit it needs
 * @param state       which of the three
 * @param stack       where the code of a stalled worker stands, the innermost call first, lines separated by LF; otherwise empty
 */
record WaitNews(
        int waiter,
        long scopeId,
        int channelId,
        int firstTarget,
        int targetCount,
        long number,
        long waitedNs,
        long bytes,
        WaitState state,
        String stack) {
    /** A push waits for the credit of a lane. */
    static WaitNews waiting(int waiter, LaneAddress lane, long number, long waitedNs, long bytes) {
        return new WaitNews(
                waiter,
                lane.scopeId(),
                lane.channelId(),
                lane.firstTarget(),
                lane.targetCount(),
                number,
                waitedNs,
                bytes,
                WaitState.WAITING,
                "");
    }

    /** A worker does not call the library. */
    static WaitNews stalled(int worker, long number, long stalledNs, String stack) {
        return new WaitNews(
                worker, 0, FrameHeaderFlyweight.NO_CHANNEL, worker, 1, number, stalledNs, 0, WaitState.STALLED, stack);
    }

    boolean isOver() {
        return state == WaitState.OVER;
    }

    /** {@return whether this is about a worker that stands still, or does so no more, and not about a push} */
    boolean isOfStall() {
        return channelId == FrameHeaderFlyweight.NO_CHANNEL;
    }

    boolean isStalled() {
        return state == WaitState.STALLED;
    }

    WaitNews over() {
        return new WaitNews(
                waiter, scopeId, channelId, firstTarget, targetCount, number, waitedNs, bytes, WaitState.OVER, "");
    }

    WaitNews after(final long newWaitedNs) {
        return new WaitNews(
                waiter, scopeId, channelId, firstTarget, targetCount, number, newWaitedNs, bytes, state, stack);
    }
}
