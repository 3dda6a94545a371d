package io.hawser.transport;

import io.hawser.fate.CauseBuilder;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Escalation;
import io.hawser.fate.Health;
import io.hawser.fate.HealthState;
import io.hawser.fate.Standstill;
import io.hawser.framing.CancelAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * A full mesh of processes that forms as one and falls as one: one link to each peer, one shared {@link Health}. It is what an
 * engine's workers are built on; most users want {@code io.hawser.allocator.Cluster} instead.
 *
 * <p>It ends in one of two ways. Cleanly: every process calls {@link #hangUp}, and all that was pushed has arrived everywhere.
 * Uncleanly: health is lost somewhere, for whatever reason; then every process learns the first cause, and everything here ends
 * within the abort time-out.
 *
 * <p>The mesh of one process has no peers and opens no socket.
 *
 * <p><em>Threading:</em> all methods may be called by any thread; only {@link #form}, {@link #awaitClosed} and {@link #close} block.
 */
public final class Mesh implements AutoCloseable {
    /** Beyond the abort time-out: for threads to notice that their sockets are closed. */
    private static final long CLOSE_SLACK_NS = 5_000_000_000L;

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final MeshCore core;

    Mesh(MeshCore core) {
        this.core = core;
    }

    /**
     * Forms the mesh: blocks until every process has a link to every other and everybody knows it, at most the formation time-out.
     *
     * @param config   checked settings
     * @param receiver takes what arrives; data may come a moment before this method returns
     * @return the mesh, of the generation that all agreed on
     * @throws FormationException    if somebody was missing at the deadline, or refused us for good; it lists every peer, and nothing
     *                               of the attempt is left
     * @throws InterruptedException  if the calling thread was interrupted; nothing of the attempt is left
     * @throws IllegalStateException if the JVM lacks a flag that Agrona needs; the text gives the flag
     */
    public static Mesh form(ClusterConfig config, MeshReceiver receiver)
            throws FormationException, InterruptedException {
        RuntimeFlags.check();
        MeshCore core;
        try {
            core = new MeshCore(config, receiver);
        } catch (IOException e) {
            FormationReport report = new FormationReport(
                    config.processIndex(), config.generation(), "no selector: " + e.getMessage(), 0, List.of());
            throw new FormationException(report, false, config.generation(), e);
        }
        core.start();
        try {
            core.formed().get();
            return new Mesh(core);
        } catch (ExecutionException e) {
            core.awaitOver(endingNs(config));
            if (e.getCause() instanceof FormationException failure) {
                throw failure;
            }
            String why = core.health().isLost() ? core.healthCause() : "the greet thread ended";
            FormationReport report = new FormationReport(config.processIndex(), core.generation(), why, 0, List.of());
            throw new FormationException(report, false, core.generation() + 1, e.getCause());
        } catch (InterruptedException e) {
            core.health()
                    .lose(core.causeHere(CauseKind.FORMATION_ABANDONED)
                            .seen("the thread that formed the cluster was interrupted")
                            .build());
            core.awaitOver(endingNs(config));
            throw e;
        }
    }

    private static long endingNs(ClusterConfig config) {
        return config.abortTimeoutNs() + CLOSE_SLACK_NS;
    }

    /** {@return the settings} */
    public ClusterConfig config() {
        return core.config();
    }

    /** {@return the generation that was formed, at least the configured one} */
    public long generation() {
        return core.generation();
    }

    /** {@return who its members are, and where each comes from} */
    public Roster roster() {
        return core.roster();
    }

    /**
     * {@return whether all workers of all processes have done their work, though the cluster may have been lost after that} Each process has said so, and what it had sent has arrived here; what is not known is whether each
     * of them knows the same.
     */
    public boolean isWorkDone() {
        return core.isWorkDone();
    }

    /** {@return the health that all of this process shares; losing it ends the mesh on every process} */
    public Health health() {
        return core.health();
    }

    /** {@return the account of the direct memory that rings and slabs hold; it is at 0 after the end} */
    public MemoryAccount memory() {
        return core.memory();
    }

    /**
     * Starts a cause about this process: itself as subject and observer, now, this generation.
     *
     * @param kind what happened
     * @return the builder, to be completed
     */
    public CauseBuilder causeHere(CauseKind kind) {
        return core.causeHere(kind);
    }

    /**
     * Opens the send ring from one worker to one peer. Its producer side belongs to that worker's thread, which has to close it.
     *
     * @param peer         index of the peer process
     * @param sourceWorker global index of the worker
     * @return the ring
     * @throws IllegalArgumentException if there is no such peer
     */
    public SendRing openRing(int peer, int sourceWorker) {
        return core.linkTo(peer).openRing(core.config(), sourceWorker, core.memory());
    }

    /**
     * Opens what a worker reports of itself: its progress, which heartbeats carry, and long waits of its pushes; and has the watch see to it that it goes on calling.
     *
     * @param worker global index of a worker of this process
     * @param view   what is seen of it, by any thread
     * @return the report, for the worker's thread
     */
    public WorkerReport openReport(int worker, WorkerView view) {
        return core.openReport(worker, view);
    }

    /**
     * Which workers, of any process, do not call the library any more, see {@link ClusterConfig#stallTimeoutNs()}.
     *
     * @return one for each, until it moves or ends, by the worker's index; those of other processes until health is lost
     */
    public List<WorkerStall> stalls() {
        return core.stalls();
    }

    /**
     * Sends a notice to a worker of another process. It waits for no data and for nobody's credit: it leaves as soon as the frames that are just being written have left. Notices of one sender
     * arrive in order. Does not block.
     *
     * @param notice from this process to a worker of another one
     * @return false if so much has been sent to that worker and not been taken by it that the window is full: nothing was sent
     * @throws IllegalArgumentException if there is no such other worker
     * @throws IllegalStateException    if this process has hung up
     * @throws io.hawser.fate.HealthLostException if health is lost
     */
    public boolean offer(Notice notice) {
        core.health().check();
        return core.offer(notice);
    }

    /**
     * Opens a scope below the cluster, for one worker. All members open it under the same id; nothing is sent for that. Ids are not used again within a generation. What was said about it before, a cancel, say, is not lost.
     *
     * @param id         1 or more
     * @param members    who takes part; the same on all
     * @param escalation whether its failure is one of the cluster; the same on all
     * @param worker     global index of a worker of this process, which is a member
     * @return the scope, maybe stopped already; the same for all workers of the process
     * @throws IllegalArgumentException if the id is not positive, or the worker is none of this process or no member, or a member is no worker of the cluster
     * @throws IllegalStateException    if it has been opened with other members or another escalation, 65,536 scopes have no outcome yet, or the cluster has ended
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public Scope openScope(final long id, final ScopeMembers members, final Escalation escalation, final int worker) {
        final int local = worker - config().firstWorker(config().processIndex());
        if (id < 1
                || local < 0
                || local >= config().workersPerProcess()
                || !members.contains(worker)
                || members.isBeyond(config().workerCount())) {
            throw new IllegalArgumentException("no such dataflow, or nobody who takes part in it: dataflowId=" + id
                    + " worker=" + worker + " members=" + members + " processIndex="
                    + config().processIndex() + " workers=" + config().workerCount());
        }
        return core.scopes().open(id, members, escalation, worker);
    }

    /**
     * A worker of this process has ended, cleanly: its part in all scopes is done, whether it has opened them or not.
     *
     * @param worker global index of the worker
     */
    public void onWorkerEnded(final int worker) {
        core.scopes().onWorkerEnded(worker);
    }

    /**
     * Ends a scope on all its members, wherever they are in it: what is pushed and not pulled is dropped, whoever waits in it comes out. Nobody's health suffers. A scope that nobody has opened yet is
     * cancelled when somebody does; the last 16,384 such cancels are remembered. Does not block.
     *
     * @param id     of the scope, whether it is known here or not
     * @param worker global index of the worker of this process that asks, or −1
     * @param reason why, for the outcome; what is beyond 512 bytes of UTF-8 is cut off
     * @return what became of it: {@link CancelAnswer#CANCELLED}, also if somebody else had cancelled it before; {@link CancelAnswer#ALREADY_DONE}; {@link CancelAnswer#UNKNOWN} if no process has opened
     *     it. Completed by a thread of the common pool, never exceptionally
     * @throws IllegalArgumentException if the id is not positive
     * @throws IllegalStateException    if 65,536 cancels have not been answered by some process
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public CompletionStage<CancelAnswer> cancelScope(final long id, final int worker, final String reason) {
        if (id < 1) {
            throw new IllegalArgumentException("no such dataflow: dataflowId=" + id);
        }
        return core.scopes().cancel(id, worker, reason);
    }

    /**
     * The frame limit that holds whomever a frame goes to.
     *
     * @return the least that has been agreed with any peer, bytes; the own one if there is no peer
     */
    public int frameLimit() {
        int limit = core.config().frameLimit();
        for (final Link link : core.links()) {
            limit = Math.min(limit, link.session().peer().frameLimit());
        }
        return limit;
    }

    /**
     * A peer has broken a rule that only whoever builds on the mesh knows: that costs the cluster its health.
     *
     * @param peer index of the process
     * @param seen what it has done
     */
    public void onViolation(final int peer, final String seen) {
        core.onPeerViolated(core.linkTo(peer), seen);
    }

    /**
     * The way to say something about work that is offered to another process.
     *
     * @return always the same. Its calls throw {@link IllegalArgumentException} if there is no such other process, and {@link MessageTooLargeException} if what is told does not fit its frame; after the end of the cluster they do nothing
     */
    public AdmissionWire admission() {
        return core.admission();
    }

    /**
     * What was said lately of pushes that wait for longer than {@link ClusterConfig#standstillTimeoutNs()}: who waits for whose credit, on which channel, in a circle or not.
     *
     * @return at most 16 reports, the oldest first
     */
    public List<Standstill> standstills() {
        return core.standstills().remembered();
    }

    /**
     * The books of all lanes to and from another process: who has credit left, who holds what. For tests, and for whoever looks for something that is stuck.
     *
     * @param peer index of the peer process
     * @return a snapshot; the ends are not looked at all at the same moment
     * @throws IllegalArgumentException if there is no such peer
     */
    public List<LaneState> lanes(int peer) {
        return core.linkTo(peer).lanes();
    }

    /**
     * The floating credit of this process, for whoever gives credit beside the links: between workers of the process.
     *
     * @return the pool
     */
    public WindowPool windows() {
        return core.windows();
    }

    /**
     * Cells for whoever copies payloads of lanes; their memory is freed with the mesh.
     *
     * @return new cells
     */
    public LaneCells newCells() {
        return core.newCells();
    }

    /**
     * Starts the clean end: no worker of this process will push any more, and all rings are closed. What they hold is
     * sent first. Does not block; idempotent.
     */
    public void hangUp() {
        core.hangUp();
    }

    /**
     * Waits until nothing of the mesh is left: no link, thread, socket or listener. After a loss of health that takes at most about the abort
     * time-out; a clean end takes as long as the slowest worker of the cluster.
     *
     * @param timeout how long to wait at most
     * @return whether the end was reached
     * @throws InterruptedException  if the calling thread was interrupted
     * @throws IllegalStateException if the calling thread is one of the mesh's own, which would wait for itself
     */
    public boolean awaitClosed(Duration timeout) throws InterruptedException {
        if (core.isOwnThread()) {
            throw new IllegalStateException("a thread of the mesh waits for its own end: thread="
                    + Thread.currentThread().getName());
        }
        return core.awaitOver(timeout.compareTo(LONGEST) < 0 ? timeout.toNanos() : Long.MAX_VALUE);
    }

    /**
     * Ends the mesh if it has not ended: uncleanly, with this process's user as the cause. Waits for the end, unless called by one of the
     * mesh's own threads. Idempotent.
     */
    @Override
    public void close() {
        lose("Mesh.close was called before the end");
        if (core.isOwnThread()) {
            return;
        }
        try {
            core.awaitOver(endingNs(core.config()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The user ends it, unless it has ended. */
    void lose(String seen) {
        if (core.health().state() == HealthState.HEALTHY) {
            core.health()
                    .lose(core.causeHere(CauseKind.CLOSED_BY_USER).seen(seen).build());
        }
    }

    /**
     * What has crossed the link to one peer.
     *
     * @param peer index of the peer process
     * @return a snapshot
     * @throws IllegalArgumentException if there is no such peer
     */
    public PeerStats stats(int peer) {
        return core.linkTo(peer).stats();
    }

    /** {@return who came to the port without being a peer} */
    public StrangerCounts strangers() {
        return core.strangerCounts();
    }
}
