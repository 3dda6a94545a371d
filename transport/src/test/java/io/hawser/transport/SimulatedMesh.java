package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseBuilder;
import io.hawser.fate.CauseKind;
import io.hawser.fate.Clock;
import io.hawser.fate.Health;
import io.hawser.fate.HealthState;
import io.hawser.fate.PauseDetector;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.RecordDescriptor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One mesh of one process in virtual time. The pure core is the product's (Session, Formation, Greeting, Dialling, Health, Scopes,
 * PauseDetector, CauseCodec); mirrored here, method for method and under the same names, is what drives it: the greet thread
 * (Greeter, Dialler, Caller), the two threads of a link (Link, SendAgent, ReceiveAgent), the watch thread (Watch), and the place where
 * what they see becomes a cause (MeshCore). A lane of {@link SimulatedProcess} stands for each thread: what it does at one moment
 * is one event, a wake-up is a later one. Left out: memory, names, logs, more than one address per peer, eviction of callers.
 */
final class SimulatedMesh implements SimulatedNetwork.Listener, Scopes.Host {
    private static final long GREET_TICK_NS = 5_000_000;
    private static final long STARTED_TICK_NS = 50_000_000;
    private static final long ENDING_TICK_NS = 5_000_000;
    private static final long WRITE_GRACE_NS = 100_000_000;
    private static final int CONTROL_LENGTH = 8 * 1_024;
    private static final int CHANNEL = 1;

    /** A message as it is pushed: who sent it, in which life, and the how many-th it is on its link. */
    record Message(long generation, long senderNonce, long number, int fill) {
        static final int LENGTH = 3 * Long.BYTES;
    }

    /** What one mesh tells the checkers when it happens. */
    interface Observer {
        void onStarted(SimulatedMesh mesh);

        void onDelivered(SimulatedMesh mesh, Link link, Message message);

        void onLost(SimulatedMesh mesh);

        void onOver(SimulatedMesh mesh);

        /** A step of forming has been taken, with a peer, or with nobody in particular: -1. */
        default void onStep(SimulatedMesh mesh, int peer, FaultPlan.Trigger step) {}

        default void onScopeChanged(SimulatedMesh mesh, Scope scope) {}
    }

    final ClusterConfig config;
    final SimulatedProcess process;
    final long nonce;
    final Health health;
    final Scopes scopes;
    final List<Link> startedLinks = new ArrayList<>();

    private final SimulatedNetwork network;
    private final Observer observer;
    private final Mutant mutant;
    private final Formation<Link> formation;
    private final Dialling dialling;
    private final List<Caller> callers = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Link> retired = new ArrayList<>();
    private final Set<Long> toldReady = new HashSet<>();
    private final WindowPool windows;
    private final PauseDetector pauses;
    private final long tickNs;
    private final long formationDeadlineNs;

    /** These two are of all links: what is encoded is copied at once. */
    private final FrameEncoder encoder = new FrameEncoder();

    private final UnsafeBuffer control = new UnsafeBuffer(new byte[CONTROL_LENGTH]);

    private long generation;
    private boolean isGreeterStopped;
    private boolean isFormed;
    private boolean hasFormingFailed;
    private boolean isHungUp;
    private boolean isEnding;
    private boolean isSettled;
    private Cause settledRoot;
    private boolean isOver;
    private boolean isSweepDue;
    private long lostNs;
    private long lastTickNs;
    private long lastPauseNs;
    private long lastPauseEndNs;

    SimulatedMesh(
            ClusterConfig config,
            SimulatedProcess process,
            long nonce,
            SimulatedNetwork network,
            Observer observer,
            Mutant mutant) {
        long nowNs = process.nowNs();
        this.config = config;
        this.process = process;
        this.nonce = nonce;
        this.network = network;
        this.observer = observer;
        this.generation = config.generation();
        this.mutant = mutant;
        ProcessIdentity identity = new ProcessIdentity(process.pid, "host-" + process.index);
        this.formation = new Formation<>(config, Hello.of(config, identity, config.generation(), nonce));
        this.dialling = new Dialling(config, nonce, nowNs);
        this.health = Health.root("sim-p" + process.index);
        this.windows =
                new WindowPool(config.floatingWindow(), config.channelWindowMax(), new VirtualClock(process::nowNs));
        this.tickNs = Math.max(1_000_000, Math.min(250_000_000, config.heartbeatIntervalNs() / 2));
        this.pauses = new PauseDetector(tickNs, Math.max(tickNs, config.silenceTimeoutNs() / 4), nowNs);
        this.formationDeadlineNs = nowNs + config.formationTimeoutNs();
        this.lastTickNs = nowNs;
        this.lastPauseEndNs = nowNs;
        this.scopes = new Scopes(
                this, process.index, config.processCount(), config.workersPerProcess(), config.silenceTimeoutNs());
        health.addWakeup(this::wakeWatch);
        health.addWakeup(() -> post(this::checkFormation));
        health.addWakeup(() -> observer.onLost(this));
        network.listen(process.index, this);
        process.later(SimulatedProcess.GREET, 0, this::greetTick);
        process.later(SimulatedProcess.WATCH, tickNs, this::watchTick);
    }

    // ---- what the simulation asks

    long generation() {
        return generation;
    }

    boolean isStarted() {
        return formation.isStarted();
    }

    boolean isOver() {
        return isOver;
    }

