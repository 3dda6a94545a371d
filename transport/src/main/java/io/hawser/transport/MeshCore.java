package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseBuilder;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.fate.HealthOwner;
import io.hawser.fate.PreparedCause;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.FrameHeaderFlyweight;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/**
 * What holds a mesh together: the links, the health, the greet and the watch thread, and the one place where what a thread has
 * seen becomes everybody's cause. {@link Mesh} is its public face.
 *
 * <p><em>Threading:</em> events come from any thread; the list of links is changed by the greet thread only.
 */
final class MeshCore
        implements LinkOwner, Greeter.Host, StandstillWatch.Announcer, StallWatch.Host, Scopes.Host, ExitHook.Party {
    /** A link that no longer counts: of an attempt that was given up, or lost while forming. */
    record Retired(Link link, long sinceNs) {}

    /** Those that are free at the moment; more go back to the system. Not a setting: what bounds memory is how much the workers hold. */
    private static final int SLABS_POOLED_PER_LINK = 8;

    /** What all threads together get to end in, however short the time-out of whoever waits. */
    private static final long THREAD_END_NS = 10_000_000;

    /** What they get where somebody waits for nothing else. */
    private static final long THREAD_PATIENCE_NS = 1_000_000_000;

    private static final String WATCH = "watch";
    private static final String GREET = "greet";

    private final ClusterConfig config;
    private final Clock clock;
    private final MeshReceiver receiver;
    private final ProcessIdentity identity = ProcessIdentity.current();
    private final Site site;
    private final HealthOwner healthOwner;
    private final Health health;

    /** One for each link: a retired one may still read when its successor does, and only one thread may take slabs from a pool. */
    private final List<SlabPool> slabPools = new CopyOnWriteArrayList<>();

    private final StandstillWatch standstills;
    private final StallWatch stalls;
    private final ToldStalls toldStalls;
    private final Scopes scopes;
    private final AdmissionSender admission;

    private volatile PreparedCause preparedFailure;
    private final CompletableFuture<Void> formed = new CompletableFuture<>();
    private final IllegalStateException endedUnformed = new IllegalStateException("forming ended without a report");
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Retired> retired = new CopyOnWriteArrayList<>();

    /** Null if this mesh has one process, or is a link. */
    private final Greeter greeter;

    /** Null if this mesh has one process. */
    private final Gathering gathering;

    /** Made before both start. */
    private Thread watchThread;

    private Thread greetThread;
    private final Watch watch;

    // by the greet thread
    private volatile List<Link> links = List.of();
    private volatile long generation;
    private volatile boolean isStarted;
    private volatile Roster roster;
    private volatile boolean hasGreeterEnded;

    // by any thread, once
    private volatile boolean isHungUp;

    private final AtomicBoolean isReported = new AtomicBoolean();

    MeshCore(ClusterConfig config, MeshReceiver receiver) throws IOException {
        this(config, receiver, new OwnSite(config), null);
    }

    /**
     * Puts a mesh together.
     *
     * @param config    settings
     * @param receiver  of what arrives
     * @param site      where it lives
     * @param gathering brings its link about; null: a greet thread of its own
     */
    MeshCore(ClusterConfig config, MeshReceiver receiver, Site site, Gathering gathering) throws IOException {
        this.config = config;
        this.site = site;
        this.clock = config.clock();
        this.receiver = receiver;
        this.standstills = new StandstillWatch(config, this);
        this.stalls = new StallWatch(config, this, Watch.tickNs(config));
        this.toldStalls = new ToldStalls(config);
        this.scopes = new Scopes(
                this,
                config.processIndex(),
                config.processCount(),
                config.workersPerProcess(),
                config.silenceTimeoutNs());
        this.admission = new AdmissionSender(this::linkTo, config.frameLimit());
        this.generation = config.generation();
        this.healthOwner = HealthOwner.root(
                config.clusterId() + "-p" + config.processIndex() + "-g" + config.generation(), config.threadFactory());
        this.health = healthOwner.health();
        this.preparedFailure = prepareFailure();
        this.watch = new Watch(this, config);
        boolean isAlone = config.processCount() == 1;
        this.greeter = isAlone || gathering != null ? null : newGreeter();
        this.gathering = gathering == null ? greeter : gathering;
        this.isStarted = isAlone;
        this.roster = isAlone ? alone() : null;
    }

    private Greeter newGreeter() throws IOException {
        Hello own = Hello.of(config, identity, generation, site.nonce());
        Listing listing = new Listing(config);
        return new Greeter(
                config,
                this,
                new Formation<>(config, own, listing),
                listing,
                names(),
                config.seed().orElse(site.nonce()));
    }

    private Roster alone() {
        return new Roster(List.of(
                new Roster.Member(0, identity.pid(), identity.host(), site.address(), site.nonce(), config.former())));
    }

    private Names names() {
        return site.names(generation);
    }

    void start() {
        site.onStarting(this);
        if (isAlone()) {
            formed.complete(null);
            over.countDown();
            return;
        }
        try {
            watchThread = names().thread(config.threadFactory(), watch, WATCH);
            greetThread = names().thread(config.threadFactory(), greeter, GREET);
            threads.add(watchThread);
            threads.add(greetThread);
            health.addWakeup(watch::wake);
            health.addWakeup(greeter::wake);
            watch.start(watchThread);
            greetThread.start();
        } catch (Throwable t) { // no more threads to be had: nothing may be left of the attempt
            onThreadFailed("greet or watch, which did not start,", t);
            greeter.abandon();
            onGreeterEnded();
            if (!watch.hasStarted()) {
                onOver();
            }
        }
    }

    private boolean isAlone() {
        return gathering == null;
    }

    /**
     * Starts as a link: it has been greeted, and nothing else will come.
     *
     * @param watchThread runs the watch, among others
     */
    void startLinked(Thread watchThread) {
        site.onStarting(this);
        hasGreeterEnded = true;
        health.addWakeup(watch::wake);
        watch.attach(watchThread);
        Link link = links.get(0);
        link.start();
        link.session().readyUp();
        link.wakeSender();
    }

    /** It will not come about after all, and no thread of it has started. */
    void abandon(Cause cause) {
        health.lose(cause);
        for (Link link : links) {
            link.abandon();
        }
        onOver();
    }

    Watch watch() {
        return watch;
    }

    private PreparedCause prepareFailure() {
        return causeHere(CauseKind.THREAD_FAILED)
                .seen("a thread of the transport ran out of memory")
                .prepare();
    }

    /** Ends the health, cleanly; false if it was lost meanwhile. */
    boolean endHealth() {
        return healthOwner.end();
    }

    @Override
    public void onGreeterEnded() {
        hasGreeterEnded = true;
        formed.completeExceptionally(endedUnformed); // no effect if it has been completed
        watch.wake();
    }

    // ---- what Mesh and Watch ask

    ClusterConfig config() {
        return config;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Health health() {
        return health;
    }

    MemoryAccount memory() {
        return site.memory();
    }

    @Override
    public long generation() {
        return generation;
    }

    CompletableFuture<Void> formed() {
        return formed;
    }

    List<Link> links() {
        return links;
    }

    /** {@return who has formed it; null before the start} */
    Roster roster() {
        return roster;
    }

    /** {@return whether this process has hung up, and each other one has, with totals that are right} */
    boolean isWorkDone() {
        boolean isDone = isHungUp;
        for (Link link : links) {
            isDone &= link.session().hasPeerHungUp();
        }
        return isDone;
    }

    List<Retired> retired() {
        return retired;
    }

    void forgetRetired(Retired link) {
        retired.remove(link);
    }

    boolean isStarted() {
        return isStarted;
    }

    /** {@return whether no link will come any more} The greet thread may be just making one when health is lost. */
    boolean areLinksFinal() {
        return isStarted || hasGreeterEnded;
    }

    boolean isHungUp() {
        return isHungUp;
    }

    Link linkTo(int peer) {
        for (Link link : links) {
            if (link.peer() == peer) {
                return link;
            }
        }
        throw new IllegalArgumentException("no link to process=" + peer + " from processIndex=" + config.processIndex()
                + " of processCount=" + config.processCount());
    }

    StrangerCounts strangerCounts() {
        return isAlone() ? new StrangerCounts(0, 0, 0, 0, 0) : gathering.strangerCounts();
    }

    void hangUp() {
        scopes.hangUp(); // first: the hang-up says of all scopes that are not spoken of that they are completed
        isHungUp = true;
        if (isAlone()) {
            healthOwner.end();
            onOver();
        }
        for (Link link : links) {
            link.session().hangUp();
            link.wakeSender();
        }
        watch.wake();
    }

    void closeAllLinks() {
        for (Link link : links) {
            link.close();
        }
        for (Retired link : retired) {
            link.link().close();
        }
    }

    /** Waits until nothing of the mesh is left: links, threads, listener. */
    boolean awaitOver(long timeoutNs) throws InterruptedException {
        long startNs = clock.nanoTime();
        if (!over.await(timeoutNs, TimeUnit.NANOSECONDS)) {
            return false;
        }
        long allowedNs = Math.max(timeoutNs, THREAD_END_NS); // they have nothing left to do but to end
        for (Thread thread : threads) {
            TimeUnit.NANOSECONDS.timedJoin(thread, allowedNs - (clock.nanoTime() - startNs));
            if (thread.isAlive()) {
                return false;
            }
        }
        if (isAlone()) {
            onOver();
        }
        return true;
    }

    /** Waits for threads that have nothing left to do but to end; returns whether they have. */
    boolean awaitThreads() {
        try {
            return awaitOver(THREAD_PATIENCE_NS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean leave() {
        health.lose(causeHere(CauseKind.PROCESS_EXITING)
                .seen("the JVM is being shut down, by System.exit, a signal or the end of its last thread")
                .build());
        return health.isLost(); // by this exit or just before it: either way ABORT is on its way
    }

    @Override
    public void awaitLinksEnded(long timeoutNs) {
        try {
            if (!over.await(timeoutNs, TimeUnit.NANOSECONDS)) {
                Logs.HEALTH.debug("some links did not end within {} ns of the exit", timeoutNs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isOwnThread() {
        return site.isNeededThread() || threads.contains(Thread.currentThread());
    }

    /** The last thing that happens, on the watch thread. Idempotent. */
    void onOver() {
        try {
            health.settle();
            reportLoss();
            if (!isAlone()) {
                gathering.stop();
            }
            for (SlabPool pool : slabPools) {
                pool.close();
            }
            site.onOver(this);
        } finally {
            settleScopes();
            over.countDown(); // whatever happens, nobody waits for ever
        }
    }

    private void settleScopes() {
        try {
            scopes.settle();
        } catch (Throwable noMemory) { // whoever waits for an outcome has the cluster's instead
            Logs.HEALTH.warn("dataflows without an outcome", noMemory);
        }
    }

    /** Says in the log why health was lost, once, and not before it is settled which cause was the first. */
    void reportLoss() {
        if (!health.isLost() || !isStarted || isAlone() || !isReported.compareAndSet(false, true)) {
            return;
        }
        try {
            Cause root = health.rootCause();
            if (root.kind() == CauseKind.CLOSED_BY_USER) {
                Logs.HEALTH.info("{}", root.describe(site.consequence(generation)));
            } else {
                Logs.HEALTH.warn("{}", root.describe(site.consequence(generation)), root.throwable());
            }
        } catch (Throwable hostile) {
            // the throwable refuses to be printed, or the heap is full; a log line is not worth the way down
        }
    }

    // ---- causes

    @Override
    public CauseBuilder causeHere(CauseKind kind) {
        return Cause.builder(kind)
                .subjectProcess(config.processIndex())
                .subjectPid(identity.pid())
                .subjectHost(identity.host())
                .subjectNonce(site.nonce())
                .subjectAddress(site.address())
                .observerProcess(config.processIndex())
                .observedAtEpochMs(clock.epochMs())
                .generation(generation);
    }

    private Cause causeOf(Link link, CauseKind kind, String seen, LinkState state, long elapsedNs) {
        Hello peer = link.session().peer();
        return Cause.builder(kind)
                .seenLater(() -> seen + "; " + state)
                .elapsedNs(elapsedNs)
                .subjectProcess(link.peer())
                .subjectPid(peer.pid())
                .subjectHost(peer.host())
                .subjectNonce(peer.nonce())
                .subjectAddress(peer.address())
                .observerProcess(config.processIndex())
                .observedAtEpochMs(clock.epochMs())
                .generation(generation)
                .build();
    }

    @Override
    public void onThreadFailed(String role, Throwable error) {
        Cause cause;
        try {
            cause = causeHere(CauseKind.THREAD_FAILED)
                    .seen("thread " + role + " threw " + error)
                    .throwable(error)
                    .build();
        } catch (
                Throwable
                        secondError) { // the heap is full, or the error cannot be printed: what was prepared has to do
            cause = preparedFailure.complete(clock.epochMs(), error);
        }
        health.lose(cause);
    }

    @Override
    public Cause rehearsalCause() {
        return causeHere(CauseKind.THREAD_FAILED).seen("a rehearsal").build();
    }

    // ---- events of links

    @Override
    public void awaitStart(Link link) {
        while (!isStarted && !link.isDiscarding()) {
            LockSupport.park(this);
        }
    }

    @Override
    public void onData(FrameHeaderFlyweight header, Slab slab, int payloadOffset, ReceiveLane lane) {
        receiver.onData(header, slab, payloadOffset, lane);
    }

    @Override
    public void onNotice(Notice notice, ConsumptionListener books) {
        receiver.onNotice(notice, books);
    }

    /** Takes a notice for a worker of another process; false if its window is full. */
    boolean offer(Notice notice) {
        int firstWorker = config.firstWorker(config.processIndex());
        int source = notice.sourceWorker();
        boolean isOurs = source >= firstWorker && source < firstWorker + config.workersPerProcess();
        if (notice.sourceProcess() != config.processIndex() || source != Notice.NO_WORKER && !isOurs) {
            throw new IllegalArgumentException("not from this process or one of its workers: processIndex="
                    + config.processIndex() + " " + notice);
        }
        if (isHungUp) {
            throw new IllegalStateException("this process has hung up: " + notice);
        }
        Link link = linkTo(notice.targetWorker() / config.workersPerProcess());
        boolean isTaken = link.session().offer(notice);
        if (isTaken) {
            link.wakeSender();
        }
        return isTaken;
    }

    AdmissionSender admission() {
        return admission;
    }

    @Override
    public void onOffered(Link link, FrameHeaderFlyweight header, DirectBuffer buffer, int payload) {
        AdmissionReader.read(header, buffer, payload, link.peer(), receiver.admission());
    }

    @Override
    public boolean onCancelUnopened(long scopeId, ScopeOutcome.Cancelled how) {
        return receiver.onCancelUnopened(scopeId, how);
    }

    Scopes scopes() {
        return scopes;
    }

    @Override
    public List<Link> scopePeers() {
        return links;
    }

    @Override
    public void onScopeChanged(Scope scope) {
        receiver.onScopeChanged(scope);
    }

    @Override
    public String onFate(Link link, long scopeId) {
        return link.isRetired()
                ? null
                : scopes.onFate(
                        link.peer(),
                        scopeId,
                        link.session().receivedScopes().members(),
                        link.session().receivedScopes().word());
    }

    @Override
    public void onCancel(Link link, long scopeId, int worker) {
        scopes.onCancel(link, scopeId, worker, link.session().receivedScopes().cancelReason());
    }

    @Override
    public String onCancelled(Link link, long scopeId) {
        return scopes.onCancelled(
                link.peer(), scopeId, link.session().receivedScopes().cancelAnswer());
    }

    @Override
    public void onWaiting(WaitNews news) {
        if (news.isOfStall()) {
            toldStalls.onNews(news, clock.nanoTime());
        } else {
            standstills.onNews(news);
        }
    }

    /** From now on a worker of this process is looked after. */
    WorkerReport openReport(int worker, WorkerView view) {
        stalls.open(worker, view);
        return standstills.open(worker, view::progress);
    }

    /** The watch thread. */
    void lookForStalls(long nowNs) {
        stalls.tick(nowNs);
        toldStalls.tick(generation, nowNs);
    }

    /** {@return workers that stand still; those of other processes as long as these can tell} */
    List<WorkerStall> stalls() {
        List<WorkerStall> present = new ArrayList<>();
        long nowNs = clock.nanoTime();
        stalls.addTo(present, nowNs);
        if (!health.isLost()) {
            toldStalls.addTo(present, generation, nowNs);
        }
        present.sort(Comparator.comparingInt(WorkerStall::worker));
        return List.copyOf(present);
    }

    @Override
    public boolean failScope(long scopeId, Cause cause) {
        return scopes.fail(scopeId, cause);
    }

    StandstillWatch standstills() {
        return standstills;
    }

    @Override
    public void announce(WaitNews wait) {
        for (Link link : links) {
            link.session().announce(wait);
            link.wakeSender();
        }
    }

    @Override
    public boolean isLost() {
        return health.isLost();
    }

    @Override
    public void readProgress(StandstillWatch.ProgressReader reader) {
        for (Link link : links) {
            Hello peer = link.session().peer();
            long heardNs = link.session().heartbeats().peerHeardNs();
            for (int i = 0; heardNs != 0 && i < peer.workersPerProcess(); i++) {
                reader.onProgress(
                        peer.firstWorker() + i, link.session().heartbeats().peerProgress(i), heardNs);
            }
        }
    }

    @Override
    public void onPeerReady(Link link) {
        gathering.onPeerReady(link);
    }

    @Override
    public void onPeerHungUp(Link link) {
        if (!link.isRetired()) {
            scopes.onHungUp(
                    link.peer()); // also if the cluster is lost: it is the word about all that it has not spoken of
        }
        if (!link.isDiscarding()) {
            receiver.onHangUp(link.peer());
            toldStalls.onHungUp(link.peer(), clock.nanoTime());
            watch.wake();
        }
    }

    @Override
    public void onPeerAborted(Link link, Cause cause) {
        if (link.isRetired()) {
            return;
        }
        if (isStarted || health.isLost()) {
            health.consider(cause);
        } else if (cause.kind() == CauseKind.FORMATION_ABANDONED) {
            gathering.onLost(link, "it gave up: " + cause.describe(), cause, () -> health.consider(cause));
        } else {
            gathering.onLostElsewhere(link, cause);
        }
        watch.wake();
    }

    /** The generation has started elsewhere and is lost already: this process starts it, too, and learns the cause at once. */
    @Override
    public void onLostElsewhere(Cause cause) {
        health.consider(cause);
    }

    @Override
    public void onPeerLost(Link link, String seen) {
        lose(link, CauseKind.PEER_LOST, seen, 0);
    }

    @Override
    public void onPeerViolated(Link link, String seen) {
        lose(link, CauseKind.PROTOCOL_VIOLATED, seen, 0);
    }

    /** The watch found a peer silent. If it has started and waits for us, who hold its data back until the own start, the silence is ours. */
    void onPeerSilent(Link link, long nowNs, long longestPauseNs) {
        if (!isStarted && !link.receiveAgent().isReading()) {
            Cause cause = abandoned("process " + link.peer() + " has started generation " + generation
                    + ", and this process could not within "
                    + toMillis(link.session().silenceNs(nowNs)) + " ms");
            gathering.onLost(link, cause.seen(), cause, () -> {});
            return;
        }
        long silenceNs = link.session().silenceNs(nowNs);
        lose(
                link,
                CauseKind.PEER_SILENT,
                "no byte came for " + toMillis(silenceNs) + " ms, more than silenceTimeout="
                        + toMillis(config.silenceTimeoutNs())
                        + " ms, while the socket stayed open; longest pause of the"
                        + " observer itself " + toMillis(longestPauseNs) + " ms",
                silenceNs);
        link.closeWhenSent();
    }

    private static long toMillis(long ns) {
        return ns / 1_000_000;
    }

    private void lose(Link link, CauseKind kind, String seen, long elapsedNs) {
        if (link.isRetired()) {
            return;
        }
        LinkState state = link.snapshot();
        long pauseNs =
                kind == CauseKind.PEER_LOST && isStarted ? watch.ownPauseNs(clock.nanoTime(), link.establishedNs()) : 0;
        if (pauseNs > 0 && !health.isLost()) {
            health.lose(causeHere(CauseKind.PROCESS_SUSPENDED)
                    .elapsedNs(pauseNs)
                    .seenLater(() ->
                            "this process stood still for " + toMillis(pauseNs) + " ms, longer than silenceTimeout="
                                    + toMillis(config.silenceTimeoutNs()) + " ms; then " + seen + "; " + state)
                    .build());
        }
        Cause cause = causeOf(link, kind, seen, state, elapsedNs);
        if (isStarted || health.isLost()) {
            health.lose(cause);
        } else {
            gathering.onLost(link, seen, cause, () -> health.lose(cause));
        }
    }

    @Override
    public void wakeWatch() {
        watch.wake();
    }

    // ---- events of the greet thread

    @Override
    public boolean isHealthLost() {
        return health.isLost();
    }

    @Override
    public String healthCause() {
        return health.firstCause().describe();
    }

    @Override
    public Link link(SocketChannel channel, Session session) throws IOException {
        SlabPool slabs = new SlabPool(config.slabLength(), SLABS_POOLED_PER_LINK, memory());
        slabPools.add(slabs);
        session.progressSource(standstills);
        Link link = new Link(
                this, config, channel, session, slabs, newCells(), windows(), memory(), scopes.stopped(), names());
        try {
            rehearseLoss(link);
            List<Link> more = new ArrayList<>(links);
            more.add(link);
            threads.add(link.sendThread());
            threads.add(link.receiveThread());
            links = List.copyOf(more);
        } catch (Throwable noMemory) {
            link.abandon();
            throw noMemory;
        }
        return link;
    }

    /** Cells for whoever copies payloads; freed at the end. */
    LaneCells newCells() {
        return new LaneCells(memory(), slabPools);
    }

    WindowPool windows() {
        return site.windows();
    }

    /** The first loss would load and link classes while everybody waits for it. */
    private void rehearseLoss(Link link) {
        Cause cause = causeOf(link, CauseKind.PEER_LOST, "a rehearsal", link.snapshot(), 0);
        Logs.LINK.trace("linked: {}", cause.describe());
        Link.SendFailure failure = new Link.SendFailure(new IOException("a rehearsal"), 0);
        Logs.LINK.trace("linked: {}", failure);
    }

    private void retire(Link link) {
        if (!link.isRetired()) {
            retired.add(new Retired(link, clock.nanoTime()));
            List<Link> fewer = new ArrayList<>(links);
            fewer.remove(link);
            links = List.copyOf(fewer);
            link.retire();
        }
    }

    @Override
    public Cause abandoned(String why) {
        return causeHere(CauseKind.FORMATION_ABANDONED).seen(why).build();
    }

    /** Its receive thread takes what still comes until the peer ends its stream, too, or the watch closes the link: see {@link Watch}. */
    @Override
    public void onRetired(Link link, Cause cause) {
        link.session().abort(cause);
        link.session().shut();
        retire(link);
    }

    @Override
    public void onRaised(long newGeneration) {
        generation = newGeneration;
        preparedFailure = prepareFailure();
        watchThread.setName(names().prefix() + WATCH);
        greetThread.setName(names().prefix() + GREET);
    }

    @Override
    public void onStart(Roster members) {
        roster = members;
        isStarted = true;
        for (Link link : links) {
            LockSupport.unpark(link.receiveThread());
        }
        formed.complete(null);
    }

    @Override
    public void onFormationFailed(FormationReport report, boolean isFinal, long nextGeneration, Throwable cause) {
        health.lose(causeHere(CauseKind.FORMATION_ABANDONED)
                .seen(report.reason())
                .throwable(cause)
                .build());
        formed.completeExceptionally(new FormationException(report, isFinal, nextGeneration, cause));
    }
}
