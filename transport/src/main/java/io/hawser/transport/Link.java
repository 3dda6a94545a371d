package io.hawser.transport;

import io.hawser.fate.WakeupRegistration;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One greeted connection to one peer: the socket, the session, and the two threads that move its bytes. The threads fail
 * independently; whichever ends last closes the socket.
 *
 * <p><em>Threading:</em> made and started by the greet thread; everything here may be called by any thread.
 */
final class Link implements Formation.Greeted, Scopes.Peer {
    private static final int HALVES = 2;
    private static final SendRingDrain[] NO_RINGS = {};

    private final int peer;
    private final LinkOwner owner;
    private final SocketChannel channel;
    private final Session session;
    private final SocketAddress localAddress;
    private final SocketAddress remoteAddress;
    private final SendAgent sendAgent;
    private final ReceiveAgent receiveAgent;
    private final Thread sendThread;
    private final Thread receiveThread;
    private final WakeupRegistration wakeup;
    private final long establishedNs;
    private final AtomicInteger runningHalves = new AtomicInteger(HALVES);

    /** Replaced as a whole under the lock of this link; read by the holder of the sending half. */
    private volatile SendRingDrain[] rings = NO_RINGS;

    private boolean areRingsReleased;
    private volatile boolean isClosed;
    private volatile boolean isRetired;
    private volatile boolean isHeardOut;
    private volatile boolean isClosedWhenSent;
    private volatile boolean isSenderEnded;
    private volatile SendFailure sendFailure;

    /** The write that failed: evidence for the watch, not a verdict. */
    record SendFailure(IOException error, long atNs) {}

    Link(
            LinkOwner owner,
            ClusterConfig config,
            SocketChannel channel,
            Session session,
            SlabPool pool,
            LaneCells cells,
            WindowPool windows,
            MemoryAccount account,
            StoppedScopes stopped,
            Names names)
            throws IOException {
        this.owner = owner;
        this.channel = channel;
        this.session = session;
        this.peer = session.peer().processIndex();
        this.localAddress = channel.getLocalAddress();
        this.remoteAddress = channel.getRemoteAddress();
        this.establishedNs = owner.clock().nanoTime();
        Readiness writable = new Readiness(channel, SelectionKey.OP_WRITE);
        Readiness readable = null;
        try {
            readable = new Readiness(channel, SelectionKey.OP_READ);
            this.receiveAgent = new ReceiveAgent(this, config, pool, cells, readable);
            this.sendAgent = new SendAgent(this, writable, account);
        } catch (Throwable noRoom) { // no descriptors, or no memory
            Quietly.close(readable);
            writable.close();
            throw noRoom;
        }
        session.openLanes(windows, this::wakeSender, stopped);
        ThreadFactory threads = config.threadFactory();
        try {
            this.sendThread = names.thread(threads, sendAgent, "send-to-" + peer);
            this.receiveThread = names.thread(threads, receiveAgent, "recv-from-" + peer);
        } catch (Throwable noThread) {
            sendAgent.release();
            receiveAgent.abandon();
            throw noThread;
        }
        try {
            this.wakeup = owner.health().addWakeup(this::wake);
        } catch (Throwable noMemory) {
            sendAgent.release();
            receiveAgent.abandon();
            throw noMemory;
        }
    }

    /** It will never be started: nothing of it is left, and nobody waits for it. */
    void abandon() {
        runningHalves.set(0);
        wakeup.close();
        sendAgent.release();
        receiveAgent.abandon();
        close();
    }

    /** Starts both threads. One that cannot start has ended: it costs the health, and nobody waits for it. */
    void start() {
        try {
            receiveThread.start();
        } catch (Throwable t) {
            owner.onThreadFailed("recv-from-" + peer + ", which did not start,", t);
            receiveAgent.abandon();
            heardOut();
            onHalfEnded();
        }
        try {
            sendThread.start();
        } catch (Throwable t) {
            owner.onThreadFailed("send-to-" + peer + ", which did not start,", t);
            releaseRings();
            sendAgent.release();
            close();
            onSenderEnded();
        }
    }

    @Override
    public int peer() {
        return peer;
    }

    long establishedNs() {
        return establishedNs;
    }

    LinkOwner owner() {
        return owner;
    }

