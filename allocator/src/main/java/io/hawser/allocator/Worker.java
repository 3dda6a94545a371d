package io.hawser.allocator;

import io.hawser.fate.Escalation;
import io.hawser.fate.Health;
import io.hawser.fate.HealthLostException;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.Mesh;
import io.hawser.transport.Roster;
import io.hawser.transport.Scope;
import io.hawser.transport.ScopeMembers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;

/**
 * One worker of a cluster, as its own code sees it: who it is, the channels it allocates, and the wait for what arrives in them.
 *
 * <pre>{@code
 * Channel<Long> channel = worker.allocate(0, Codecs.int64());
 * channel.pusher((worker.index() + 1) % worker.peers()).push(42L);
 * Long message = channel.puller().pull();
 * while (message == null) {
 *     worker.park();
 *     message = channel.puller().pull();
 * }
 * }</pre>
 *
 * <p>Once the cluster is lost, every call that pushes, pulls, flushes or waits throws {@link io.hawser.fate.HealthLostException}; one that waits
 * is woken for it.
 *
 * <p><em>Threading:</em> the worker's thread, except {@link #health()} and {@link #progress()}, which are for any. Calls that are not made for
 * each message check that.
 */
public final class Worker {
    private final ClusterConfig config;
    private final long generation;
    private final int index;
    private final Health health;
    private final Whereabouts whereabouts;
    private final ProgressStamp progress;
    private final Intake intake;
    private final Outbox outbox;
    private final Notices notices;
    private final NoticeBox noticeBox;
    private final Mesh mesh;
    private final PanicCauses causes;
    private final Dataflows dataflows;
    private final Admissions admissions;
    private final Keeping keeping;
    private final GoBox goBox;
    private final ChannelScope clusterScope;

    /** Set once, by the thread itself. */
    private Thread thread;

    Worker(
            final ClusterConfig config,
            final Mesh mesh,
            final int index,
            final Whereabouts whereabouts,
            final Intake intake,
            final Outbox outbox,
            final Notices notices,
            final NoticeBox noticeBox,
            final ScopeBell bell,
            final Admissions admissions,
            final Keeping keeping) {
        this.mesh = mesh;
        this.notices = notices;
        this.noticeBox = noticeBox;
        this.config = config;
        this.generation = mesh.generation();
        this.index = index;
        this.health = mesh.health();
        this.whereabouts = whereabouts;
        this.progress = whereabouts.stamp();
        this.intake = intake;
        this.outbox = outbox;
        this.causes = new PanicCauses(mesh, config.clock(), index);
        this.admissions = admissions;
        this.keeping = keeping;
        this.goBox = admissions.goBox(index - config.firstWorker(config.processIndex()));
        this.dataflows = new Dataflows(bell, goBox, admissions::taskEnded, intake, outbox);
        this.clusterScope = new ClusterScope(health);
    }

    PanicCauses causes() {
        return causes;
    }

    Whereabouts whereabouts() {
        return whereabouts;
    }

    boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    static <P> P checkMember(final P pusher, final int target) {
        if (pusher == null) {
            throw new IllegalArgumentException("that worker is no member of the channel's dataflow: target=" + target);
        }
        return pusher;
    }

    static int checkIndex(final int target, final int workerCount) {
        if (target < 0 || target >= workerCount) {
            throw new IndexOutOfBoundsException("no such worker: target=" + target + " peers=" + workerCount);
        }
        return target;
    }

    /**
     * Which worker of the cluster this is.
     *
     * @return the global index, 0…{@link #peers()} − 1
     */
    public int index() {
        return index;
    }

    /**
     * Which worker of its process this is.
     *
     * @return the index, 0…workers per process − 1
     */
    public int localIndex() {
        return index - config.firstWorker(config.processIndex());
    }

    /**
     * How many workers the cluster has, this one included.
     *
     * @return the count over all processes
     */
    public int peers() {
        return config.workerCount();
    }

    /**
     * Which process this worker runs in.
     *
     * @return the index of the process
     */
    public int processIndex() {
        return config.processIndex();
    }

    /**
     * How many processes the cluster has.
     *
     * @return the count, at least 1
     */
    public int processCount() {
        return config.processCount();
    }

    /**
     * Which generation of the cluster this is.
     *
     * @return the generation that the processes have agreed on, at least 1
     */
    public long generation() {
        return generation;
    }