    boolean hasSaidReadyTo(long peerNonce) {
        return toldReady.contains(peerNonce);
    }

    /** {@return the root cause that it knew when it told everybody for the last time, null before} */
    Cause settledRoot() {
        return settledRoot;
    }

    boolean hasFormingFailed() {
        return hasFormingFailed;
    }

    boolean hasEndedCleanly() {
        return isOver && health.state() == HealthState.ENDED;
    }

    private long nowNs() {
        return process.nowNs();
    }

    // ================ Greeter

    private void post(Runnable action) {
        process.soon(SimulatedProcess.GREET, () -> {
            if (!isGreeterStopped) {
                action.run();
            }
        });
    }

    private void greetTick() {
        if (isGreeterStopped) {
            return;
        }
        checkFormation();
        expireCallers();
        if (!isGreeterStopped) {
            long delayNs = formation.isStarted() ? STARTED_TICK_NS : GREET_TICK_NS; // then only callers can be late
            process.later(SimulatedProcess.GREET, delayNs, this::greetTick);
        }
    }

    private void checkFormation() {
        if (formation.isStarted() || isGreeterStopped) {
            return;
        }
        if (health.isLost()) {
            failForming(
                    "this process lost its own health: " + health.firstCause().describe());
        } else if (nowNs() - formationDeadlineNs >= 0) {
            failForming("not everybody was there by the formation deadline");
        } else {
            for (int peer = 0; peer < process.index; peer++) {
                if (dialling.isDue(peer, formation, nowNs())) {
                    dial(peer);
                }
            }
        }
    }

    /** A connection that is not greeted yet. */
    private final class Caller implements SimulatedNetwork.Dialler {
        final Session session;
        final int target;
        final long deadlineNs = nowNs() + config.helloTimeoutNs();
        final FrameDecoder decoder = new FrameDecoder();
        final Bytes bytes = new Bytes();
        SimulatedSocket socket;
        Session.Verdict verdict;

        Caller(Session session, int target) {
            this.session = session;
            this.target = target;
        }

        boolean isDialled() {
            return target >= 0;
        }

        @Override
        public void onConnected(SimulatedSocket connected) {
            if (!process.isAlive()) {
                connected.close();
                return;
            }
            process.later(SimulatedProcess.GREET, 0, () -> {
                if (!callers.contains(this)) {
                    connected.close();
                    return;
                }
                attend(connected);
                session.onConnected(nowNs());
                send();
            });
        }

        @Override
        public void onRefused() {
            post(() -> {
                if (callers.remove(this)) {
                    dialFailed(target, "Connection refused");
                }
            });
        }

        void attend(SimulatedSocket connected) {
            socket = connected;
            socket.onReadable(() -> process.soon(SimulatedProcess.GREET, this::onReadable));
            onReadable();
        }

        void onReadable() {
            if (!callers.contains(this)) {
                return;
            }
            while (verdict == null) {
                byte[] chunk = socket.read();
                if (chunk == null) {
                    if (socket.isAtEnd()) {
                        drop(this, "the connection was accepted and closed");
                    }
                    return;
                }
                bytes.append(chunk);
                judge();
            }
        }

        private void judge() {
            int length = decoder.decode(bytes.buffer, 0, bytes.writeIndex);
            if (length == 0) {
                return;
            }
            if (length > 0) {
                session.onBytes(length, nowNs());
                FrameHeaderFlyweight header = new FrameHeaderFlyweight().wrap(bytes.buffer, 0);
                verdict = session.onFrame(header, bytes.buffer, FrameHeaderFlyweight.HEADER_LENGTH, nowNs());
                bytes.readIndex = length; // what follows belongs to the link
            }
            if (length < 0 || verdict == Session.Verdict.VIOLATED) {
                verdict = Session.Verdict.VIOLATED;
                drop(this, "a stranger");
            } else {
                onGreeting(this);
            }
        }

        boolean send() {
            int length = session.poll(control, 0, false, nowNs());
            return length > 0 && socket.write(Arrays.copyOf(control.byteArray(), length));
        }
    }

    @Override
    public void onAccept(SimulatedSocket socket) {
        process.later(SimulatedProcess.GREET, 0, () -> {
            if (isGreeterStopped) {
                socket.close();
                return;
            }
            Caller caller = new Caller(session(Session.Role.ACCEPTOR, formation.own()), -1);
            caller.session.onConnected(nowNs());
            callers.add(caller);
            observer.onStep(this, -1, FaultPlan.Trigger.ACCEPTED);
            caller.attend(socket);
        });
    }

    private Session session(Session.Role role, Hello own) {
        return mutant.session(role, own, encoder, nowNs());
    }

    private void dial(int peer) {
        formation.slot(peer).onDial();
        dialling.onDialling(peer);
        Caller caller = new Caller(session(Session.Role.DIALLER, formation.own().to(peer)), peer);
        callers.add(caller);
        network.dial(process.index, peer, caller);
        observer.onStep(this, peer, FaultPlan.Trigger.DIALLED);
    }

    private void dialFailed(int peer, String error) {
        formation.slot(peer).onError(error);
        dialling.onFailed(peer, nowNs());
    }

