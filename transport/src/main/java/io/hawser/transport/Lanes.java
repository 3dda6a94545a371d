package io.hawser.transport;

import io.hawser.framing.FrameHeaderFlyweight;

/**
 * What both sides of a link have agreed about its lanes, and the keys under which they keep them.
 *
 * <pre>
 *    63      32 31        16 15         0
 *   +----------+------------+------------+
 *   | channel  | source     | target     |   workers by their index in their process; 0xFFFF: all workers of the process
 *   +----------+------------+------------+
 * </pre>
 *
 * <p><em>Threading:</em> stateless.
 */
final class Lanes {
    private static final int ALL = 0xFFFF;
    private static final int WORKER_BITS = 16;

    /** What a frame costs its receiver beside its bytes, for each worker that it is for: a few objects. Part of the protocol. */
    private static final int TARGET_CHARGE = 64;

    private Lanes() {}

    /**
     * What a DATA frame takes of its lane's credit.
     *
     * @param frameLength header and payload in bytes
     * @param targetCount how many workers it is for
     * @return bytes, a multiple of 8
     */
    static int charge(final int frameLength, final int targetCount) {
        return FrameHeaderFlyweight.alignedLength(frameLength) + targetCharge(targetCount);
    }

    static int targetCharge(final int targetCount) {
        return TARGET_CHARGE * targetCount;
    }

    static long channelWindow(final Hello own, final Hello peer) {
        return Math.min(own.channelWindow(), peer.channelWindow());
    }

    /** How many lanes each worker of the sending process may keep open on the link. */
    static long laneLimit(final Hello own, final Hello peer) {
        final long window = channelWindow(own, peer);
        return window == ReceiveLane.UNBOUNDED
                ? Integer.MAX_VALUE
                : Math.min(own.linkWindow(), peer.linkWindow()) / window / own.workersPerProcess();
    }

    /** Whether a range of workers is one that lanes lead to: a single worker, or all of a process. */
    static boolean isRange(final int count, final int workersPerProcess) {
        return count == 1 || count == workersPerProcess;
    }

    static long receiveKey(final FrameHeaderFlyweight header, final Hello own, final Hello peer) {
        return key(
                header.channelId(),
                header.sourceWorker() - peer.firstWorker(),
                header.firstTargetWorker() - own.firstWorker(),
                header.targetWorkerCount());
    }

    static long receiveKey(final LaneAddress address, final Hello own, final Hello peer) {
        return key(
                address.channelId(),
                address.sourceWorker() - peer.firstWorker(),
                address.firstTarget() - own.firstWorker(),
                address.targetCount());
    }

    static long sendKey(final LaneAddress address, final Hello own, final Hello peer) {
        return receiveKey(address, peer, own);
    }

    /** The key of the lane that a CREDIT is about. */
    static long creditKey(final FrameHeaderFlyweight header, final Hello own, final Hello peer) {
        final int granter = header.sourceWorker();
        final boolean isAll = granter == FrameHeaderFlyweight.NO_WORKER;
        return key(
                header.channelId(),
                header.firstTargetWorker() - own.firstWorker(),
                isAll ? 0 : granter - peer.firstWorker(),
                isAll ? peer.workersPerProcess() : 1);
    }

    /** The keys of the lanes that lead from one worker to another one: alone, and together with all others of its process. */
    static long soleKey(final FrameHeaderFlyweight header, final Hello own, final Hello peer) {
        return creditKey(header, own, peer);
    }

    static long sharedKey(final FrameHeaderFlyweight header, final Hello own) {
        return key(header.channelId(), header.firstTargetWorker() - own.firstWorker(), 0, 0);
    }

    private static long key(final int channelId, final int source, final int target, final int targetCount) {
        return (long) channelId << 2 * WORKER_BITS | (long) source << WORKER_BITS | (targetCount == 1 ? target : ALL);
    }
}