    /**
     * Who the members of this generation are, and which of them still hold what they have kept of the former one.
     *
     * @return the same on all processes
     */
    public Roster roster() {
        return mesh.roster();
    }

    /**
     * What this process still holds of an earlier generation, whatever its shape was.
     *
     * @return what its workers have kept; nothing in a process that was started anew, or is not supervised
     */
    public Handover handover() {
        return keeping.handover();
    }

    /**
     * What the worker of this process with the same {@link #localIndex()} has kept in an earlier generation.
     *
     * @param type what it is
     * @param <T>  the same
     * @return the very object, or null if this process was started anew, or had no such worker
     * @throws ClassCastException if it is something else
     */
    public <T> T kept(final Class<T> type) {
        return keeping.handover().state(localIndex(), type);
    }

    /**
     * Hands something over to the next generation's workers of this process, however this one ends. It is handed over once all workers of this process have kept something; until then the next generation gets what this one was given. Kept
     * again, the latest counts. In a cluster that is not run by {@link Cluster#supervise} nobody comes after, and nothing is kept. Keep what is no more changed: whatever becomes of this worker, the next one gets the very object.
     *
     * @param state what to keep; nothing that ends with this generation, such as a channel
     * @throws IllegalStateException    if another thread calls
     * @throws IllegalArgumentException if it ends with this generation
     */
    public void keep(final Object state) {
        if (!isOwnThread()) {
            throw new IllegalStateException("only the worker's own thread keeps: worker=" + index + " callingThread="
                    + Thread.currentThread().getName());
        }
        keeping.keep(localIndex(), Objects.requireNonNull(state, "state"));
    }

    /**
     * The health of the cluster.
     *
     * @return the root scope
     */
    public Health health() {
        return health;
    }

    /**
     * Grows with each call of this worker into the library: two equal values some time apart mean a worker that computes for long, or
     * is stuck.
     *
     * @return a number that never falls
     */
    public long progress() {
        return progress.value();
    }

    /**
     * Says that this worker goes on, for the watch that looks for workers that do not call the library any more ({@link ClusterConfig#stallTimeoutNs()}): for long computations between other calls. Does nothing else; it costs one
     * plain store, and throws nothing, not even if the cluster is lost. For the worker's own thread only, like the rest: a helper thread that calls it would tell of itself.
     */
    public void alive() {
        progress.step();
    }

    /**
     * Allocates a channel of typed messages. What the others have pushed to it before is not lost.
     *
     * @param channelId the number by which all workers mean this channel, 0 or more
     * @param codec     how messages lie in memory
     * @param <T>       the type of the messages
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    if this worker has allocated that id before, or has {@link ClusterConfig#channelLimit()} channels open; closed ones count until the workers of this
     *     process have read what was pushed to them
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public <T> Channel<T> allocate(final int channelId, final Codec<T> codec) {
        Objects.requireNonNull(codec, "codec");
        return allocate(channelId, codec, OnFull.WAIT);
    }

    /**
     * Allocates a channel of typed messages. What the others have pushed to it before is not lost.
     *
     * @param channelId the number by which all workers mean this channel, 0 or more; not one that this worker has closed
     * @param codec     how messages lie in memory
     * @param onFull    what this worker's pushes do when a target takes no more
     * @param <T>       the type of the messages
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    if this worker has allocated that id before, has {@link ClusterConfig#channelLimit()} channels open, or shall spill without a spill store; closed ones count until the
     *     workers of this process have read what was pushed to them
     * @throws SpillException           if the directory for spilling cannot be used
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public <T> Channel<T> allocate(final int channelId, final Codec<T> codec, final OnFull onFull) {
        return allocate(clusterScope, null, channelId, codec, onFull);
    }

    /** Allocates a channel of the cluster, or of a dataflow, which is told of it. */
    <T> Channel<T> allocate(
            final ChannelScope scope,
            final List<ChannelOut> opened,
            final int channelId,
            final Codec<T> codec,
            final OnFull onFull) {
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(onFull, "onFull");
        checkChannel(scope, channelId);
        final ChannelOut out = open(scope, opened, channelId, onFull);
        final ChannelQueue queue = intake.allocate(scope.id(), channelId);
        @SuppressWarnings({"unchecked", "rawtypes"}) // there are no generic arrays
        final Pusher<T>[] pushers = new Pusher[out.toEach().size()];
        for (int target = 0; target < pushers.length; target++) {
            final Outlet outlet = out.toEach().get(target);
            pushers[target] = outlet == null ? null : new Pusher<>(outlet, codec);
        }
        final Pusher<T> broadcaster = new Pusher<>(out.toAll(), codec);
        return new Channel<>(
                channelId,
                pushers,
                broadcaster,
                new Puller<>(queue, codec, scope, progress, noticeBox),
                new ChannelEnds(this, out, queue));
    }