    private void onGreeting(Caller caller) {
        Session session = caller.session;
        if (caller.verdict == Session.Verdict.REFUSED) {
            onRefused(caller, session.refusal());
            return;
        }
        Hello theirs = session.peer();
        observer.onStep(this, theirs.processIndex(), FaultPlan.Trigger.HELLO_HEARD);
        Refusal refusal = mutant.judge(formation, theirs, session.role(), caller.target, nowNs());
        if (refusal != null) {
            refuse(caller, refusal);
            return;
        }
        if (mutant.isNewer(formation, theirs)) {
            raise(theirs.generation(), caller);
            if (caller.isDialled()) {
                return;
            }
        } else if (formation.isTooLateFor(theirs)) {
            raise(formation.generation() + 1, null);
            refuse(caller, formation.judge(theirs, session.role(), caller.target, nowNs()));
            return;
        }
        admit(caller);
    }

    private void admit(Caller caller) {
        Session session = caller.session;
        session.admit(formation.own().to(session.peer().processIndex()));
        if (!caller.isDialled() && !caller.send()) {
            drop(caller, "the socket did not take the answer");
            return;
        }
        callers.remove(caller);
        Link link = new Link(caller);
        links.add(link);
        Link replaced = formation.onGreeted(link);
        if (replaced != null) {
            onRetired(replaced, abandoned("a newer connection of the same process replaced this one"));
            replaced.close();
        }
        dialling.onGreeted(link.peer());
        link.start();
        observer.onStep(this, link.peer(), FaultPlan.Trigger.GREETED);
        readyUpIfAllGreeted();
    }

    private void readyUpIfAllGreeted() {
        if (formation.areAllGreeted()) {
            for (int peer = 0; peer < config.processCount(); peer++) {
                if (peer != process.index) {
                    Link link = formation.slot(peer).link();
                    link.session.readyUp();
                    link.wakeSender();
                }
            }
            startIfComplete();
        }
    }

    private void startIfComplete() {
        if (mutant.isComplete(formation)) {
            startFormed();
        }
    }

    private void startFormed() {
        formation.start();
        for (Caller caller : List.copyOf(callers)) {
            if (caller.isDialled()) {
                forget(caller);
            }
        }
        onStart();
    }

    private void refuse(Caller caller, Refusal refusal) {
        if (caller.isDialled()) {
            drop(caller, refusal.text());
            return;
        }
        caller.session.refuse(refusal);
        caller.send();
        forget(caller);
    }

    private void onRefused(Caller caller, Refusal refusal) {
        forget(caller);
        switch (refusal.reason()) {
            case STALE_GENERATION -> {
                if (refusal.generation() > formation.generation()
                        && refusal.generation() <= Formation.GENERATION_LIMIT) {
                    raise(refusal.generation(), null);
                } else {
                    failedDial(caller, refusal.text());
                }
            }
            default -> {
                failedDial(caller, refusal.text());
                if (refusal.reason().isFinal() && !formation.isStarted()) {
                    failForming(refusal.text());
                }
            }
        }
    }

    private void raise(long newGeneration, Caller bringer) {
        Cause cause = abandoned("a newer generation than " + generation() + " is being formed");
        for (Link link : formation.raise(newGeneration)) {
            onRetired(link, cause);
        }
        for (Caller caller : List.copyOf(callers)) {
            if (caller.isDialled()) {
                forget(caller);
            }
        }
        if (bringer != null && bringer.isDialled()) {
            forget(bringer);
        }
        dialling.onRaised(nowNs());
        onRaised(newGeneration);
        observer.onStep(this, -1, FaultPlan.Trigger.RAISED);
    }

    private void onPeerReady(Link link) {
        observer.onStep(this, link.peer(), FaultPlan.Trigger.READY_HEARD);
        if (formation.onPeerReady(link)) {
            startIfComplete();
        }
    }

    private boolean onLost(Link link, String error, Cause cause) {
        boolean isCurrent = formation.isCurrent(link);
        if (formation.isStarted() && isCurrent) {
            return false;
        }
        boolean mayHaveStarted = formation.onLost(link, error, cause);
        onRetired(link, cause);
        if (mayHaveStarted && mutant.isRaising()) {
            raise(formation.generation() + 1, null);
        } else if (isCurrent) {
            dialling.onFailed(link.peer(), nowNs());
        }
        return true;
    }

    private void onLostElsewhere(Link link, Cause cause) {
        if (formation.isStarted()) {
            health.consider(cause);
        } else if (formation.isCurrent(link) && formation.areAllGreeted() && cause.subjectProcess() != process.index) {
            health.consider(cause);
            startFormed();
        } else {
            onLost(link, "it was lost: " + cause.describe(), cause);
        }
    }

    private void expireCallers() {
        for (Caller caller : List.copyOf(callers)) {
            if (nowNs() - caller.deadlineNs >= 0) {
                drop(caller, "no HELLO came within the hello time-out");
            }
        }
    }

    private void drop(Caller caller, String reason) {
        forget(caller);
        failedDial(caller, reason);
    }

    private void failedDial(Caller caller, String reason) {
        if (caller.isDialled() && !formation.isStarted()) {
            dialFailed(caller.target, reason);
        }
    }

    private void forget(Caller caller) {
        callers.remove(caller);
        if (caller.socket != null) {
            caller.socket.close();
        }
    }

    private void failForming(String reason) {
        if (!isGreeterStopped) {
            stopGreeter();
            hasFormingFailed = true;
            health.lose(causeHere(CauseKind.FORMATION_ABANDONED).seen(reason).build());
        }
    }

