package io.hawser.transport;

/**
 * Between whom a lane is: the messages of one channel from one worker to one worker, or to all workers of one process, which travel in order and
 * have credit of their own. Workers by their global index.
 *
 * @param scopeId      the dataflow; 0 is the cluster itself
 * @param channelId    the channel, ≥ 0
 * @param sourceWorker the worker that pushes
 * @param firstTarget  the worker, or the first of the workers, that it is for
 * @param targetCount  how many workers it is for
 */
public record LaneAddress(long scopeId, int channelId, int sourceWorker, int firstTarget, int targetCount) {
    /**
     * What a frame of this lane takes of its credit.
     *
     * @param frameLength header and payload in bytes; 0 for what comes on top of any frame
     * @return bytes, a multiple of 8
     */
    public int charge(final int frameLength) {
        return Lanes.charge(frameLength, targetCount);
    }

    @Override
    public String toString() {
        return "channel " + channelId + " from worker " + sourceWorker + " to worker" + (targetCount == 1 ? " " : "s ")
                + firstTarget + (targetCount == 1 ? "" : "…" + (firstTarget + targetCount - 1))
                + (scopeId == 0 ? "" : " in scope " + scopeId);
    }
}
