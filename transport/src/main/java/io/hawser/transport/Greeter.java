package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.Clock;
import io.hawser.framing.FrameEncoder;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The greet thread: listens, dials, exchanges HELLOs, and hands greeted sockets over to links. It does so with one selector, so
 * that strangers cost no thread and parallel dials do not either, and so that one thread makes every decision of forming. It lives on
 * after the start, to turn late-comers away.
 *
 * <p><em>Threading:</em> {@link #run} is the body of one thread; {@link #post} and {@link #stop} may be called by any.
 */
final class Greeter implements Runnable {
    /** The kernel keeps this many connections for us while we are busy or stopped; the JDK's default of 50 loses some. */
    private static final int BACKLOG_MIN = 1_024;

    private static final long BIND_RETRY_NS = 50_000_000;
    private static final int ACCEPT_BATCH = 32;
    private static final long ACCEPT_PAUSE_NS = 50_000_000;
    private static final long LONG_NS = 3_600_000_000_000L;

    /** What the greeter needs of the mesh. */
    interface Host {
        Clock clock();

        Link link(SocketChannel channel, Session session) throws IOException;

        void onRaised(long generation);

        /** What a peer is told whose link is given up before the start, for a reason that is not its own. */
        Cause abandoned(String why);

        /** The link does not count any more; its peer is told why, unless it has been told already. */
        void onRetired(Link link, Cause cause);

        void onStart();

        /** Comes just before the start: the generation is lost before it has begun here. */
        void onLostElsewhere(Cause cause);

        void onFormationFailed(FormationReport report, boolean isFinal, Throwable cause);

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
    private final Dialling dialling;
    private final Resolver resolver;
    private final StrangerLog strangers;
    private final AgentProbe probe = AgentProbe.current();
    private final Queue<Runnable> posts = new ConcurrentLinkedQueue<>();
    private final List<Caller> callers = new ArrayList<>();
    private final Selector selector;
    private final long startedNs;
    private final long deadlineNs;

    private ServerSocketChannel listener;
    private long bindAtNs;
    private String bindError = "";

    /** When to accept again after that failed, 0 if it did not. */
    private long acceptAtNs;

    private volatile boolean isStopped;

    Greeter(ClusterConfig config, Host host, Formation<Link> formation, Names names, long seed) throws IOException {
        this.config = config;
        this.host = host;
        this.formation = formation;
        this.startedNs = host.clock().nanoTime();
        this.deadlineNs = startedNs + config.formationTimeoutNs();
        this.dialling = new Dialling(config, seed, startedNs);
        this.resolver = new Resolver(config.threadFactory(), names);
        this.strangers = new StrangerLog();
        this.bindAtNs = startedNs;
        this.selector = Selector.open();
    }

    /** Has the greet thread do something. */
    void post(Runnable action) {
        posts.add(action);
        selector.wakeup();
    }

    /** Has the greet thread look at the health. Allocates nothing. */
    void wake() {
        selector.wakeup();
    }

    /** The thread never started. */
    void abandon() {
        isStopped = true;
        closeAll();
    }

    /** Ends the thread; the port is free when it has ended. */
    void stop() {
        isStopped = true;
        selector.wakeup();
    }

    StrangerCounts strangerCounts() {
        return strangers.counts();
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
        if (listener == null && nowNs - bindAtNs >= 0) {
            bind(nowNs);
        }
        if (!formation.isStarted()) {
            checkFormation(nowNs);
        }
        resumeAccepting(nowNs);
        expireCallers(nowNs);
        selector.select(key -> onReady(key, host.clock().nanoTime()), waitMs(nowNs));
        for (Runnable action = posts.poll(); action != null; action = posts.poll()) {
            action.run();
        }
    }

    private long waitMs(long nowNs) {
        long dueNs = nowNs + LONG_NS;
        if (listener == null) {
            dueNs = earlier(dueNs, bindAtNs);
        }
        if (!formation.isStarted()) {
            dueNs = earlier(dueNs, deadlineNs);
            if (listener != null) {
                dueNs = earlier(dueNs, dialling.nextNs(formation, dueNs));
            }
        }
        if (acceptAtNs != 0) {
            dueNs = earlier(dueNs, acceptAtNs);
        }
        for (Caller caller : callers) {
            dueNs = earlier(dueNs, caller.deadlineNs());
        }
        return Math.max(1, (dueNs - nowNs + 999_999) / 1_000_000);
    }

    private static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }

    // ---- listening

    private void bind(long nowNs) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            // connections of a process that died must not keep its successor from the port; two living owners stay
            // impossible
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            Endpoint at = config.bindAddress();
            InetSocketAddress address = new InetSocketAddress(at.host(), at.port());
            if (address.isUnresolved()) {
                throw new BindException("unknown host " + at.host());
            }
            channel.bind(address, Math.max(BACKLOG_MIN, config.processCount() * 4));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_ACCEPT);
            listener = channel;
            bindError = "";
        } catch (IOException | RuntimeException e) {
            channel.close();
            bindError = "cannot listen at " + config.bindAddress() + " (" + reasonOf(e)
                    + "): is the port held by another process, or the address not of this machine?";
            bindAtNs = nowNs + BIND_RETRY_NS;
        }
    }

    private void onReady(SelectionKey key, long nowNs) {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            acceptAll(nowNs);
            return;
        }
        Caller caller = (Caller) key.attachment();
        try {
            if (key.isConnectable()) {
                onConnected(caller, key, nowNs);
            } else if (key.isReadable()) {
                onReadable(caller, nowNs);
            }
        } catch (IOException e) {
            drop(caller, reasonOf(e), nowNs);
        }
    }

    private static String reasonOf(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private void acceptAll(long nowNs) {
        try {
            SocketChannel channel = listener.accept();
            for (int i = 0; channel != null; i++) {
                accept(channel, nowNs);
                // a storm must not keep this thread from its other work, and the selector from letting go of what was
                // closed
                channel = i < ACCEPT_BATCH ? listener.accept() : null;
            }
        } catch (IOException e) {
            // no descriptors left, or the caller has gone again: nothing that could be said to it, but no reason to
            // spin either
            strangers.onAcceptFailed(e, nowNs);
            listener.keyFor(selector).interestOps(0);
            acceptAtNs = nowNs + ACCEPT_PAUSE_NS;
        }
    }

    private void resumeAccepting(long nowNs) {
        if (acceptAtNs != 0 && nowNs - acceptAtNs >= 0) {
            acceptAtNs = 0;
            listener.keyFor(selector).interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    private void accept(SocketChannel channel, long nowNs) {
        Caller caller = null;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Session session = new Session(Session.Role.ACCEPTOR, formation.own(), new FrameEncoder(), nowNs);
            caller = new Caller(channel, session, -1, channel.getRemoteAddress(), nowNs + config.helloTimeoutNs());
            session.onConnected(nowNs);
            evictIfCrowded(nowNs);
            callers.add(caller);
            channel.register(selector, SelectionKey.OP_READ, caller);
        } catch (IOException e) {
            strangers.onClosedBeforeHello();
            closeQuietly(channel);
            callers.remove(caller);
            return;
        }
        try {
            onReadable(caller, nowNs); // who has gone already, or has spoken already, need not wait for a turn
        } catch (IOException e) {
            drop(caller, reasonOf(e), nowNs);
        }
    }

    /** The oldest unidentified caller makes room for the newest: those that mean it speak at once. */
    private void evictIfCrowded(long nowNs) {
        int accepted = 0;
        Caller oldest = null;
        for (Caller caller : callers) {
            if (!caller.isDialled()) {
                accepted++;
                oldest = oldest == null ? caller : oldest;
            }
        }
        if (accepted >= config.unidentifiedLimit()) {
            strangers.onEvicted(oldest, nowNs);
            forget(oldest);
        }
    }

    // ---- dialling

    private void checkFormation(long nowNs) throws IOException {
        if (host.isHealthLost()) {
            fail("this process lost its own health: " + host.healthCause(), false, null);
        } else if (nowNs - deadlineNs >= 0) {
            fail(bindError.isEmpty() ? "not everybody was there by the formation deadline" : bindError, false, null);
        } else if (listener != null) {
            for (int process = 0; process < config.processIndex(); process++) {
                if (dialling.isDue(process, formation, nowNs)) {
                    dial(process);
                }
            }
        }
    }

    private void dial(int process) {
        formation.slot(process).onDial();
        dialling.onDialling(process);
        long generation = formation.generation();
        resolver.resolve(
                process,
                config.addresses().get(process),
                found -> post(() -> connect(process, generation, new ArrayDeque<>(found))),
                error -> post(() -> dialFailed(process, error, host.clock().nanoTime())));
    }

    /** Tries the first of several addresses; the others are tried if it does not answer. */
    private void connect(int process, long generation, Queue<InetSocketAddress> addresses) {
        long nowNs = host.clock().nanoTime();
        if (formation.isStarted()
                || generation != formation.generation()
                || formation.slot(process).link() != null) {
            if (generation == formation.generation()) {
                dialling.onIdle(process, nowNs);
            }
            return; // the answer to a question of an attempt that is over
        }
        InetSocketAddress address = addresses.remove();
        SocketChannel channel = null;
        Caller caller = null;
        try {
            channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Session session = new Session(Session.Role.DIALLER, formation.own().to(process), new FrameEncoder(), nowNs);
            caller = new Caller(channel, session, process, address, nowNs + config.helloTimeoutNs());
            callers.add(caller);
            dialling.onOthers(process, addresses);
            boolean isConnected = channel.connect(address);
            channel.register(selector, isConnected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, caller);
            if (isConnected) {
                greet(caller, nowNs);
            }
        } catch (IOException | RuntimeException e) { // such as an address of a family that this JVM may not use
            closeQuietly(channel);
            callers.remove(caller);
            nextAddress(process, address + " " + reasonOf(e), nowNs);
        }
    }

    private void nextAddress(int process, String error, long nowNs) {
        Queue<InetSocketAddress> others = dialling.others(process);
        if (others.isEmpty()) {
            dialFailed(process, error, nowNs);
        } else {
            formation.slot(process).onError(error);
            connect(process, formation.generation(), others);
        }
    }

    private void dialFailed(int process, String error, long nowNs) {
        Formation.Slot<Link> slot = formation.slot(process);
        slot.onError(error);
        dialling.onFailed(process, nowNs);
        if (dialling.isReportDue(process, nowNs)) {
            Logs.FORMATION.info(
                    "process {} waits for process {} at {}: {} ({} dials so far)",
                    config.processIndex(),
                    process,
                    config.addresses().get(process),
                    error,
                    slot.attempts());
        }
    }

    private void onConnected(Caller caller, SelectionKey key, long nowNs) throws IOException {
        caller.channel().finishConnect();
        SocketAddress local = caller.channel().getLocalAddress();
        if (local.equals(caller.channel().getRemoteAddress())) {
            throw new IOException("connected to itself: nobody listens there yet");
        }
        key.interestOps(SelectionKey.OP_READ);
        greet(caller, nowNs);
    }

    private static void greet(Caller caller, long nowNs) throws IOException {
        caller.session().onConnected(nowNs);
        if (!caller.send(nowNs)) {
            throw new IOException("the socket did not take a HELLO");
        }
    }

    // ---- greeting

    private void onReadable(Caller caller, long nowNs) throws IOException {
        switch (caller.read(nowNs)) {
            case MORE -> {
                // its deadline bounds how long that may take
            }
            case END ->
                drop(
                        caller,
                        caller.isSilent()
                                ? "the connection was accepted and closed"
                                : "it closed in the middle of its HELLO",
                        nowNs);
            case STRANGE -> {
                String text = caller.isDialled()
                        ? "answered " + caller.stranger().displayText() + " [" + caller.excerpt() + "], wrong port?"
                        : caller.fault();
                if (!caller.isDialled()) {
                    strangers.onStranger(caller, caller.fault(), nowNs);
                }
                forget(caller);
                failedDial(caller, text, nowNs);
            }
            case FRAME -> onGreeting(caller, nowNs);
        }
    }

    private void onGreeting(Caller caller, long nowNs) throws IOException {
        Session session = caller.session();
        if (caller.verdict() == Session.Verdict.REFUSED) {
            onRefused(caller, session.refusal(), nowNs);
            return;
        }
        Hello theirs = session.peer();
        Refusal refusal = formation.judge(theirs, session.role(), caller.target());
        if (refusal != null) {
            refuse(caller, refusal, nowNs);
            return;
        }
        if (formation.isNewer(theirs)) {
            raise(theirs.generation(), "process " + theirs.processIndex() + " forms it", caller);
            if (caller.isDialled()) {
                return; // our HELLO named the older generation: dial again
            }
        } else if (formation.isTooLateFor(theirs)) {
            raise(
                    formation.generation() + 1,
                    "process " + theirs.processIndex() + " is at its listed address, and not where READY was sent to",
                    null);
            refuse(caller, formation.judge(theirs, session.role(), caller.target()), nowNs);
            return;
        }
        admit(caller, nowNs);
    }

    private void admit(Caller caller, long nowNs) throws IOException {
        Session session = caller.session();
        session.admit(formation.own().to(session.peer().processIndex()));
        if (!caller.isDialled() && !caller.send(nowNs)) {
            throw new IOException("the socket did not take the answer");
        }
        callers.remove(caller);
        keyOf(caller).cancel();
        caller.channel().configureBlocking(true);
        Link link = host.link(caller.channel(), session);
        Link replaced = formation.onGreeted(link);
        if (replaced != null) {
            host.onRetired(replaced, host.abandoned("a newer connection of the same process replaced this one"));
            replaced.close();
        }
        dialling.onGreeted(link.peer());
        link.start();
        readyUpIfAllGreeted();
    }

    private void readyUpIfAllGreeted() {
        if (!formation.areAllGreeted()) {
            return;
        }
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
        for (Caller caller : List.copyOf(callers)) {
            if (caller.isDialled()) {
                forget(caller);
            }
        }
        host.onStart();
    }

    private void refuse(Caller caller, Refusal refusal, long nowNs) throws IOException {
        if (caller.isDialled()) {
            drop(caller, refusal.text(), nowNs);
            return;
        }
        int claimed = caller.session().peer().processIndex();
        if (claimed > config.processIndex() && claimed < config.processCount()) {
            formation.slot(claimed).onError("refused it (" + refusal.reason() + "): " + refusal.text());
        }
        caller.session().refuse(refusal);
        caller.send(nowNs);
        strangers.onRefused(caller, refusal, nowNs);
        forget(caller);
    }

    private void onRefused(Caller caller, Refusal refusal, long nowNs) {
        String text = "refused by process " + caller.target() + " (" + refusal.reason() + "): " + refusal.text();
        forget(caller);
        switch (refusal.reason()) {
            case STALE_GENERATION -> {
                if (refusal.generation() > formation.generation()
                        && refusal.generation() <= Formation.GENERATION_LIMIT) {
                    formation.slot(caller.target()).onError(text);
                    raise(refusal.generation(), "process " + caller.target() + " forms it", null);
                } else {
                    failedDial(caller, text, nowNs);
                }
            }
            default -> {
                failedDial(caller, text, nowNs);
                if (refusal.reason().isFinal() && !formation.isStarted()) {
                    fail(text, true, null);
                }
            }
        }
    }

    /** Takes a newer generation over: whatever belongs to the older one goes, except the caller who brought it. */
    private void raise(long generation, String why, Caller bringer) {
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
        for (Caller caller : List.copyOf(callers)) {
            if (caller.isDialled() && caller != bringer) {
                forget(caller);
            }
        }
        if (bringer != null && bringer.isDialled()) {
            forget(bringer);
        }
        dialling.onRaised(nowNs);
        host.onRaised(generation);
    }

    // ---- events of links, posted

    void onPeerReady(Link link) {
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
    boolean onLost(Link link, String error, Cause cause) {
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
                            + " (" + error + ")",
                    null);
        } else if (isCurrent) {
            dialling.onFailed(link.peer(), host.clock().nanoTime());
        }
        return true;
    }

    /**
     * A peer reports a loss. If it may have started, because we had told it that we are ready, the loss is ours, too: waiting for its
     * next attempt could take the whole formation time-out. But if it is us whom it has lost, and we have not started, then that costs
     * us the link and no more, whether it has started or not.
     */
    void onLostElsewhere(Link link, Cause cause) {
        if (formation.isStarted()) {
            host.onLostElsewhere(cause);
        } else if (formation.isCurrent(link)
                && formation.areAllGreeted()
                && cause.subjectProcess() != config.processIndex()) {
            host.onLostElsewhere(cause);
            start();
        } else {
            onLost(link, "it was lost: " + cause.describe(), cause);
        }
    }

    // ---- endings

    private void expireCallers(long nowNs) {
        for (Caller caller : List.copyOf(callers)) {
            if (nowNs - caller.deadlineNs() >= 0) {
                if (!caller.isDialled()) {
                    strangers.onTimedOut(caller, nowNs);
                }
                forget(caller);
                failedDial(caller, "no HELLO came within the hello time-out", nowNs);
            }
        }
    }

    private void drop(Caller caller, String reason, long nowNs) {
        if (!caller.isDialled()) {
            strangers.onDropped(caller, reason, nowNs);
        }
        forget(caller);
        failedDial(caller, reason, nowNs);
    }

    private void failedDial(Caller caller, String reason, long nowNs) {
        if (caller.isDialled() && !formation.isStarted()) {
            nextAddress(caller.target(), caller.remote() + " " + reason, nowNs);
        }
    }

    private void forget(Caller caller) {
        callers.remove(caller);
        closeQuietly(caller.channel());
    }

    private SelectionKey keyOf(Caller caller) {
        return caller.channel().keyFor(selector);
    }

    private void fail(String reason, boolean isFinal, Throwable cause) {
        if (!isStopped) {
            long elapsedNs = host.clock().nanoTime() - startedNs;
            host.onFormationFailed(formation.report(reason, elapsedNs), isFinal, cause);
            isStopped = true;
        }
    }

    private void closeAll() {
        for (Iterator<Caller> i = callers.iterator(); i.hasNext(); ) {
            closeQuietly(i.next().channel());
            i.remove();
        }
        closeQuietly(listener);
        closeQuietly(selector);
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            Logs.FORMATION.debug("closing {} failed", resource, e);
        }
    }
}