    private void stopGreeter() {
        isGreeterStopped = true;
        for (Caller caller : List.copyOf(callers)) {
            forget(caller);
        }
        network.unlisten(process.index, this);
    }

    // ================ Link, SendAgent, ReceiveAgent

    /** One greeted connection. */
    final class Link implements Formation.Greeted, Scopes.Peer {
        final Session session;
        final ArrayDeque<Message> ring = new ArrayDeque<>();
        final long openedNs;
        final long establishedNs = nowNs();
        long pushed;
        long delivered;

        private final int peer;
        private final SimulatedSocket socket;
        private Bytes bytes;
        private FrameDecoder decoder;
        private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
        private final SendLane lane;
        private int runningHalves = 2;
        private boolean isClosed;
        private boolean isRetired;
        private boolean isHeardOut;
        private boolean isClosedWhenSent;
        private long retiredNs;
        private Long sendFailedNs;

        private boolean isSenderEnded;
        private boolean isAborting;
        private long senderTurn;
        private boolean isSenderWoken;

        private boolean isReceiverEnded;
        private boolean isReceiverWoken;
        private boolean isReadableDue;
        private boolean isReceiverStarted;
        private boolean isSpoilt;
        private Session.Verdict awaited;

        /** What the receive thread does next: whatever other threads do may come before it. */
        private Runnable rest;

        private Link(Caller caller) {
            this.session = caller.session;
            this.socket = caller.socket;
            this.openedNs = socket.openedNs();
            this.bytes = caller.bytes;
            this.peer = session.peer().processIndex();
            Hello own = session.own();
            Hello other = session.peer();
            this.decoder = new FrameDecoder()
                    .agreed(
                            Math.min(own.frameLimit(), other.frameLimit()),
                            own.payloadChecks() || other.payloadChecks())
                    .recordWalk(true);
            session.openLanes(windows, this::wakeSender, scopes.stopped());
            LaneAddress address = new LaneAddress(0, CHANNEL, own.firstWorker(), other.firstWorker(), 1);
            this.lane = session.sendLanes().add(new SendLane(address, null, Lanes.channelWindow(own, other)));
            health.addWakeup(() -> mutant.wakeAtLoss(this));
        }

        @Override
        public int peer() {
            return peer;
        }

        @Override
        public Session session() {
            return session;
        }

        SimulatedMesh mesh() {
            return SimulatedMesh.this;
        }

        private void start() {
            socket.onReadable(this::onReadable);
            wakeReceiver();
            wakeSender();
        }

        void wake() {
            wakeReceiver();
            wakeSender();
        }

        @Override
        public ScopeFrames scopeFrames() {
            return session.scopeFrames();
        }

        @Override
        public void forgetScope(final long scopeId, final boolean isStopped) {
            session.sendLanes().forget(scopeId, isStopped);
            session.receiveLanes().forgetScope(scopeId);
        }

        @Override
        public boolean speaksForItself() {
            return session.received() == Session.Stage.ABORTED || session.received() == Session.Stage.CONFIRMED;
        }

        @Override
        public void wakeSender() {
            senderTurn++; // whatever it slept for, it looks now
            if (!isSenderWoken) {
                isSenderWoken = true;
                process.soon(SimulatedProcess.send(peer), () -> {
                    isSenderWoken = false;
                    runSender();
                });
            }
        }

        private void sleepSender(long delayNs) {
            long turn = ++senderTurn;
            process.later(SimulatedProcess.send(peer), delayNs, () -> {
                if (turn == senderTurn) {
                    runSender();
                }
            });
        }

        void wakeReceiver() {
            if (!isReceiverWoken) {
                isReceiverWoken = true;
                process.soon(SimulatedProcess.receive(peer), () -> {
                    isReceiverWoken = false;
                    runReceiver();
                });
            }
        }

        /** Bytes wake the thread that waits for them, not one that is parked until the start. */
        private void onReadable() {
            if (!isReadableDue) {
                isReadableDue = true;
                process.soon(SimulatedProcess.receive(peer), () -> {
                    isReadableDue = false;
                    if (awaited == null) {
                        runReceiver();
                    }
                });
            }
        }

        // ---- SendAgent

        private void runSender() {
            if (isSenderEnded) {
                return;
            }
            while (!isClosed && !session.isSendingDone()) {
                if (!isAborting && health.isLost()) {
                    isAborting = true;
                    session.abort(health.rootCause());
                }
                boolean isDrained = session.isHangUpWanted() && ring.isEmpty();
                boolean hadSaidReady = session.hasSaidReady();
                int length = session.poll(control, 0, isDrained, nowNs());
                length += session.pollCredits(control, length, CONTROL_LENGTH - length);
                if (length > 0 && !write(control, length)) {
                    return;
                }
                if (session.hasSaidReady() != hadSaidReady) {
                    toldReady.add(session.peer().nonce());
                    observer.onStep(SimulatedMesh.this, peer, FaultPlan.Trigger.READY_SENT);
                }
                int sent = session.maySendData() && !isAborting ? sendData() : 0;
                if (sent < 0) {
                    return;
                }
                if (length == 0 && sent == 0) {
                    long sleepNs = session.sleepNs(nowNs());
                    if (sleepNs != Long.MAX_VALUE) {
                        sleepSender(Math.max(1, sleepNs));
                    }
                    return;
                }
                if (process.random.nextInt(4) == 0) {
                    wakeSender(); // other threads come in between
                    return;
                }
            }
            if (!isClosed) {
                socket.shutdownOutput();
            }
            onSenderEnded();
        }