    private ChannelOut open(
            final ChannelScope scope, final List<ChannelOut> opened, final int channelId, final OnFull onFull) {
        final ChannelOut out = outbox.open(scope, channelId, onFull);
        if (opened != null) {
            opened.removeIf(ChannelOut::isClosed);
            opened.add(out);
        }
        return out;
    }

    /**
     * Allocates a channel of bytes. What the others have pushed to it before is not lost.
     *
     * @param channelId the number by which all workers mean this channel, 0 or more
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    if this worker has allocated that id before, or has {@link ClusterConfig#channelLimit()} channels open; closed ones count until the workers of this
     *     process have read what was pushed to them
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public RawChannel allocateRaw(final int channelId) {
        return allocateRaw(channelId, OnFull.WAIT);
    }

    /**
     * Allocates a channel of bytes. What the others have pushed to it before is not lost.
     *
     * @param channelId the number by which all workers mean this channel, 0 or more; not one that this worker has closed
     * @param onFull    what this worker's pushes do when a target takes no more
     * @return the channel
     * @throws IllegalArgumentException if the id is negative
     * @throws IllegalStateException    if this worker has allocated that id before, has {@link ClusterConfig#channelLimit()} channels open, or shall spill without a spill store; closed ones count until the
     *     workers of this process have read what was pushed to them
     * @throws SpillException           if the directory for spilling cannot be used
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public RawChannel allocateRaw(final int channelId, final OnFull onFull) {
        return allocateRaw(clusterScope, null, channelId, onFull);
    }

    /** Allocates a channel of the cluster, or of a dataflow, which is told of it. */
    RawChannel allocateRaw(
            final ChannelScope scope, final List<ChannelOut> opened, final int channelId, final OnFull onFull) {
        Objects.requireNonNull(onFull, "onFull");
        checkChannel(scope, channelId);
        final ChannelOut out = open(scope, opened, channelId, onFull);
        final ChannelQueue queue = intake.allocate(scope.id(), channelId);
        final RawPusher[] pushers = new RawPusher[out.toEach().size()];
        for (int target = 0; target < pushers.length; target++) {
            final Outlet outlet = out.toEach().get(target);
            pushers[target] = outlet == null ? null : new RawPusher(outlet, outbox);
        }
        final RawPusher broadcaster = new RawPusher(out.toAll(), outbox);
        return new RawChannel(
                channelId,
                pushers,
                broadcaster,
                new RawPuller(queue, scope, progress, noticeBox),
                new ChannelEnds(this, out, queue));
    }

    /**
     * Opens a dataflow of all workers of the cluster: a scope with channels, a health and an outcome of its own. All workers open it under the same id; nothing is sent for that, and what others have pushed or said before is not lost.
     *
     * @param id the number by which all mean it, 1 or more, not used before in this generation; ids that rise one by one take the least memory
     * @return the dataflow, maybe stopped already
     * @throws IllegalArgumentException if the id is not positive
     * @throws IllegalStateException    if this worker has opened that id before, it was opened elsewhere in this process in another way, 65,536 are open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public Dataflow dataflow(final long id) {
        return dataflow(id, ScopeMembers.all(), Escalation.CONTAINED);
    }

    /**
     * Opens a dataflow of some workers, see {@link #dataflow(long)}.
     *
     * @param id         the number by which all mean it, 1 or more
     * @param members    who takes part, this worker among them; the same on all of them
     * @param escalation whether its failure is the cluster's; the same on all of them, which is checked within a process only
     * @return the dataflow, maybe stopped already
     * @throws IllegalArgumentException if the id is not positive, this worker is no member, or a member is no worker of the cluster
     * @throws IllegalStateException    if this worker has opened that id before, it was opened elsewhere in this process in another way, 65,536 are open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public Dataflow dataflow(final long id, final ScopeMembers members, final Escalation escalation) {
        Objects.requireNonNull(members, "members");
        Objects.requireNonNull(escalation, "escalation");
        enter();
        dataflows.checkUnused(id);
        final Scope scope = mesh.openScope(id, members, escalation, index);
        final Dataflow dataflow = new Dataflow(this, mesh, scope, causes, dataflows, intake, outbox);
        dataflows.add(dataflow);
        return dataflow;
    }

    /** Closes both ends of a channel, and tells whoever pushes to it, if so wished. */
    void close(final ChannelOut out, final ChannelQueue queue, final boolean isDropped) {
        if (!out.isClosed()) {
            enter();
            if (out.isClosed()) {
                return; // its dataflow was stopped
            }
            outbox.checkClosable(out);
            queue.checkClosable();
            intake.close(
                    queue,
                    isDropped); // first: of workers that close at once with spilled messages, each waits for the others
            // to
            // discard them
            outbox.close(out);
        }
    }