    SocketChannel channel() {
        return channel;
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public ScopeFrames scopeFrames() {
        return session.scopeFrames();
    }

    @Override
    public void forgetScope(long scopeId, boolean isStopped) {
        session.sendLanes().forget(scopeId, isStopped);
        session.receiveLanes().forgetScope(scopeId);
    }

    @Override
    public boolean speaksForItself() {
        return session.received() == Session.Stage.ABORTED || session.received() == Session.Stage.CONFIRMED;
    }

    SendAgent sendAgent() {
        return sendAgent;
    }

    ReceiveAgent receiveAgent() {
        return receiveAgent;
    }

    Thread sendThread() {
        return sendThread;
    }

    Thread receiveThread() {
        return receiveThread;
    }

    // ---- rings

    /**
     * Opens the ring of one worker to this peer.
     *
     * @param config       lengths
     * @param sourceWorker global index of the worker
     * @param account      where its memory is counted
     */
    SendRing openRing(ClusterConfig config, int sourceWorker, MemoryAccount account) {
        Hello own = session.own();
        Hello other = session.peer();
        SendRing ring = new SendRing(
                config.sendRingLength(),
                Math.min(own.frameLimit(), other.frameLimit()),
                own.payloadChecks() || other.payloadChecks(),
                new SendRoute(sourceWorker, other.firstWorker(), other.workersPerProcess()),
                new LaneTerms(session.sendLanes(), Lanes.channelWindow(own, other), Lanes.laneLimit(own, other)),
                owner.health(),
                account,
                sendAgent);
        addRing(ring.drain());
        return ring;
    }

    private synchronized void addRing(SendRingDrain ring) {
        if (areRingsReleased) {
            ring.release();
            return;
        }
        SendRingDrain[] more = Arrays.copyOf(rings, rings.length + 1);
        more[rings.length] = ring;
        rings = more;
    }

    /** The send thread has ended: whoever waits for room is told, and the memory goes once its worker lets go, too. */
    synchronized void releaseRings() {
        areRingsReleased = true;
        for (SendRingDrain ring : rings) {
            ring.release();
        }
        rings = NO_RINGS;
    }

    SendRingDrain[] rings() {
        return rings;
    }

    // ---- ending

    /** Health is lost: both threads look up. Allocates nothing. */
    void wake() {
        LockSupport.unpark(receiveThread);
        LockSupport.unpark(sendThread);
    }

    /** Lets the send thread look for what is due. */
    @Override
    public void wakeSender() {
        LockSupport.unpark(sendThread);
    }

    /** The attempt that this link belonged to is over: say what is due, deliver nothing more. */
    void retire() {
        isRetired = true;
        LockSupport.unpark(receiveThread);
        wakeSender();
    }

    boolean isRetired() {
        return isRetired;
    }

    /** {@return whether what arrives is no longer of interest, except ABORTs} */
    boolean isDiscarding() {
        return isRetired || isClosed || owner.health().isLost();
    }

    /** Nothing more is to be learnt from this peer: it has said ABORT, has ended, or is silent. */
    void heardOut() {
        isHeardOut = true;
        owner.wakeWatch();
    }

    boolean isHeardOut() {
        return isHeardOut || isEnded();
    }

    /** The peer is not expected to end its stream: close as soon as ours is ended, which it may be already. */
    void closeWhenSent() {
        isClosedWhenSent = true;
        if (isSenderEnded) {
            close();
        }
        heardOut();
    }

    void onSendFailed(IOException error) {
        sendFailure = new SendFailure(error, owner.clock().nanoTime());
        owner.wakeWatch();
    }

    SendFailure sendFailure() {
        return sendFailure;
    }

    /**
     * Frees both threads from waiting for the socket. The stream ends at once; the descriptor goes when both have given back their selectors. Idempotent.
     */
    void close() {
        isClosed = true;
        try {
            channel.close();
        } catch (IOException e) {
            // the descriptor is given up in any case; there is nobody whom it would help to know
            Logs.LINK.debug("closing the socket to process {} failed", peer, e);
        } finally { // also if there was no memory for what the JDK does after it has ended the stream
            sendAgent.wake();
            receiveAgent.wake();
            LockSupport.unpark(receiveThread);
            wakeSender();
        }
    }

    boolean isClosed() {
        return isClosed;
    }

    void onSenderEnded() {
        isSenderEnded = true;
        try {
            if (isClosedWhenSent) {
                close();
            }
        } finally {
            onHalfEnded();
        }
    }

    void onHalfEnded() {
        try {
            if (runningHalves.decrementAndGet() == 0) {
                wakeup.close();
                close();
                session.receiveLanes().giveBack();
            }
        } finally {
            owner.wakeWatch();
        }
    }

    /** {@return whether both threads are done with the link} */
    boolean isEnded() {
        return runningHalves.get() == 0;
    }

    /** {@return everything known about this link that helps to find out what happened to it, to be put into words later} */
    LinkState snapshot() {
        long nowNs = owner.clock().nanoTime();
        return new LinkState(
                localAddress,
                remoteAddress,
                session.state(),
                session.receivedBytes(),
                sendAgent.sentBytes(),
                toMillis(nowNs - establishedNs),
                toMillis(session.silenceNs(nowNs)));
    }

    private static long toMillis(long ns) {
        return ns / 1_000_000;
    }

    /** {@return the books of all lanes} */
    List<LaneState> lanes() {
        List<LaneState> states = new ArrayList<>();
        for (SendLane lane : session.sendLanes().all()) {
            states.add(new LaneState(peer, true, lane.address(), lane.sent(), lane.limit(), lane.consumed()));
        }
        for (ReceiveLane lane : session.receiveLanes().all()) {
            states.add(
                    new LaneState(peer, false, lane.address(), lane.received(), lane.granted(), lane.leastConsumed()));
        }
        return states;
    }

    PeerStats stats() {
        return new PeerStats(
                peer,
                session.receivedBytes(),
                sendAgent.sentBytes(),
                receiveAgent.dataFrames(),
                sendAgent.dataFrames(),
                session.roundTripNs(),
                session.silenceNs(owner.clock().nanoTime()),
                session.lateFrames());
    }
}
