package io.hawser.allocator;

import io.hawser.transport.Scope;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The dataflows that one worker has open, and what it does when one of them is stopped: it lets go of all that belongs to it, in whatever call it happens to be, as long as that is none in
 * which a message is just being written.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class Dataflows implements Intake.Reaper {

    private final ScopeBell bell;
    private final Intake intake;
    private final Outbox outbox;
    private final Long2ObjectHashMap<Dataflow> open = new Long2ObjectHashMap<>();

    /** All that this worker has ever opened. */
    private final IdSet opened = new IdSet();

    /** Something has changed that concerns this worker, and it has not been told. */
    private boolean hasNews;

    Dataflows(final ScopeBell bell, final Intake intake, final Outbox outbox) {
        this.bell = bell;
        this.intake = intake;
        this.outbox = outbox;
        intake.reaper(this);
        outbox.room().reaper(this::reap);
    }

    /** Ids are never used again: what is still on its way for an old one must not be taken for another one's. */
    void checkUnused(final long id) {
        if (opened.contains(id)) {
            throw new IllegalStateException("this worker has opened that dataflow before, and ids are not used again: "
                    + (open.containsKey(id) ? "it is open" : "it is closed") + ", dataflowId=" + id);
        }
    }

    void add(final Dataflow dataflow) {
        opened.add(dataflow.id());
        open.put(dataflow.id(), dataflow);
        if (dataflow.scope().isStopped()) {
            bell.ring(dataflow.scope()); // nobody else may
        }
    }

    /** It is over for this worker. */
    void remove(final Dataflow dataflow) {
        open.remove(dataflow.id());
    }

    /** Lets go of what was stopped since, and tells whether something has changed that concerns this worker since it was last asked. */
    @Override
    public boolean takeNews() {
        reap();
        final boolean isNew = hasNews;
        hasNews = false;
        return isNew;
    }

    /** Lets go of what was stopped since. */
    @Override
    public void reap() {
        if (!bell.hasRung() || outbox.isClaimOpen()) {
            return;
        }
        for (Scope scope = bell.poll(); scope != null; scope = bell.poll()) {
            hasNews |= opened.contains(scope.id());
            final Dataflow dataflow = open.get(scope.id());
            if (dataflow != null && scope.isStopped()) {
                dataflow.letGo();
            } else if (scope.isStopped()) {
                intake.closeScope(scope.id()); // what has come for it early
            }
        }
    }

    /** The worker has ended, cleanly: what it has not closed is closed now. */
    void finish() {
        for (final Dataflow dataflow : open.values().toArray(new Dataflow[0])) {
            dataflow.finish();
        }
    }
}