        private int sendData() {
            int total = 0;
            for (int i = process.random.nextInt(4); i >= 0 && !ring.isEmpty() && hasCredit(ring.peek()); i--) {
                Message message = ring.remove();
                UnsafeBuffer frame = new UnsafeBuffer(
                        new byte
                                [FrameHeaderFlyweight.HEADER_LENGTH
                                        + RecordDescriptor.recordLength(Message.LENGTH + message.fill)
                                        + FrameHeaderFlyweight.FRAME_ALIGNMENT]);
                int length = encode(message, frame);
                session.sealData(frame, 0, length, encoder.payloadCheck(frame, 0));
                int aligned = FrameHeaderFlyweight.alignedLength(length);
                lane.charge(aligned);
                if (!write(frame, aligned)) {
                    return -1;
                }
                total += aligned;
            }
            return total;
        }

        private boolean hasCredit(Message message) {
            int recordLength = RecordDescriptor.recordLength(Message.LENGTH + message.fill);
            return lane.creditBytes()
                    >= FrameHeaderFlyweight.alignedLength(FrameHeaderFlyweight.HEADER_LENGTH + recordLength);
        }

        private int encode(Message message, UnsafeBuffer frame) {
            int payload =
                    encoder.data(frame, 0, FrameFlags.RECORDS | (config.payloadChecks() ? FrameFlags.CHECKED : 0));
            encoder.header()
                    .channelId(CHANNEL)
                    .sourceWorker(session.own().firstWorker())
                    .targets(session.peer().firstWorker(), 1);
            int length = Message.LENGTH + message.fill;
            int at = RecordDescriptor.begin(frame, payload, length);
            frame.putLong(at, message.generation);
            frame.putLong(at + Long.BYTES, message.senderNonce);
            frame.putLong(at + 2 * Long.BYTES, message.number);
            encoder.end(RecordDescriptor.recordLength(length));
            return FrameHeaderFlyweight.HEADER_LENGTH + RecordDescriptor.recordLength(length);
        }

        private boolean write(UnsafeBuffer buffer, int length) {
            if (socket.write(Arrays.copyOf(buffer.byteArray(), length))) {
                return true;
            }
            if (!isClosed) {
                sendFailedNs = nowNs();
                wakeWatch();
            }
            onSenderEnded();
            return false;
        }

        private void onSenderEnded() {
            isSenderEnded = true;
            if (isClosedWhenSent) {
                close();
            }
            onHalfEnded();
        }

        // ---- ReceiveAgent

        private void runReceiver() {
            if (rest != null) {
                Runnable next = rest;
                rest = null;
                next.run();
            }
            if (isReceiverEnded) {
                return;
            }
            if (awaited != null) {
                if (!formation.isStarted() && !isDiscarding()) {
                    return;
                }
                Session.Verdict verdict = awaited;
                awaited = null;
                if (!handOver(verdict)) {
                    spoil();
                }
            }
            String seen = receive();
            if (seen == null) {
                return;
            }
            if (!seen.isEmpty() && session.onEndOfStream() == Session.Verdict.LOST) {
                if (!isClosed) {
                    onPeerLost(this, seen);
                }
                close();
                goOnWith(this::onReceiverEnded);
            } else {
                onReceiverEnded();
            }
        }

        private void goOnWith(Runnable next) {
            rest = next;
            wakeReceiver();
        }

        private void onReceiverEnded() {
            isReceiverEnded = true;
            bytes = null; // of a large cluster they take most of the memory
            decoder = null;
            heardOut();
            onHalfEnded();
        }

        /** Null: nothing more for now; empty: the link needs no more reading; else what was seen at the end of the stream. */
        private String receive() {
            while (true) {
                if (isClosed) {
                    return "the socket was closed here";
                }
                int length = isSpoilt ? 0 : decodeAll();
                if (awaited != null || rest != null) {
                    return null;
                }
                if (length < 0 && !isSpoilt) {
                    return "";
                }
                byte[] chunk = socket.read();
                if (chunk == null) {
                    return socket.isAtEnd() ? end() : null;
                }
                if (!isSpoilt) {
                    bytes.append(chunk);
                    session.onBytes(chunk.length, nowNs());
                }
            }
        }

        private String end() {
            if (isSpoilt) {
                return "";
            }
            return socket.isReset() ? "the connection broke" : "the connection ended without hang-up";
        }

        /** What still comes is taken and thrown away, so that no reset overtakes our ABORT. */
        private void spoil() {
            isSpoilt = true;
            heardOut();
        }

        private int decodeAll() {
            int length = decoder.decode(bytes.buffer, bytes.readIndex, bytes.writeIndex);
            while (length > 0) {
                header.wrap(bytes.buffer, bytes.readIndex);
                if (!onFrame()) {
                    return -1;
                }
                if (awaited != null || rest != null) {
                    return 0;
                }
                length = decoder.decode(bytes.buffer, bytes.readIndex, bytes.writeIndex);
            }
            if (length < 0 && session.received() != Session.Stage.ABORTED) {
                onPeerViolated(
                        this, decoder.describe(FrameFault.of(length), bytes.buffer, bytes.readIndex, bytes.writeIndex));
                spoil();
            }
            return length;
        }

