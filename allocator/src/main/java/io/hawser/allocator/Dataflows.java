package io.hawser.allocator;

import io.hawser.transport.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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

    private final GoBox goBox;
    private final Consumer<GoAhead> onTaskEnded;

    /** Made once: a worker asks each time it parks. */
    private final Consumer<GoAhead> onShown = this::onShown;

    /** What runs in open dataflows because a coordinator has placed it there. */
    private final Long2ObjectHashMap<List<GoAhead>> tasks = new Long2ObjectHashMap<>();

    Dataflows(
            final ScopeBell bell,
            final GoBox goBox,
            final Consumer<GoAhead> onTaskEnded,
            final Intake intake,
            final Outbox outbox) {
        this.goBox = goBox;
        this.onTaskEnded = onTaskEnded;
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

    /** The open one; null if there is none. */
    Dataflow find(final long id) {
        return open.get(id);
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
        final List<GoAhead> ended = tasks.remove(dataflow.id());
        if (ended != null) {
            ended.forEach(onTaskEnded);
        }
    }

    /** A go-ahead has been shown: its task ends with its dataflow, or has ended already. */
    private void onShown(final GoAhead goAhead) {
        final long id = goAhead.request().dataflowId();
        if (open.containsKey(id)) {
            tasks.computeIfAbsent(id, key -> new ArrayList<>()).add(goAhead);
        } else {
            onTaskEnded.accept(goAhead);
        }
    }

    @Override
    public boolean hasGoAhead() {
        return goBox.hasAny();
    }

    @Override
    public boolean isForWork() {
        return goBox.hasHandler();
    }

    @Override
    public boolean showGoAheads() {
        return goBox.show(onShown);
    }

    /** The worker has ended, however: nothing begins any more, and what has begun is over. */
    void close() {
        bell.close();
        goBox.close();
        tasks.values().forEach(ended -> ended.forEach(onTaskEnded));
        tasks.clear();
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

    /** Whether one of those that are open was stopped, whether the bell has rung for it or not. */
    boolean hasStopped() {
        return open.values().stream().anyMatch(dataflow -> dataflow.scope().isStopped());
    }

    void letGoStopped() {
        for (final Dataflow dataflow : open.values().toArray(new Dataflow[0])) {
            if (dataflow.scope().isStopped()) {
                dataflow.letGo();
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