    /**
     * Sends what was pushed to all channels. Does not wait.
     *
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public void flush() {
        enter();
        outbox.flush();
    }

    /**
     * Flushes, and waits until something can be pulled from one of this worker's channels, a notice has been shown to its handler, or a push that was refused may be tried again; returns at once if so. A message that
     * stays unpulled in an allocated channel therefore keeps the worker awake. What arrives for channels that are not allocated yet does not.
     *
     * <p>Returns early, with the interrupt status as it is, if the thread is interrupted.
     *
     * @throws EndOfStreamException  if nothing can arrive any more, and there is no {@link #onGo} handler
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost, now or while this waits
     */
    public void park() {
        enter();
        outbox.flush();
        intake.await(Long.MAX_VALUE);
    }

    /**
     * As {@link #park()}, but for a limited time.
     *
     * @param timeout how long at most
     * @return true if something can be pulled, a notice has been shown, or a push that was refused may be tried again; false if the time ran out, or the thread was interrupted
     * @throws EndOfStreamException  if nothing can arrive any more, and there is no {@link #onGo} handler
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost, now or while this waits
     */
    public boolean park(final Duration timeout) {
        enter();
        outbox.flush();
        return intake.await(Timeouts.nanos(timeout));
    }

    /**
     * Sends a notice to a worker: a small message that waits for no data and for no channel's credit, and so overtakes what was pushed before. Notices of this worker arrive in order, each once. Does
     * not block, and needs no flush.
     *
     * <p>What this process has sent to that worker, and it has not been shown, is bounded by {@link io.hawser.transport.Notice#WINDOW}. Beyond that nothing is sent: try again later.
     *
     * @param target    global index of the worker, the own one included
     * @param channelId the channel that it is about, or {@link io.hawser.transport.Notice#NO_CHANNEL}
     * @param kind      the engine's own number of what it is
     * @param body      that holds the body; the caller's again when this returns
     * @param offset    of the body
     * @param length    of the body in bytes, 0…{@link io.hawser.transport.Notice#LENGTH_MAX}
     * @return {@link PushResult#REFUSED} if the window is full; nothing was sent then
     * @throws io.hawser.transport.MessageTooLargeException if the body is longer than that
     * @throws IndexOutOfBoundsException if there is no such worker, or the body does not lie in its buffer
     * @throws IllegalStateException     if another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public PushResult notify(
            final int target,
            final int channelId,
            final int kind,
            final DirectBuffer body,
            final int offset,
            final int length) {
        enter();
        return notices.send(index, target, channelId, kind, body, offset, length);
    }

    /**
     * Says who is shown the notices for this worker: from then on {@link #park()}, and each pull and poll before it looks for data, first shows those that have come. Not while a push waits, but also while a claim is open, if something is pulled then. Whoever
     * wants to hear then pushes with {@link OnFull#REFUSE} and parks. Until there is a handler notices wait, and their senders are refused once the window is full. What has not been shown when the
     * worker ends is dropped.
     *
     * @param handler is called by this worker's thread, and not again while it runs; null for none
     * @throws IllegalStateException if another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public void onNotice(final NoticeHandler handler) {
        enter();
        noticeBox.handler(handler);
    }

    /**
     * Flushes, and waits until a notice has been shown to the handler, whether there is something to pull or not; also where no message can arrive any more, since a thread that is no worker may
     * still send one. A dataflow that is stopped meanwhile is let go of, which does not end the wait: {@link #park()} and {@link Dataflow#awaitOutcome} are for that.
     *
     * @param timeout how long at most
     * @return true if one has been shown; false if the time ran out, there is no handler till then, or the thread was interrupted
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost, now or while this waits
     */
    public boolean awaitNotice(final Duration timeout) {
        enter();
        outbox.flush();
        return intake.awaitNotice(Timeouts.nanos(timeout));
    }

