package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.Clock;
import io.hawser.framing.RefuseReason;
import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The greet thread: listens and exchanges HELLOs ({@link Reception}), dials ({@link Dialler}), carries out what
 * {@link Formation} decides, and hands greeted sockets over to links. It does so with one selector, so that strangers cost no thread and
 * parallel dials do not either, and so that one thread makes every decision of forming. It lives on after the start, to turn late-comers
 * away.
 *
 * <p><em>Threading:</em> {@link #run} is the body of one thread; {@link #post} and {@link #stop} may be called by any.
 */
final class Greeter implements Runnable, Reception.Host, Gathering {
    private static final long LONG_NS = 3_600_000_000_000L;
    private static final long RELIST_NS = 1_000_000_000;
    private static final long TELL_MISSING_NS = 3_000_000_000L;

    /** What the greeter needs of the mesh. */
    interface Host {
        Clock clock();

        Link link(SocketChannel channel, Session session) throws IOException;

        void onRaised(long generation);

        /** What a peer is told whose link is given up before the start, for a reason that is not its own. */
        Cause abandoned(String why);

        /** The link does not count any more; its peer is told why, unless it has been told already. */
        void onRetired(Link link, Cause cause);

        void onStart(Roster members);

        /** Comes just before the start: the generation is lost before it has begun here. */
        void onLostElsewhere(Cause cause);

        void onFormationFailed(FormationReport report, boolean isFinal, long nextGeneration, Throwable cause);

        boolean isHealthLost();

        /** The line that says why, after health was lost. */
        String healthCause();

        void onThreadFailed(String role, Throwable error);

        /** The last thing that the greet thread does: whoever still waits for the cluster to form will wait in vain. */
        void onGreeterEnded();
    }

    private final ClusterConfig config;
    private final Host host;
    private final Formation<Link> formation;
    private final Listing listing;
    private final Resolver resolver;
    private final FormationListener steps;
    private final Reception reception;
    private final Listener listener;
    private final Callers callers;
    private final Dialler dialler;
    private final AgentProbe probe = AgentProbe.current();
    private final Queue<Runnable> posts = new ConcurrentLinkedQueue<>();
    private final Selector selector;
    private final long startedNs;
    private final long deadlineNs;
    private long relistAtNs;
    private boolean isRelisting;
    private boolean isListeningTold;
    private final Pace missing;

    private volatile boolean isStopped;

    Greeter(ClusterConfig config, Host host, Formation<Link> formation, Listing listing, Names names, long seed)
            throws IOException {
        this.config = config;
        this.host = host;
        this.formation = formation;
        this.listing = listing;
        this.steps = config.formationListener().orElse((step, generation, peer) -> {});
        this.startedNs = host.clock().nanoTime();
        this.deadlineNs = startedNs + config.formationTimeoutNs();
        this.selector = Selector.open();
        this.resolver = new Resolver(config.threadFactory(), names);
        this.reception = new Reception(config, this, selector, resolver, this::post, startedNs);
        this.listener = reception.listener();
        this.callers = reception.callers();
        this.dialler = new Dialler(
                config,
                host.clock(),
                formation,
                new Dialling(config, seed, startedNs),
                listing,
                resolver,
                reception,
                this::post);
        this.relistAtNs = startedNs;
        this.missing = new Pace(TELL_MISSING_NS, startedNs);
    }

    /** Has the greet thread do something. */
    void post(Runnable action) {
        posts.add(action);
        selector.wakeup();
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    /** The thread never started. */
    void abandon() {
        isStopped = true;
        closeAll();
    }

    /** Ends the thread; the port is free when it has ended. */
    @Override
    public void stop() {
        isStopped = true;
        selector.wakeup();
    }

    @Override
    public StrangerCounts strangerCounts() {
        return reception.strangerCounts();
    }

    @Override
    public void run() {
        try {
            while (!isStopped) {
                probe.onCycle("greet", -1);
                dutyCycle();
            }
        } catch (Throwable t) {
            if (formation.isStarted()) {
                host.onThreadFailed("greet", t);
            } else {
                fail("the greet thread failed", false, t);
            }
        } finally {
            closeAll();
            host.onGreeterEnded();
        }
    }

    private void dutyCycle() throws IOException {
        long nowNs = host.clock().nanoTime();
        listener.tick(nowNs);
        if (listener.isBound() && !isListeningTold) {
            isListeningTold = true;
            tell(FormationListener.Step.LISTENING, -1);
        }
        if (!formation.isStarted()) {
            checkFormation(nowNs);
        }
        reception.expire(nowNs);
        reception.select(waitMs(nowNs));
        for (Runnable action = posts.poll(); action != null; action = posts.poll()) {
            action.run();
        }
    }

    private long waitMs(long nowNs) {
        long dueNs = reception.nextNs(nowNs + LONG_NS);
        if (!formation.isStarted()) {
            dueNs = deadlineNs - dueNs < 0 ? deadlineNs : dueNs;
            dueNs = listener.isBound() ? dialler.nextNs(dueNs) : dueNs;
            dueNs = missing.nextNs(dueNs);
            dueNs = !listing.isFixed() && !isRelisting && relistAtNs - dueNs < 0 ? relistAtNs : dueNs;
        }
        return Math.max(1, (dueNs - nowNs + 999_999) / 1_000_000);
    }

    private void checkFormation(long nowNs) {
        if (host.isHealthLost()) {
            fail("this process lost its own health: " + host.healthCause(), false, null);
        } else if (nowNs - deadlineNs >= 0) {
            String reason = listener.bindError();
            fail(reason.isEmpty() ? "not everybody was there by the formation deadline" : reason, false, null);
        } else if (listing.hasOtherShape()) {
            fail(listing.shapeChange(), false, null);
        } else if (listener
                .isBound()) { // the port is the claim to the index: who cannot have it must not call itself so
            dialler.dialDue(nowNs);
        }
        if (!isStopped) {
            relistIfDue(nowNs);
            tellMissingIfDue(nowNs);
        }
    }

    /** Everybody says whom it waits for, also who dials nobody. */
    private void tellMissingIfDue(long nowNs) {
        if (missing.isDue(nowNs)) {
            Logs.FORMATION.info(
                    "process {} has been forming generation {} for {} ms, and waits for {}",
                    config.processIndex(),
                    formation.generation(),
                    (nowNs - startedNs) / 1_000_000,
                    formation.report("", 0).missing());
        }
    }

    /** Who dials nobody has to know, too, who is at the listed address and who is not. */
    private void relistIfDue(long nowNs) {
        if (listing.isFixed() || isRelisting || nowNs - relistAtNs < 0) {
            return;
        }
        isRelisting = true;
        resolver.review(
                listing,
                fault -> post(() -> {
                    isRelisting = false;
                    relistAtNs = host.clock().nanoTime() + RELIST_NS;
                }));
    }

    // ---- greeting

    @Override
    public Hello own() {
        return formation.own();
    }

    @Override
    public void onFailed(Caller dialled, String reason, long nowNs) {
        dialler.failed(dialled, reason, nowNs);
    }

    @Override
    public void onGreeting(Caller caller, long nowNs) throws IOException {
        Session session = caller.session();
        if (caller.verdict() == Session.Verdict.REFUSED) {
            onRefused(caller, session.refusal(), nowNs);
            return;
        }
        Hello theirs = session.peer();
        Refusal refusal = formation.judge(theirs, session.role(), caller.target(), nowNs);
        if (refusal != null) {
            refuse(caller, refusal, nowNs);
            return;
        }
        if (formation.isNewer(theirs)) {
            raise(theirs.generation(), "process " + theirs.processIndex() + " forms it");
            if (caller.isDialled()) {
                return; // our HELLO named the older generation: dial again
            }
        } else if (formation.isTooLateFor(theirs)) {
            raise(
                    formation.generation() + 1,
                    "process " + theirs.processIndex() + " is at its listed address, and not where READY was sent to");
            refuse(caller, formation.judge(theirs, session.role(), caller.target(), nowNs), nowNs);
            return;
        }
        admit(caller, nowNs);
    }

    private void admit(Caller caller, long nowNs) throws IOException {
        reception.admit(caller, formation.own(), nowNs);
        Link link = link(caller);
        try {
            takeIn(link);
        } catch (Throwable noMemory) {
            link.abandon();
            throw noMemory;
        }
        link.start();
        readyUpIfAllGreeted();
    }

    private void takeIn(Link link) {
        Link replaced = formation.onGreeted(link);
        if (replaced != null) {
            host.onRetired(replaced, host.abandoned("a newer connection of the same process replaced this one"));
            replaced.close();
        }
        dialler.onGreeted(link.peer());
        tell(FormationListener.Step.GREETED, link.peer());
    }

    private void tell(FormationListener.Step step, int peer) {
        try {
            steps.onStep(step, formation.generation(), peer);
        } catch (Throwable thrown) { // whoever only looks on must not decide the fate of all
            Logs.FORMATION.warn("the formation listener has thrown at step {}", step, thrown);
        }
    }

    private Link link(Caller caller) throws IOException {
        try {
            return host.link(caller.channel(), caller.session());
        } catch (Throwable noLink) { // such as no threads to be had
            Quietly.close(caller.channel());
            throw noLink;
        }
    }

    private void readyUpIfAllGreeted() {
        if (!formation.areAllGreeted()) {
            return;
        }
        tell(FormationListener.Step.ALL_GREETED, -1);
        for (int process = 0; process < config.processCount(); process++) {
            if (process != config.processIndex()) {
                Link link = formation.slot(process).link();
                link.session().readyUp();
                link.wakeSender();
            }
        }
        startIfComplete();
    }

    private void startIfComplete() {
        if (formation.isComplete()) {
            start();
        }
    }

    private void start() {
        formation.start();
        tell(FormationListener.Step.STARTED, -1);
        callers.forgetDialled();
        host.onStart(formation.roster());
    }

    private void refuse(Caller caller, Refusal refusal, long nowNs) throws IOException {
        int claimed = caller.session().peer().processIndex();
        if (!caller.isDialled() && claimed > config.processIndex() && claimed < config.processCount()) {
            formation.slot(claimed).onError("refused it (" + refusal.reason() + "): " + refusal.text());
        }
        reception.refuse(caller, refusal, nowNs);
    }

    private void onRefused(Caller caller, Refusal refusal, long nowNs) {
        String text = "refused by process " + caller.target() + " (" + refusal.reason() + "): " + refusal.text();
        callers.forget(caller);
        switch (refusal.reason()) {
            case STALE_GENERATION -> {
                if (refusal.generation() > formation.generation()
                        && refusal.generation() <= Formation.GENERATION_LIMIT) {
                    formation.slot(caller.target()).onError(text);
                    raise(refusal.generation(), "process " + caller.target() + " forms it");
                } else {
                    dialler.failed(caller, text, nowNs);
                }
            }
            default -> {
                dialler.failed(caller, text, nowNs);
                if (isFinal(refusal.reason()) && !formation.isStarted()) {
                    fail(text, true, null);
                }
            }
        }
    }

    /** Where a directory is asked, one side may only have read it earlier than the other. */
    private boolean isFinal(RefuseReason reason) {
        boolean mayBeListedAnew = reason == RefuseReason.SHAPE || reason == RefuseReason.DUPLICATE;
        return reason.isFinal() && (listing.isFixed() || !mayBeListedAnew);
    }

    /** Takes a newer generation over: whatever belongs to the older one goes. A caller that was accepted may go on. */
    private void raise(long generation, String why) {
        long nowNs = host.clock().nanoTime();
        Logs.FORMATION.info(
                "process {} forms generation {} instead of {}: {}",
                config.processIndex(),
                generation,
                formation.generation(),
                why);
        Cause cause = host.abandoned("generation " + generation + " is being formed instead: " + why);
        for (Link link : formation.raise(generation)) {
            host.onRetired(link, cause);
        }
        callers.forgetDialled(); // their HELLOs name the older generation
        dialler.onRaised(nowNs);
        host.onRaised(generation);
        tell(FormationListener.Step.RAISED, -1);
    }

    // ---- events of links, posted

    @Override
    public void onPeerReady(Link link) {
        post(() -> ready(link));
    }

    /** Before the start a lost link is only dialled again; this thread knows whether the start has come meanwhile. */
    @Override
    public void onLost(Link link, String seen, Cause cause, Runnable loss) {
        post(() -> {
            if (!lost(link, seen, cause)) {
                loss.run();
            }
        });
    }

    @Override
    public void onLostElsewhere(Link link, Cause cause) {
        post(() -> lostElsewhere(link, cause));
    }

    private void ready(Link link) {
        if (formation.isCurrent(link)) {
            tell(FormationListener.Step.PEER_READY, link.peer());
        }
        if (formation.onPeerReady(link)) {
            startIfComplete();
        }
    }

    /**
     * A link ended, or has to. If that is no more than the link's loss, its peer is told the cause: it may have started, and would take
     * the silent end of the connection for a failure of ours.
     *
     * @param link  which
     * @param error what was seen
     * @param cause the same, as the peer is told
     * @return true if it was lost while forming, false if the cluster runs and it is the cluster's loss
     */
    private boolean lost(Link link, String error, Cause cause) {
        boolean isCurrent = formation.isCurrent(link);
        if (formation.isStarted() && isCurrent) {
            return false;
        }
        boolean mayHaveStarted = formation.onLost(link, error, cause);
        host.onRetired(link, cause);
        if (mayHaveStarted) {
            raise(
                    formation.generation() + 1,
                    "process " + link.peer() + " was lost and may have started generation " + formation.generation()
                            + " (" + error + ")");
        } else if (isCurrent) {
            dialler.onLost(link.peer(), host.clock().nanoTime());
        }
        return true;
    }

    /**
     * A peer reports a loss. If it may have started, because we had told it that we are ready, the loss is ours, too: waiting for its
     * next attempt could take the whole formation time-out. But if it is us whom it has lost, and we have not started, then that costs
     * us the link and no more, whether it has started or not.
     */
    private void lostElsewhere(Link link, Cause cause) {
        if (formation.isStarted()) {
            host.onLostElsewhere(cause);
        } else if (formation.isCurrent(link)
                && formation.areAllGreeted()
                && cause.subjectProcess() != config.processIndex()) {
            host.onLostElsewhere(cause);
            start();
        } else {
            lost(link, "it was lost: " + cause.describe(), cause);
        }
    }

    // ---- endings

    private void fail(String reason, boolean isFinal, Throwable cause) {
        if (!isStopped) {
            long elapsedNs = host.clock().nanoTime() - startedNs;
            host.onFormationFailed(formation.report(reason, elapsedNs), isFinal, formation.nextGeneration(), cause);
            stop(); // the watch waits for this thread, so this one must not wait in the selector once more
        }
    }

    private void closeAll() {
        reception.close();
        Quietly.close(selector);
    }
}
