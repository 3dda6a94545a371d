package io.hawser.allocator;

import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.transport.AdmissionWire;
import io.hawser.transport.ConsumptionListener;
import io.hawser.transport.MeshReceiver;
import io.hawser.transport.Notice;
import io.hawser.transport.ReceiveLane;
import io.hawser.transport.Scope;
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
    private final NoticeBox[] noticeBoxes;
    private final ScopeBell[] bells;
    private final Admissions admissions;
    private final LiveSources sources;

    InboxRouter(
            final int firstWorker,
            final Inbox[] inboxes,
            final NoticeBox[] noticeBoxes,
            final ScopeBell[] bells,
            final Admissions admissions,
            final LiveSources sources) {
        this.admissions = admissions;
        this.bells = bells;
        this.noticeBoxes = noticeBoxes;
        this.firstWorker = firstWorker;
        this.inboxes = inboxes;
        this.sources = sources;
    }

    @Override
    public void onData(
            final FrameHeaderFlyweight header, final Slab slab, final int payloadOffset, final ReceiveLane lane) {
        final Delivery.Row row = DeliveryShelf.of(slab).row();
        row.scopeId = header.scopeId();
        row.channelId = header.channelId();
        row.sourceWorker = header.sourceWorker();
        row.flags = header.flags();
        row.charge = ReceiveLane.chargeOf(header);
        row.lane = lane;
        route(row, slab, payloadOffset, header.payloadLength(), header.firstTargetWorker(), header.targetWorkerCount());
    }

    @Override
    public void onNotice(final Notice notice, final ConsumptionListener books) {
        noticeBoxes[notice.targetWorker() - firstWorker].add(notice, books);
    }

    @Override
    public void onScopeChanged(final Scope scope) {
        for (final ScopeBell bell : bells) {
            bell.ring(scope);
        }
        if (scope.isStopped()) {
            admissions.onStopped(scope.id());
        }
    }

    @Override
    public AdmissionWire admission() {
        return admissions.heard();
    }

    @Override
    public boolean onCancelUnopened(final long scopeId, final ScopeOutcome.Cancelled how) {
        return admissions.onCancelled(scopeId, how);
    }

    @Override
    public void onHangUp(final int process) {
        sources.end();
    }

    /** Gives a row to a range of local workers, each with a reference of its own; the caller, who fills the slab, keeps its own one. */
    void route(
            final Delivery.Row row,
            final Slab slab,
            final int offset,
            final int length,
            final int firstTarget,
            final int targetCount) {
        final DeliveryShelf shelf = DeliveryShelf.of(slab);
        for (int worker = firstTarget; worker < firstTarget + targetCount; worker++) {
            inboxes[worker - firstWorker].deliver(shelf.next().retain(row, offset, length, worker));
        }
    }
}
