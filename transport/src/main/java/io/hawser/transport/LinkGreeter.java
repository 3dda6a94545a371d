package io.hawser.transport;

import io.hawser.fate.CauseKind;
import io.hawser.framing.RefuseReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * The greet thread of {@link Links}: makes links of those who dial and of those it dials, and lets go of them when they are over. What it shares with the greet thread of a mesh is {@link Reception}.
 *
 * <p><em>Threading:</em> {@link #run} is the body of one thread; {@link #post}, {@link #dial} and {@link #close} may be called by any, as what links ask of it.
 */
final class LinkGreeter implements Runnable, Reception.Host {
    private static final long LONG_NS = 3_600_000_000_000L;

    /** The side that has dialled is process 1 of the mesh of two. */
    private static final int DIALLER = 1;

    private static final int ACCEPTOR = 0;

    /** Stands for whoever it may be: a link is not found by its configuration. */
    private static final Endpoint OTHER_END = new Endpoint("other-end", 1);

    private static final String CLOSED = "these links are closed";

    /** What links of a process share, besides this thread. */
    interface Host {
        MemoryAccount memory();

        WindowPool windows();

        boolean isSharedThread();

        /** Runs the watch, among others, from now on. */
        void watch(LinkFormation formation);

        /** The door is closed and the last link is over. */
        void onAllOver();
    }

    private final LinkConfig config;
    private final Host host;
    private final ClusterConfig dialling;
    private final ClusterConfig accepting;
    private final Hello dialHello;
    private final Hello acceptHello;
    private final LinkAcceptor acceptor;
    private final Names names;
    private final Executor events;
    private final Selector selector;
    private final Reception reception;
    private final Resolver resolver;
    private final SplittableRandom random;
    private final Queue<Runnable> posts = new ConcurrentLinkedQueue<>();
    private final List<LinkDial> dials = new ArrayList<>();
    private final Map<Caller, LinkDial> dialled = new IdentityHashMap<>();
    private final List<LinkFormation> formations = new CopyOnWriteArrayList<>();
    private final AgentProbe probe = AgentProbe.current();
    private long linkNumber;
    private boolean isClosing;
    private boolean isStopped;

    LinkGreeter(
            LinkConfig config,
            Host host,
            Endpoint address,
            ServerSocketChannel bound,
            LinkAcceptor acceptor,
            Names names,
            Executor events)
            throws IOException {
        this.config = config;
        this.host = host;
        this.acceptor = acceptor;
        this.names = names;
        this.events = events;
        this.selector = Selector.open();
        ClusterConfigBuilder pair = config.settings().toBuilder();
        this.accepting = pair.addresses(List.of(address, OTHER_END))
                .processIndex(ACCEPTOR)
                .build();
        this.dialling = pair.addresses(List.of(OTHER_END, address))
                .processIndex(DIALLER)
                .build();
        long nonce = Nonce.next();
        ProcessIdentity identity = ProcessIdentity.current();
        this.acceptHello = Hello.ofLink(accepting, identity, nonce, config.name(), address);
        this.dialHello = Hello.ofLink(dialling, identity, nonce, config.name(), address);
        this.random = new SplittableRandom(config.settings().seed().orElse(nonce));
        this.resolver = new Resolver(accepting.threadFactory(), names);
        this.reception = new Reception(
                accepting,
                this,
                selector,
                resolver,
                this::post,
                accepting.clock().nanoTime());
        reception.listener().adopt(bound);
    }

    // ---- any thread

    /** Has the greet thread do something. */
    void post(Runnable action) {
        posts.add(action);
        selector.wakeup();
    }

    LinkDial dial(Endpoint address, LinkAcceptor whose, long withinNs) {
        LinkDial dial = new LinkDial(address, whose, dialling, withinNs, nowNs());
        post(() -> begin(dial));
        return dial;
    }

    /** No link is made any more, and those that are there end; then the thread ends. */
    void close(String seen) {
        post(() -> {
            isClosing = true;
            reception.close();
            for (LinkDial dial : List.copyOf(dials)) {
                end(dial, CLOSED, null);
            }
            for (LinkFormation formation : formations) {
                formation.close(seen);
            }
            stopIfOver();
        });
    }

    private void stopIfOver() {
        if (isClosing && formations.isEmpty() && !isStopped) {
            isStopped = true;
            host.onAllOver();
        }
    }

    /** The thread never started. */
    void abandon() {
        reception.close();
        Quietly.close(selector);
    }

    /** Has the user's code be called, by a thread that may wait. */
    void tell(Runnable call) {
        events.execute(call);
    }

    List<LinkFormation> formations() {
        return formations;
    }

    Names names() {
        return names;
    }

    MemoryAccount memory() {
        return host.memory();
    }

    WindowPool windows() {
        return host.windows();
    }

    boolean isSharedThread() {
        return host.isSharedThread();
    }

    StrangerCounts strangerCounts() {
        return reception.strangerCounts();
    }

    private long nowNs() {
        return accepting.clock().nanoTime();
    }

    // ---- the greet thread

    @Override
    public void run() {
        try {
            while (!isStopped) {
                probe.onCycle("greet", -1);
                dutyCycle();
            }
        } catch (Throwable t) {
            onFailed(t);
        } finally {
            reception.close();
            Quietly.close(selector);
        }
    }

    /** Without this thread links that are there cannot tell of their end: they end now. */
    private void onFailed(Throwable t) {
        Logs.LINK.error("the greet thread of the links of {} failed, all of them end", config.name(), t);
        isClosing = true;
        for (LinkFormation formation : formations) {
            formation.core().onThreadFailed("greet", t);
        }
        stopIfOver();
        while (!isStopped) {
            Runnable action = posts.poll();
            if (action == null) {
                LockSupport.parkNanos(this, 1_000_000);
            } else {
                runSafely(action);
            }
        }
    }

    private static void runSafely(Runnable action) {
        try {
            action.run();
        } catch (Throwable again) {
            Logs.LINK.error("the greet thread had failed before", again);
        }
    }

    private void dutyCycle() throws IOException {
        long nowNs = nowNs();
        if (!isClosing) {
            reception.listener().tick(nowNs);
        }
        reception.expire(nowNs);
        for (LinkDial dial : List.copyOf(dials)) {
            attend(dial, nowNs);
        }
        reception.select(waitMs(nowNs));
        for (Runnable action = posts.poll(); action != null; action = posts.poll()) {
            action.run();
        }
    }

    private long waitMs(long nowNs) {
        long dueNs = reception.nextNs(nowNs + LONG_NS);
        for (LinkDial dial : dials) {
            dueNs = dial.nextNs(dueNs);
        }
        return isStopped ? 1 : Math.max(1, (dueNs - nowNs + 999_999) / 1_000_000);
    }

    // ---- dialling

    private void begin(LinkDial dial) {
        if (isClosing) {
            end(dial, CLOSED, null);
        } else if (formations.size() + dials.size() >= config.linkLimit()) {
            end(dial, new LinkException(dial.report(tooMany(), nowNs()), false, null));
        } else {
            dials.add(dial);
        }
    }

    private void attend(LinkDial dial, long nowNs) {
        if (dial.isTooLate(nowNs)) {
            end(dial, new LinkException(dial.report("its time is over", nowNs), false, null));
        } else if (dial.isDue(nowNs)) {
            dial.onAttempt(nowNs);
            resolver.resolve(
                    ACCEPTOR,
                    dial.address(),
                    found -> post(() -> {
                        dial.onFound(found);
                        connect(dial);
                    }),
                    error -> post(() -> failed(dial, error)));
        }
    }

    /** Tries the addresses of a name one after the other. */
    private void connect(LinkDial dial) {
        if (!dials.contains(dial)) {
            return; // given up meanwhile
        }
        for (InetSocketAddress next = dial.nextAddress(); next != null; next = dial.nextAddress()) {
            try {
                dialled.put(reception.dial(next, dialHello.to(ACCEPTOR), nowNs()), dial);
                return;
            } catch (IOException | RuntimeException e) {
                dial.onError(next + " " + Quietly.reasonOf(e));
            }
        }
        failed(dial, "");
    }

    private void failed(LinkDial dial, String error) {
        if (!error.isEmpty()) {
            dial.onError(error);
        }
        dial.onFailed(nowNs(), random.nextDouble());
    }

    @Override
    public void onFailed(Caller caller, String reason, long nowNs) {
        LinkDial dial = dialled.remove(caller);
        if (dial != null) {
            dial.onError(caller.remote() + " " + reason);
            connect(dial);
        }
    }

    /** A link that was greeted has gone before the start. */
    void onDialLost(LinkDial dial, String why) {
        if (dials.contains(dial)) {
            failed(dial, why);
        }
    }

    void onDialStarted(LinkDial dial, PeerLink link) {
        dials.remove(dial);
        if (!dial.result().complete(link)) {
            link.close(); // whoever dialled does not want it any more
        }
    }

    /** The dial is given up, and not to be tried again. */
    void end(LinkDial dial, String why, Throwable thrown) {
        end(dial, new LinkException(dial.report(why, nowNs()), true, thrown));
    }

    private void end(LinkDial dial, LinkException why) {
        dials.remove(dial);
        for (Map.Entry<Caller, LinkDial> entry : List.copyOf(dialled.entrySet())) {
            if (entry.getValue() == dial) {
                dialled.remove(entry.getKey());
                reception.callers().forget(entry.getKey());
            }
        }
        if (dial.formation() != null) {
            dial.formation().close("the dial was given up");
        }
        dial.result().completeExceptionally(why);
    }

    // ---- greeting

    @Override
    public Hello own() {
        return acceptHello;
    }

    @Override
    public void onGreeting(Caller caller, long nowNs) throws IOException {
        LinkDial dial = dialled.remove(caller);
        if (caller.isDialled() && dial == null) {
            reception.callers().forget(caller);
            return;
        }
        Session session = caller.session();
        if (caller.verdict() == Session.Verdict.REFUSED) {
            reception.callers().forget(caller);
            onRefused(dial, caller, session.refusal());
            return;
        }
        Refusal refusal = judge(session, dial);
        if (refusal == null) {
            admit(caller, dial, nowNs);
        } else if (dial == null) {
            reception.refuse(caller, refusal, nowNs);
        } else {
            reception.callers().forget(caller);
            onRefused(dial, caller, refusal);
        }
    }

    private Refusal judge(Session session, LinkDial dial) {
        Hello own = session.own();
        Refusal refusal = Greeting.judgeIdentity(own, session.peer(), session.role());
        if (refusal == null) {
            refusal = Greeting.judgeSettings(own, session.peer());
        }
        if (refusal == null && dial == null && formations.size() + dials.size() >= config.linkLimit()) {
            refusal = new Refusal(RefuseReason.OVERLOADED, own.generation(), tooMany());
        }
        if (refusal == null && !LinkPeer.of(session.peer()).isPlain()) {
            refusal = new Refusal(
                    RefuseReason.MALFORMED, own.generation(), "a name is not empty and has no control characters");
        }
        return refusal;
    }

    private String tooMany() {
        return config.name() + " has as many links as it may, linkLimit=" + config.linkLimit();
    }

    private void onRefused(LinkDial dial, Caller caller, Refusal refusal) {
        String text = caller.remote() + " refused (" + refusal.reason() + "): " + refusal.text();
        dial.onError(text);
        if (refusal.reason().isFinal()) {
            end(dial, new LinkException(dial.report(text, nowNs()), true, null));
        } else {
            connect(dial);
        }
    }

    private void admit(Caller caller, LinkDial dial, long nowNs) throws IOException {
        Session session = caller.session();
        reception.admit(caller, dial == null ? acceptHello : dialHello, nowNs);
        LinkFormation formation = null;
        try {
            formation = new LinkFormation(
                    this,
                    dial == null ? accepting : dialling,
                    session,
                    dial == null ? acceptor : dial.acceptor(),
                    dial,
                    linkNumber++);
            formation.core().link(caller.channel(), session);
            formations.add(formation);
            if (dial != null) {
                dial.formation(formation);
            }
            host.watch(formation);
        } catch (Throwable noRoom) { // no memory, descriptors or threads
            Quietly.close(caller.channel());
            if (formation == null) {
                Logs.LINK.warn("no link to {}", session.peer().address(), noRoom);
                if (dial != null) {
                    failed(dial, "no link could be made: " + noRoom);
                }
            } else {
                formations.remove(formation);
                formation
                        .core()
                        .abandon(formation
                                .core()
                                .causeHere(CauseKind.THREAD_FAILED)
                                .seen("no link could be made: " + noRoom)
                                .build());
            }
        }
    }

    /** Nothing of it is left. */
    void forget(LinkFormation formation) {
        formations.remove(formation);
        stopIfOver();
    }
}