        private boolean onFrame() {
            int payload = bytes.readIndex + FrameHeaderFlyweight.HEADER_LENGTH;
            Session.Verdict verdict = session.onFrame(header, bytes.buffer, payload, nowNs());
            switch (verdict) {
                case DELIVER, PEER_HUNG_UP, FATED, CANCEL_ASKED -> {
                    if (!isReceiverStarted && !formation.isStarted() && !isDiscarding()) {
                        awaited = verdict;
                        return true;
                    }
                    if (!handOver(verdict)) {
                        spoil();
                        return false;
                    }
                    return true;
                }
                case CANCEL_ANSWERED -> {
                    String fault = isDiscarding()
                            ? null
                            : scopes.onCancelled(
                                    peer,
                                    header.scopeId(),
                                    session.receivedScopes().cancelAnswer());
                    if (fault != null) {
                        onPeerViolated(this, fault);
                        spoil();
                        return false;
                    }
                }
                case PEER_READY -> post(() -> SimulatedMesh.this.onPeerReady(this));
                case PEER_CONFIRMED -> {
                    observer.onStep(SimulatedMesh.this, peer, FaultPlan.Trigger.CONFIRM_HEARD);
                    return false;
                }
                case ABORTED -> {
                    List<Runnable> steps =
                            mutant.whenAborted(() -> onPeerAborted(this, session.peerCause()), this::heardOut);
                    steps.get(0).run();
                    goOnWith(steps.get(1));
                }
                case VIOLATED -> {
                    onPeerViolated(this, session.violation());
                    spoil();
                    return false;
                }
                default -> {
                    // heartbeats, credits, and what comes after ABORT
                    if (header.type() == FrameType.CREDIT) {
                        wakeSender();
                    }
                }
            }
            bytes.readIndex += header.alignedLength();
            return true;
        }

        /** What the receive thread does once it no longer awaits the start; returns whether to go on. */
        private boolean handOver(Session.Verdict verdict) {
            header.wrap(bytes.buffer, bytes.readIndex);
            if (!isReceiverStarted) {
                isReceiverStarted = true;
                session.forgive(nowNs());
            }
            String fault = null;
            switch (verdict) {
                case PEER_HUNG_UP -> onPeerHungUp(this);
                case FATED ->
                    fault = isRetired
                            ? null
                            : scopes.onFate(
                                    peer,
                                    header.scopeId(),
                                    session.receivedScopes().members(),
                                    session.receivedScopes().word());
                case CANCEL_ASKED -> {
                    if (!isDiscarding()) {
                        scopes.onCancel(
                                this,
                                header.scopeId(),
                                header.sourceWorker(),
                                session.receivedScopes().cancelReason());
                    }
                }
                default -> {
                    if (!isDiscarding()) {
                        deliver();
                    }
                }
            }
            if (fault != null) {
                onPeerViolated(this, fault);
                return false;
            }
            bytes.readIndex += header.alignedLength();
            return true;
        }

        private void deliver() {
            int at = bytes.readIndex + FrameHeaderFlyweight.HEADER_LENGTH;
            int length = bytes.buffer.getInt(at);
            at += RecordDescriptor.PREFIX_LENGTH;
            Message message = new Message(
                    bytes.buffer.getLong(at),
                    bytes.buffer.getLong(at + Long.BYTES),
                    bytes.buffer.getLong(at + 2 * Long.BYTES),
                    length - Message.LENGTH);
            observer.onDelivered(SimulatedMesh.this, this, message);
            delivered++;
            ReceiveLane from = session.lane();
            int worker = header.firstTargetWorker();
            int charge = ReceiveLane.chargeOf(header);
            process.soon(SimulatedProcess.WORKERS, () -> from.consumed(worker, charge));
        }

        boolean isReading() {
            return awaited == null;
        }

        // ---- ending

        boolean isDiscarding() {
            return isRetired || isClosed || health.isLost();
        }

        private void heardOut() {
            isHeardOut = true;
            wakeWatch();
        }

        boolean isHeardOut() {
            return isHeardOut || isEnded();
        }

        boolean isRetired() {
            return isRetired;
        }

        /** {@return whether the watch has given the peer up, so that nobody waits for what it says} */
        boolean hasFoundSilent() {
            return isClosedWhenSent;
        }

        private void closeWhenSent() {
            isClosedWhenSent = true;
            if (isSenderEnded) {
                close();
            }
            heardOut();
        }

        void close() {
            if (!isClosed) {
                isClosed = true;
                socket.close();
                wake();
            }
        }

        private void onHalfEnded() {
            if (--runningHalves == 0) {
                close();
            }
            wakeWatch();
        }

        boolean isEnded() {
            return runningHalves == 0;
        }

        void vanish(boolean isSilent) {
            if (isSilent) {
                socket.vanish();
            } else {
                socket.close();
            }
        }
    }

    // ================ Watch

    private void wakeWatch() {
        if (!isSweepDue) {
            isSweepDue = true;
            process.soon(SimulatedProcess.WATCH, this::sweepOnce);
        }
    }

    private void watchTick() {
        sweepOnce();
        if (!isOver) {
            process.later(SimulatedProcess.WATCH, isEnding ? ENDING_TICK_NS : tickNs, this::watchTick);
        }
    }

