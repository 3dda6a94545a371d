package io.hawser.allocator;

import io.hawser.fate.CauseKind;
import io.hawser.fate.Health;
import io.hawser.fate.Outcome;
import io.hawser.fate.Standstill;
import io.hawser.framing.CancelAnswer;
import io.hawser.transport.ClusterConfig;
import io.hawser.transport.FormationException;
import io.hawser.transport.Former;
import io.hawser.transport.LaneState;
import io.hawser.transport.Mesh;
import io.hawser.transport.Notice;
import io.hawser.transport.PeerStats;
import io.hawser.transport.Roster;
import io.hawser.transport.RuntimeFlags;
import io.hawser.transport.WorkerStall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process's part in a cluster: its workers, and their fate, which they share with the workers of all other processes.
 *
 * <pre>{@code
 * Outcomes<Long> outcomes;
 * try (Cluster<Long> cluster = Cluster.execute(config, worker -> compute(worker))) {
 *     outcomes = cluster.join();
 * }
 * }</pre>
 *
 * <p>The cluster ends cleanly when all workers of all processes have returned; this needs nobody to call anything. It is lost when any worker
 * throws, any process dies, falls silent or misbehaves, or somebody aborts it; then every worker of every process comes out with
 * the same cause. Either way nothing is left of it, and the same process can form the next generation at once.
 *
 * <p>Whatever the number of processes and workers, down to one of one, the same code runs.
 *
 * <p><em>Threading:</em> any thread; a worker may abort and close its cluster, but not join it.
 *
 * @param <R> the type of what a worker ends with
 */
