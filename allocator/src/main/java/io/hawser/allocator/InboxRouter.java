package io.hawser.allocator;

import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.transport.MeshReceiver;
import io.hawser.transport.Slab;

/**
 * Gives what arrives in this process to the inboxes of the workers it is for.
 *
 * <p><em>Threading:</em> any thread; receive threads for what comes from other processes, workers for what they send to each other.
 * Keeps no state of its own.
 */
final class InboxRouter implements MeshReceiver {
    private final int firstWorker;
    private final Inbox[] inboxes;
    private final LiveSources sources;

    InboxRouter(final int firstWorker, final Inbox[] inboxes, final LiveSources sources) {
        this.firstWorker = firstWorker;
        this.inboxes = inboxes;
        this.sources = sources;
    }

    @Override
    public void onData(
            final FrameHeaderFlyweight header, final Slab slab, final int payloadOffset, final int payloadLength) {
        if (!FrameFlags.isRecords(header.flags())) {
            throw new IllegalStateException("a fragment, which this version cannot take: " + header);
        }
        route(
                slab,
                payloadOffset,
                payloadLength,
                header.channelId(),
                header.sourceWorker(),
                header.firstTargetWorker(),
                header.targetWorkerCount());
    }

    @Override
    public void onHangUp(final int process) {
        sources.end();
    }

    /** Gives a row of records to a range of local workers, each with a reference of its own; the caller, who fills the slab, keeps its own one. */
    void route(
            final Slab slab,
            final int offset,
            final int length,
            final int channelId,
            final int sourceWorker,
            final int firstTarget,
            final int targetCount) {
        final DeliveryShelf shelf = DeliveryShelf.of(slab);
        final int first = firstTarget - firstWorker;
        for (int i = first; i < first + targetCount; i++) {
            inboxes[i].deliver(shelf.next().retain(offset, length, channelId, sourceWorker));
        }
    }
}