    private void sweepOnce() {
        isSweepDue = false;
        if (!isOver && sweep()) {
            onOver();
        }
    }

    private boolean sweep() {
        forgiveOwnPause();
        if (health.isLost()) {
            return sweepEnding();
        }
        for (Link link : links) {
            judge(link);
        }
        sweepRetired();
        scopes.tick();
        return formation.isStarted() && sweepHangUp();
    }

    private void forgiveOwnPause() {
        long pauseNs = pauses.onTick(nowNs());
        lastTickNs = nowNs();
        if (pauseNs > 0) {
            lastPauseNs = pauseNs;
            lastPauseEndNs = nowNs();
            for (Link link : links) {
                mutant.forgive(link.session, nowNs());
                link.session.longestPause(pauses.longestPauseNs());
            }
        }
    }

    private long ownPauseNs(Link link) {
        long gapNs = nowNs() - lastTickNs;
        if (gapNs >= config.silenceTimeoutNs()) {
            return gapNs;
        }
        boolean isRecent =
                nowNs() - lastPauseEndNs < config.silenceTimeoutNs() && lastPauseEndNs - link.establishedNs >= 0;
        return isRecent && lastPauseNs >= config.silenceTimeoutNs() ? lastPauseNs : 0;
    }

    private void judge(Link link) {
        if (link.sendFailedNs != null && nowNs() - link.sendFailedNs >= WRITE_GRACE_NS && isUndecided(link)) {
            onPeerLost(link, "a write failed");
            link.close();
            return;
        }
        long graceNs = link.isReading() ? 0 : config.silenceTimeoutNs();
        if (link.session.onTick(nowNs() - graceNs) == Session.Verdict.SILENT && !link.isEnded()) {
            onPeerSilent(link);
        }
    }

    private boolean isUndecided(Link link) {
        boolean isUnconfirmed = link.session.sent().isBefore(Session.Stage.CONFIRMED);
        return !link.isEnded()
                || mutant.isJudgingLate() && link.session.received() == Session.Stage.CONFIRMED && isUnconfirmed;
    }

    private boolean sweepHangUp() {
        boolean areAllHungUp = true;
        boolean areAllClosed = true;
        for (Link link : links) {
            areAllHungUp &= !link.session.sent().isBefore(Session.Stage.HUNG_UP)
                    && !link.session.received().isBefore(Session.Stage.HUNG_UP);
            areAllClosed &= link.session.state() == Session.State.CLOSED && link.isEnded();
        }
        if (areAllHungUp) {
            for (Link link : links) {
                link.session.confirm();
                link.wakeSender();
            }
        }
        return areAllClosed && retired.isEmpty() && isHungUp && health.end();
    }

    private void sweepRetired() {
        for (Link link : retired) {
            if (!link.isEnded() && nowNs() - link.retiredNs >= config.abortTimeoutNs()) {
                link.close();
            }
        }
        retired.removeIf(Link::isEnded);
    }

    private boolean sweepEnding() {
        if (!isEnding) {
            isEnding = true;
            lostNs = nowNs();
        }
        long spentNs = nowNs() - lostNs;
        boolean areAllHeard = links.stream().allMatch(Link::isHeardOut);
        boolean areAllEnded =
                (formation.isStarted() || isGreeterStopped) && links.stream().allMatch(Link::isEnded);
        if (!isSettled && (areAllHeard || spentNs >= config.abortTimeoutNs() / 2)) {
            isSettled = true;
            settle();
        }
        if (spentNs >= config.abortTimeoutNs()) {
            links.forEach(Link::close);
            retired.forEach(Link::close);
        }
        sweepRetired();
        return areAllEnded && retired.isEmpty();
    }

    private void settle() {
        Cause root = health.rootCause();
        Cause earliest = health.earliestCause();
        settledRoot = root;
        mutant.relay(scopes);
        for (Link link : links) {
            mutant.settle(link.session, earliest, root);
            link.wakeSender();
        }
    }

    // ================ MeshCore

    void hangUp() {
        scopes.hangUp();
        isHungUp = true;
        for (Link link : links) {
            link.session.hangUp();
            link.wakeSender();
        }
        wakeWatch();
    }

    /** A worker pushes. */
    void push(int peer, int fill) {
        for (Link link : startedLinks) {
            if (link.peer == peer && !health.isLost()) {
                link.ring.add(new Message(generation(), nonce, link.pushed++, fill));
                link.wakeSender();
            }
        }
    }

    /** The process is killed: the kernel closes its sockets, or the machine is gone with it. */
    void kill(boolean isSilent) {
        isGreeterStopped = true;
        isOver = true;
        if (isSilent) {
            if (network.isListening(process.index)) {
                network.vanish(process.index);
            }
        } else {
            network.unlisten(process.index, this);
        }
        for (Caller caller : callers) {
            if (caller.socket != null) {
                caller.socket.close();
            }
        }
        links.forEach(link -> link.vanish(isSilent));
        retired.forEach(link -> link.vanish(isSilent));
    }

    private void onOver() {
        isOver = true;
        health.settle();
        scopes.settle();
        stopGreeter();
        observer.onOver(this);
    }

    @Override
    public Clock clock() {
        return new VirtualClock(process::nowNs);
    }

    @Override
    public Health health() {
        return health;
    }

    @Override
    public List<Link> scopePeers() {
        return links;
    }