public final class Cluster<R> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    /** Enough to see what it waits for, and who called that. */
    private static final int STUCK_FRAMES = 12;

    private final ClusterConfig config;
    private final Mesh mesh;
    private final Notices notices;
    private final Admissions admissions;
    private final WorkerEnds ends;
    private final SpillStores spillStores;
    private final List<WorkerGuard<R>> guards;
    private final List<Thread> threads;
    private final AtomicReference<Outcomes<R>> outcomes = new AtomicReference<>();
    private volatile boolean haveWorkersStarted;

    Cluster(
            final ClusterConfig config,
            final Mesh mesh,
            final Notices notices,
            final Admissions admissions,
            final WorkerEnds ends,
            final SpillStores spillStores,
            final List<WorkerGuard<R>> guards,
            final List<Thread> threads) {
        this.config = config;
        this.mesh = mesh;
        this.notices = notices;
        this.admissions = admissions;
        this.ends = ends;
        this.spillStores = spillStores;
        this.guards = guards;
        this.threads = threads;
    }

    /**
     * Forms the cluster together with the other processes, and starts the workers of this one, each in a thread of its own.
     *
     * @param config   all settings of this process
     * @param function what each worker does
     * @param <R>      the type of what a worker ends with
     * @return the running cluster, to be closed
     * @throws FormationException   if the cluster could not be formed in time; nothing is left of the attempt
     * @throws InterruptedException if the calling thread was interrupted; nothing is left of the attempt
     * @throws IllegalStateException if the JVM lacks a flag that Agrona needs; the text gives the flag
     */
    public static <R> Cluster<R> execute(final ClusterConfig config, final WorkerFunction<? extends R> function)
            throws FormationException, InterruptedException {
        return execute(config, cluster -> {}, function);
    }

    /**
     * As {@link #execute(ClusterConfig, WorkerFunction)}, with something to be done once the cluster has formed and before its workers run: the place for {@link #onStart}, so that no work is offered to a process
     * that does not know yet what to take.
     *
     * @param config   all settings of this process
     * @param onFormed told of the cluster, by the calling thread, which must not join it yet; if it throws, the cluster is lost, and that is thrown on
     * @param function what each worker does
     * @param <R>      the type of what a worker ends with
     * @return the running cluster, to be closed
     * @throws FormationException   if the cluster could not be formed in time; nothing is left of the attempt
     * @throws InterruptedException if the calling thread was interrupted; nothing is left of the attempt
     * @throws IllegalStateException if the JVM lacks a flag that Agrona needs; the text gives the flag
     */
    public static <R> Cluster<R> execute(
            final ClusterConfig config,
            final Consumer<? super Cluster<R>> onFormed,
            final WorkerFunction<? extends R> function)
            throws FormationException, InterruptedException {
        return execute(config, onFormed, function, Keeping.UNSUPERVISED);
    }

    static <R> Cluster<R> execute(
            final ClusterConfig config,
            final Consumer<? super Cluster<R>> onFormed,
            final WorkerFunction<? extends R> function,
            final Keeping keeping)
            throws FormationException, InterruptedException {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(onFormed, "onFormed");
        Objects.requireNonNull(function, "function");
        RuntimeFlags.check();
        return new ClusterLauncher<R>(config, function, keeping).launch(onFormed);
    }

    /**
     * Runs the cluster, and forms it again when it is lost, until its work is done or the policy says that it is enough. Blocks for all that time; hooks are called in the calling thread.
     *
     * <pre>{@code
     * SupervisedOutcomes<Long> outcomes = Cluster.supervise(config, SupervisionPolicy.standard(), worker -> {
     *     Graph graph = worker.kept(Graph.class);      // null in a process that was started anew
     *     worker.keep(graph = graph != null ? graph : load(worker.localIndex()));
     *     return compute(worker, graph);
     * });
     * }</pre>
     *
     * <p>Survivors and processes that were started anew run the same: each forms one generation after the other, always with all processes of the configuration, or of its directory. {@link Worker#roster()} tells a worker who is new.
     * The idea of a limited number of restarts within a time is Erlang's.
     *
     * @param config   all settings of this process for its first generation
     * @param policy   whether, how often and how soon it goes on
     * @param function what each worker does in each generation
     * @param <R>      the type of what a worker ends with
     * @return how it ended, and what became of each generation
     * @throws InterruptedException  if the calling thread was interrupted; the generation is aborted, on all processes, and nothing of it is left but workers that do not return
     * @throws IllegalStateException if the JVM lacks a flag that Agrona needs, or a hook of the policy has thrown a checked exception; unchecked ones are thrown on. Nothing of the cluster is left then
     */
    public static <R> SupervisedOutcomes<R> supervise(
            final ClusterConfig config, final SupervisionPolicy policy, final WorkerFunction<? extends R> function)
            throws InterruptedException {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(function, "function");
        return new Supervisor<R>(config, policy, function).run();
    }

    /**
     * Waits until all workers of this process have ended and the cluster is closed, and tells how. Once health is lost, closing takes no longer
     * than {@link ClusterConfig#abortTimeoutNs()}; how long the workers take to come out lies with their code, which nobody can stop: one that neither returns nor calls the library is waited for, also if that has lost the cluster
     * ({@link ClusterConfig#stallLimitNs()}). May be called any number of times, by
     * any number of threads.
     *
     * @return what came out of it, always the same
     * @throws InterruptedException  if the calling thread was interrupted; the cluster is not affected
     * @throws IllegalStateException if a worker of this cluster calls: it would wait for itself; or before the workers have started
     */
    public Outcomes<R> join() throws InterruptedException {
        return join(Long.MAX_VALUE).orElseThrow();
    }

    /**
     * As {@link #join()}, but for a limited time.
     *
     * @param timeout how long at most
     * @return what came out of it; empty if the time ran out
     * @throws InterruptedException  if the calling thread was interrupted; the cluster is not affected
     * @throws IllegalStateException if a worker of this cluster calls: it would wait for itself
     */
    public Optional<Outcomes<R>> join(final Duration timeout) throws InterruptedException {
        return join(Timeouts.nanos(timeout));
    }

    /**
     * Ends the cluster, on all processes, before its work is done. Does not wait. No effect if it is lost or has ended already.
     *
     * @param reason for the log and for all other processes
     */
    public void abort(final String reason) {
        mesh.health().lose(mesh.causeHere(CauseKind.CLOSED_BY_USER).seen(reason).build());
    }

    /**
     * Ends whatever still runs, and gives back what is left. Idempotent, from any state and any thread, a worker's or a listener's included.
     *
     * <p>If workers of this process still run, the cluster is aborted, and they are waited for no longer than twice
     * {@link ClusterConfig#abortTimeoutNs()}; one that does not call the library for longer is left to end by itself. If all of them
     * have returned, the other processes are given {@link ClusterConfig#silenceTimeoutNs()} to finish; whoever wants to wait for them calls
     * {@link #join()} first. A worker that calls this does not wait at all.
     */
    @Override
    public void close() {
        if (!ends.isOver()) {
            abort("closed while workers were running");
        }
        if (isWorker(Thread.currentThread())) {
            return;
        }
        try {
            awaitClosing();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        mesh.close();
        endAdmissions();
        ends.report();
    }

    private void endAdmissions() {
        try {
            if (!admissions.end(config.abortTimeoutNs())) {
                LOG.warn("the admission thread does not end: an admission handler or placement listener blocks it");
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Sends a notice to a worker, of whatever process, in the name of this process: as {@link Worker#notify}, from any thread. Notices of one thread arrive in order.
     *
     * @param target    global index of the worker
     * @param channelId the channel that it is about, or {@link io.hawser.transport.Notice#NO_CHANNEL}
     * @param kind      the engine's own number of what it is
     * @param body      that holds the body; the caller's again when this returns
     * @param offset    of the body
     * @param length    of the body in bytes, 0…{@link io.hawser.transport.Notice#LENGTH_MAX}
     * @return {@link PushResult#REFUSED} if that worker has too many that it has not been shown; nothing was sent then
     * @throws io.hawser.transport.MessageTooLargeException if the body is longer than that
     * @throws IndexOutOfBoundsException if there is no such worker, or the body does not lie in its buffer
     * @throws IllegalStateException     if the workers of this process have ended and the notice is for another process; one for a worker of this process that has ended is dropped
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public PushResult notify(
            final int target,
            final int channelId,
            final int kind,
            final DirectBuffer body,
            final int offset,
            final int length) {
        return notices.send(Notice.NO_WORKER, target, channelId, kind, body, offset, length);
    }

    /**
     * Says who decides which work this process takes. Until then it rejects all of it: elsewhere; so it is best said by the hook of {@link #execute(ClusterConfig, Consumer, WorkerFunction)}.
     *
     * @param handler asked for each piece of work, in a thread that is no worker's; {@link CapacityModel} is one
     * @throws IllegalStateException if there is one: it stays, since what it has accepted ends with it
     */
    public void onStart(final AdmissionHandler handler) {
        admissions.handler(Objects.requireNonNull(handler, "handler"));
    }

    /**
     * Places the tasks of a dataflow on workers that may refuse: this process is its coordinator. Does not wait.
     *
     * @param placement what is to be placed, and where it may be
     * @param listener  told of each step
     * @return the (first) verdict, by a thread of the common pool. Completed exceptionally if the placement cannot be: {@link IllegalStateException} if that dataflow is being placed or runs,
     *     {@link IndexOutOfBoundsException} if a candidate is no worker, {@link io.hawser.transport.MessageTooLargeException} if a plan does not fit a frame; nothing was sent then
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public CompletionStage<PlacementVerdict> place(final Placement placement, final PlacementListener listener) {
        return admissions.place(
                Objects.requireNonNull(placement, "placement"), Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Announces that this process leaves: it takes no new work from now on, and tells who asks to go elsewhere. What it has taken is finished. Does not wait; for good.
     *
     * @return completed, by a thread of the common pool, when no reservation is open and no task runs any more; never if the cluster ends before
     */
    public CompletionStage<Void> drain() {
        return admissions.drain();
    }

    /**
     * Ends a dataflow on all its workers, wherever they are in it: what is pushed and not pulled is dropped, whoever waits in it comes out. Nobody's health suffers. A dataflow that nobody has opened yet is
     * cancelled when somebody does; the last 16,384 such cancels are remembered. Does not wait, and needs nobody's thread but those of the transport.
     *
     * @param dataflowId of the dataflow, whether it is known in this process or not
     * @param reason     why, for the outcome; what is beyond 512 bytes of UTF-8 is cut off
     * @return what became of it: {@link CancelAnswer#CANCELLED}, also if somebody else had cancelled it before; {@link CancelAnswer#ALREADY_DONE}; {@link CancelAnswer#UNKNOWN} if no process has opened it. Completed by a
     *     thread of the common pool, never exceptionally
     * @throws IllegalArgumentException if the id is not positive
     * @throws IllegalStateException    if 65,536 cancels have not been answered by some process
     * @throws io.hawser.fate.HealthLostException if the cluster is lost
     */
    public CompletionStage<CancelAnswer> cancel(final long dataflowId, final String reason) {
        return mesh.cancelScope(dataflowId, Notice.NO_WORKER, Objects.requireNonNull(reason, "reason"));
    }

    /**
     * The health of the cluster, to be watched or to be given to others who share its fate.
     *
     * @return the root scope
     */
    public Health health() {
        return mesh.health();
    }

    /**
     * Which generation this is.
     *
     * @return the generation that the processes have agreed on, at least 1
     */
    public long generation() {
        return mesh.generation();
    }

    /**
     * Who its members are, and where each of them comes from.
     *
     * @return the same on all processes
     */
    public Roster roster() {
        return mesh.roster();
    }

    /**
     * Which process this is.
     *
     * @return the index of this process
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
     * What has gone to and come from another process so far.
     *
     * @param process index of the other process
     * @return a snapshot
     * @throws IllegalArgumentException if there is no such other process
     */
    public PeerStats stats(final int process) {
        checkOther(process);
        return mesh.stats(process);
    }

    private void checkOther(final int process) {
        if (process < 0 || process >= config.processCount() || process == config.processIndex()) {
            throw new IllegalArgumentException("no other process: process=" + process + " processIndex="
                    + config.processIndex() + " processCount=" + config.processCount());
        }
    }

    /**
     * What the channels of this process have spilled and not sent yet.
     *
     * @return bytes of disk, at most {@link ClusterConfig#spillLimit()}
     */
    public long spilledBytes() {
        return spillStores.usedBytes();
    }

    /**
     * The books of all lanes to and from another process: what has been sent, how far that may go, what has been consumed.
     *
     * @param process index of the other process
     * @return a snapshot, for whoever looks for something that is stuck
     * @throws IllegalArgumentException if there is no such other process
     */
    public List<LaneState> lanes(final int process) {
        checkOther(process);
        return mesh.lanes(process);
    }

    /**
     * What was said lately of pushes that wait for longer than {@link ClusterConfig#standstillTimeoutNs()}: who waits for whose credit, on which channel, and whether
     * that is a circle. The same goes to the log, and to {@link ClusterConfig#standstillListener()}. Processes with waiting workers find out; others know nothing of it.
     *
     * @return at most 16 reports, the oldest first
     */
    public List<Standstill> standstills() {
        return mesh.standstills();
    }

    /**
     * Which workers, of any process, have not called the library for longer than the {@link ClusterConfig#stallTimeoutNs()} of their process, though they do not wait in it: who, for how long, and where their code stands. The same
     * goes to the log, once when it begins and once when it is over. A cluster of one process has no watch and knows of none.
     *
     * @return one for each, until it moves or ends, by the worker's index; those of other processes until the cluster is lost
     */
    public List<WorkerStall> stalls() {
        return mesh.stalls();
    }

    /** Memory that messages live in, in bytes. */
    long liveBytes() {
        return mesh.memory().liveBytes();
    }

    /** What windows may still grow by, in bytes; all of {@link ClusterConfig#floatingWindow()} once no lane is open. */
    long floatingBytes() {
        return mesh.windows().freeBytes();
    }

    /** From now on they can be waited for. */
    void workersStart() {
        haveWorkersStarted = true;
    }

    /** Waits until all workers of this process have returned, however the cluster gets on; false if the time ran out. */
    boolean awaitWorkers(final long timeoutNs) throws InterruptedException {
        return ends.await(timeoutNs);
    }

    /** Where those workers stand that have not returned; empty if all have. */
    String stuckWorkers() {
        final StringBuilder text = new StringBuilder(64);
        for (final Thread thread : threads) {
            if (thread.isAlive()) {
                text.append(text.length() == 0 ? "" : "; ")
                        .append(thread.getName())
                        .append(" at ");
                final StackTraceElement[] stack = thread.getStackTrace();
                for (int i = 0; i < Math.min(stack.length, STUCK_FRAMES); i++) {
                    text.append(i == 0 ? "" : " < ").append(stack[i]);
                }
            }
        }
        return text.toString();
    }

    private Optional<Outcomes<R>> join(final long timeoutNs) throws InterruptedException {
        if (!haveWorkersStarted) {
            throw new IllegalStateException("the workers start when the hook has returned that joins them");
        }
        if (isWorker(Thread.currentThread())) {
            throw new IllegalStateException("a worker cannot wait for its own end: callingThread="
                    + Thread.currentThread().getName());
        }
        if (outcomes.get() != null) {
            return Optional.of(outcomes.get());
        }
        final Countdown left = new Countdown(config.clock(), timeoutNs);
        if (!ends.await(left.ns()) || !mesh.awaitClosed(left.duration()) || !joinThreads(left)) {
            return Optional.empty();
        }
        mesh.close();
        endAdmissions();
        ends.report();
        outcomes.compareAndSet(null, gather());
        return Optional.of(outcomes.get());
    }

    /** The threads have done their work; what is left of them is the way out of {@code run}. */
    private boolean joinThreads(final Countdown left) throws InterruptedException {
        for (final Thread thread : threads) {
            TimeUnit.NANOSECONDS.timedJoin(thread, left.ns());
            if (thread.isAlive()) {
                return false;
            }
        }
        return true;
    }

    private Outcomes<R> gather() {
        final Health health = mesh.health();
        health.settle();
        final List<Outcome<R>> perWorker = new ArrayList<>();
        for (final WorkerGuard<R> guard : guards) {
            perWorker.add(guard.outcome(health.rootCause()));
        }
        final Former place = new Former(
                mesh.generation(),
                mesh.roster().incarnation(),
                config.processIndex(),
                config.processCount(),
                config.workersPerProcess());
        return new Outcomes<>(place, perWorker, health.rootCause(), health.secondaryCauses(), mesh.isWorkDone());
    }

    /** Gives workers time to come out, and other processes time to finish; after a loss the mesh itself bounds its end. */
    private void awaitClosing() throws InterruptedException {
        if (!ends.await(2 * config.abortTimeoutNs()) || mesh.health().isLost()) {
            return;
        }
        if (!mesh.awaitClosed(Duration.ofNanos(config.silenceTimeoutNs()))) {
            abort("closed while other processes were still running");
        }
    }

    private boolean isWorker(final Thread thread) {
        return threads.contains(thread);
    }
}