    /**
     * Says who begins work that this process has accepted for this worker, see {@link Cluster#onStart}: from then on {@link #park()} shows the go-aheads that have come. Until there is a handler they wait; from then on {@link #park()} waits
     * for work even if no message can arrive any more, since a thread of this process may still place some: such a worker has to be told, by a notice, say, when to return.
     *
     * @param handler is called by this worker's thread, and not again while it runs
     * @throws IllegalStateException if another thread calls
     */
    public void onGo(final GoHandler handler) {
        enter();
        goBox.handler(Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Places the tasks of a dataflow, as {@link Cluster#place}.
     *
     * @param placement what is to be placed, and where it may be
     * @param listener  told of each step, in a thread that is no worker's
     * @return the verdict, as there
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public CompletionStage<PlacementVerdict> place(final Placement placement, final PlacementListener listener) {
        return admissions.place(
                Objects.requireNonNull(placement, "placement"), Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Opens the dataflow that a go-ahead belongs to, whose members are the workers of its placement; or finds it, if another task of the same placement runs on this worker and has opened it.
     *
     * @param goAhead as shown to the {@link #onGo} handler
     * @return the dataflow, maybe stopped already
     * @throws IllegalStateException if this worker has closed it already, it was opened elsewhere in another way, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public Dataflow dataflow(final GoAhead goAhead) {
        enter();
        final long id = goAhead.request().dataflowId();
        final Dataflow open = dataflows.find(id);
        return open != null ? open : dataflow(id, goAhead.members(), Escalation.CONTAINED);
    }

    void bindTo(final Thread ownThread) {
        thread = ownThread;
    }

    /**
     * Waits until a push that was refused may be tried again, whether something can be pulled or not. Flushes first.
     *
     * @param timeout how long at most
     * @return true if there is room, or nothing was refused; false if the time ran out, or the thread was interrupted
     * @throws IllegalStateException if a claim is open, or another thread calls
     * @throws io.hawser.fate.HealthLostException if the cluster is lost, now or while this waits
     */
    public boolean awaitRoom(final Duration timeout) {
        enter();
        outbox.flush();
        return outbox.room().awaitRoom(Timeouts.nanos(timeout));
    }

    /**
     * The clean end of what it sends: everything pushed is on its way. Nothing more is pulled, and what was not pulled is given back first: two workers that
     * both wait to send what they have spilled must not wait for each other to read.
     */
    void finish() {
        if (outbox.room().hasSpilled()) {
            intake.close();
        }
        outbox.abortClaim();
        boolean isFinished = false;
        while (!isFinished) {
            dataflows.letGoStopped();
            isFinished = finishSending();
        }
        dataflows.finish();
        mesh.onWorkerEnded(index);
    }

    /** False if a dataflow was stopped while what it had spilled was waited for. */
    private boolean finishSending() {
        try {
            outbox.finish();
            return true;
        } catch (final ScopeCancelledException | HealthLostException stopped) {
            if (!dataflows.hasStopped() || health.isLost()) {
                throw stopped;
            }
            return false;
        }
    }

    /** Gives back all memory, whatever happened before. */
    void close() {
        try {
            outbox.close();
        } finally {
            intake.close();
            dataflows.close();
        }
    }

    private void checkChannel(final ChannelScope scope, final int channelId) {
        enter();
        scope.check();
        if (channelId < 0) {
            throw new IllegalArgumentException("must not be negative: channelId=" + channelId);
        }
        intake.checkUnused(scope.id(), channelId);
    }

    /** A step of a dataflow begins; returns in which one the worker was, 0 if in none. The library has just been entered. */
    long enterStep(final long dataflowId) {
        return whereabouts.enterScope(dataflowId);
    }

    /** It has ended: what comes next is not its doing. */
    void leaveStep(final long outerId) {
        progress.step(); // first: whoever sees the outer one sees that, too
        whereabouts.enterScope(outerId);
    }

    /** What every call does that is not made for each message. */
    void enter() {
        final Thread caller = Thread.currentThread();
        if (caller != thread) {
            throw new IllegalStateException("a worker is for its own thread only: workerThread="
                    + (thread == null ? "none" : thread.getName())
                    + " callingThread="
                    + caller.getName());
        }
        progress.step();
        health.check();
        dataflows.reap();
    }
}
