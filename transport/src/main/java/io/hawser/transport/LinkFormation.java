package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.framing.FrameHeaderFlyweight;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One link of {@link Links}, from the moment when it is greeted: a mesh of two, how it comes to its start, and who is told of it.
 *
 * <p><em>Threading:</em> made, started and declared over by the greet thread; what arrives is passed on by the receive thread.
 */
final class LinkFormation implements Site, Gathering, MeshReceiver {
    /** What all links of a process share. */
    private final LinkGreeter greeter;

    private final LinkAcceptor acceptor;

    /** Null if the other side has dialled. */
    private final LinkDial dial;

    private final Hello own;
    private final Hello peer;
    private final Names names;
    private final MeshCore core;
    private final PeerLink link;
    private volatile LinkReceiver receiver;

    LinkFormation(
            LinkGreeter greeter,
            ClusterConfig config,
            Session session,
            LinkAcceptor acceptor,
            LinkDial dial,
            long number)
            throws IOException {
        this.greeter = greeter;
        this.acceptor = acceptor;
        this.dial = dial;
        this.own = session.own();
        this.peer = session.peer();
        LinkPeer who = LinkPeer.of(peer);
        this.names = new Names(greeter.names().prefix() + "link-" + number + "-" + who.name() + "-");
        this.core = new MeshCore(config, this, this, this);
        this.link = new PeerLink(who, dial != null, new Mesh(core));
    }

    MeshCore core() {
        return core;
    }

    PeerLink link() {
        return link;
    }

    boolean isStarted() {
        return receiver != null;
    }

    // ---- the greet thread

    private void start() {
        if (core.health().isLost() || core.isStarted()) {
            return;
        }
        try {
            receiver = acceptor.onLink(link);
            if (receiver == null) {
                throw new IllegalStateException("LinkAcceptor.onLink has returned no receiver for the " + link);
            }
        } catch (Throwable thrown) { // the user's code
            core.onThreadFailed("greet, in LinkAcceptor.onLink,", thrown);
            if (dial != null) {
                greeter.end(dial, "LinkAcceptor.onLink has thrown " + thrown, thrown);
            }
            return;
        }
        core.onStart(
                new Roster(dial == null ? List.of(member(own), member(peer)) : List.of(member(peer), member(own))));
        if (dial != null) {
            greeter.onDialStarted(dial, link);
        }
    }

    private static Roster.Member member(Hello hello) {
        return new Roster.Member(
                hello.processIndex(), hello.pid(), hello.host(), hello.address(), hello.nonce(), hello.former());
    }

    /** Both halves have ended. */
    private void over() {
        LinkReceiver told = receiver;
        Optional<Cause> cause =
                core.health().isLost() ? Optional.of(core.health().rootCause()) : Optional.empty();
        greeter.tell(() -> tellOver(told, cause));
        if (told != null) {
            return;
        }
        if (dial == null) {
            Logs.LINK.debug("{} was lost before both sides had said READY: {}", link.peer(), cause);
        } else {
            greeter.onDialLost(
                    dial, cause.map(why -> why.describe("no link came about")).orElse("it hung up at once"));
        }
    }

    /** By the thread that tells of ends, which may wait for what has nothing left to do. */
    private void tellOver(LinkReceiver told, Optional<Cause> cause) {
        if (!core.awaitThreads()) {
            Logs.LINK.warn("threads of the {} have not ended", link);
        }
        greeter.post(() -> greeter.forget(this));
        if (told != null) {
            told.onEnded(cause);
        }
    }

    // ---- Gathering

    @Override
    public void onPeerReady(Link ready) {
        greeter.post(this::start);
    }

    @Override
    public void onLost(Link lost, String seen, Cause cause, Runnable loss) {
        loss.run();
    }

    @Override
    public void onLostElsewhere(Link lost, Cause cause) {
        core.health().consider(cause);
    }

    @Override
    public void wake() {
        // nothing waits here
    }

    @Override
    public void stop() {
        // the greet thread goes on for other links
    }

    @Override
    public StrangerCounts strangerCounts() {
        return greeter.strangerCounts();
    }

    // ---- Site

    @Override
    public long nonce() {
        return own.nonce();
    }

    @Override
    public String address() {
        return own.address();
    }

    @Override
    public Names names(long generation) {
        return names;
    }

    @Override
    public MemoryAccount memory() {
        return greeter.memory();
    }

    @Override
    public WindowPool windows() {
        return greeter.windows();
    }

    @Override
    public String consequence(long generation) {
        return "this link between " + own.address() + " and " + peer.address() + " ends, and nothing else";
    }

    @Override
    public boolean isNeededThread() {
        return greeter.isSharedThread();
    }

    @Override
    public void onStarting(MeshCore mesh) {
        // the exit hook is that of all links
    }

    @Override
    public void onOver(MeshCore mesh) {
        greeter.post(this::over);
    }

    // ---- MeshReceiver: the receive thread, after the start

    @Override
    public void onData(FrameHeaderFlyweight header, Slab slab, int payloadOffset, ReceiveLane lane) {
        receiver.onData(header, slab, payloadOffset, lane);
    }

    @Override
    public void onNotice(Notice notice, ConsumptionListener books) {
        receiver.onNotice(notice, books);
    }

    @Override
    public void onHangUp(int process) {
        receiver.onHangUp();
    }

    /** The user closes it. */
    void close(String seen) {
        core.health().lose(core.causeHere(CauseKind.CLOSED_BY_USER).seen(seen).build());
    }
}