    @Override
    public void onScopeChanged(Scope scope) {
        observer.onScopeChanged(this, scope);
    }

    @Override
    public boolean onCancelUnopened(final long scopeId, final ScopeOutcome.Cancelled how) {
        return false;
    }

    @Override
    public void onThreadFailed(String role, Throwable error) {
        throw new AssertionError(role, error);
    }

    private void onPeerHungUp(Link link) {
        if (!link.isRetired) {
            scopes.onHungUp(link.peer);
        }
        if (!link.isDiscarding()) {
            wakeWatch();
        }
    }

    @Override
    public CauseBuilder causeHere(CauseKind kind) {
        return Cause.builder(kind)
                .subjectProcess(process.index)
                .subjectPid(process.pid)
                .subjectNonce(nonce)
                .observerProcess(process.index)
                .observedAtEpochMs(process.epochMs())
                .generation(generation());
    }

    private CauseBuilder causeOf(Link link, CauseKind kind) {
        Hello peer = link.session.peer();
        return Cause.builder(kind)
                .subjectProcess(link.peer)
                .subjectPid(peer.pid())
                .subjectNonce(peer.nonce())
                .observerProcess(process.index)
                .observedAtEpochMs(process.epochMs())
                .generation(generation());
    }

    private void onPeerAborted(Link link, Cause cause) {
        if (mutant.isDeafTo(link)) {
            return;
        }
        if (formation.isStarted() || health.isLost()) {
            health.consider(cause);
        } else if (cause.kind() == CauseKind.FORMATION_ABANDONED) {
            loseOrForm(link, "it gave up: " + cause.describe(), cause, () -> health.consider(cause));
        } else {
            post(() -> onLostElsewhere(link, cause));
        }
        wakeWatch();
    }

    private void onPeerLost(Link link, String seen) {
        lose(link, CauseKind.PEER_LOST, seen);
    }

    private void onPeerViolated(Link link, String seen) {
        lose(link, CauseKind.PROTOCOL_VIOLATED, seen);
    }

    private void onPeerSilent(Link link) {
        if (!formation.isStarted() && !link.isReading()) {
            Cause cause = abandoned("process " + link.peer + " has started, and this process could not");
            loseOrForm(link, cause.seen(), cause, () -> {});
            return;
        }
        lose(link, CauseKind.PEER_SILENT, "no byte came");
        link.closeWhenSent();
    }

    private void lose(Link link, CauseKind kind, String seen) {
        if (mutant.isDeafTo(link)) {
            return;
        }
        long pauseNs = kind == CauseKind.PEER_LOST && formation.isStarted() ? ownPauseNs(link) : 0;
        if (pauseNs > 0 && !health.isLost()) {
            health.lose(causeHere(CauseKind.PROCESS_SUSPENDED)
                    .elapsedNs(pauseNs)
                    .seen("this process stood still")
                    .build());
        }
        Cause cause = causeOf(link, kind).seen(seen).build();
        if (formation.isStarted() || health.isLost()) {
            health.lose(cause);
        } else {
            loseOrForm(link, seen, cause, () -> health.lose(cause));
        }
    }

    private void loseOrForm(Link link, String seen, Cause cause, Runnable loss) {
        post(() -> {
            if (!onLost(link, seen, cause)) {
                loss.run();
            }
        });
    }

    private void retire(Link link) {
        if (!link.isRetired) {
            link.retiredNs = nowNs();
            retired.add(link);
            links.remove(link);
            link.isRetired = true;
            link.wake();
            observer.onStep(this, link.peer, FaultPlan.Trigger.RETIRED);
        }
    }

    private void onRaised(long newGeneration) {
        generation = newGeneration;
    }

    private Cause abandoned(String why) {
        return causeHere(CauseKind.FORMATION_ABANDONED).seen(why).build();
    }

    private void onRetired(Link link, Cause cause) {
        link.session.abort(cause);
        link.session.shut();
        retire(link);
    }

    private void onStart() {
        isFormed = true;
        startedLinks.addAll(links);
        links.forEach(mutant::wakeAtStart);
        observer.onStarted(this);
    }

    @Override
    public String toString() {
        return "process " + process.index + "/" + process.pid + " generation " + generation() + " "
                + (hasFormingFailed ? "FORMING FAILED" : isFormed ? health.state() : "forming")
                + (health.isLost() ? " root: " + brief(health.rootCause()) : "");
    }

    private static String brief(Cause cause) {
        return cause.kind() + " of " + cause.subjectProcess() + "/" + cause.subjectPid() + " seen by "
                + cause.observerProcess() + " at " + cause.observedAtEpochMs() + " told by " + cause.reporterProcess()
                + " (" + cause.seen() + ")";
    }

    /** What was received and is not decoded yet. */
    private static final class Bytes {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        int readIndex;
        int writeIndex;

        void append(byte[] chunk) {
            if (writeIndex + chunk.length > buffer.capacity()) {
                int rest = writeIndex - readIndex;
                byte[] next = new byte[Math.max(buffer.capacity(), 2 * (rest + chunk.length))];
                buffer.getBytes(readIndex, next, 0, rest);
                buffer.wrap(next);
                readIndex = 0;
                writeIndex = rest;
            }
            buffer.putBytes(writeIndex, chunk);
            writeIndex += chunk.length;
        }
    }
}
