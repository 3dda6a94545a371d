package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.SilenceDetector;
import io.hawser.framing.AbortFlyweight;
import io.hawser.framing.CreditFlyweight;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.HangupFlyweight;
import io.hawser.framing.HeartbeatFlyweight;
import io.hawser.framing.HelloFlyweight;
import io.hawser.framing.ReadyFlyweight;
import io.hawser.framing.RefuseFlyweight;
import io.hawser.framing.WaitFlyweight;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The protocol of one link, as a state machine: it is fed frames, ends of stream and ticks, and answers with frames and verdicts.
 * It knows no thread, no clock and no socket; time comes in as an argument. PROTOCOL.md, "A connection's life", is its
 * specification.
 *
 * <p>It consists of two halves, what we sent and what we received. Each half has one stage, which only rises, and one writer; the
 * {@link State} is derived from both. So the two directions of a socket fail independently, and no lock is needed.
 *
 * <p><em>Threading:</em> methods of the send half are called by one thread at a time, those of the receive half by one thread, ticks by a
 * third one; requests ({@link #readyUp}, {@link #hangUp}, {@link #abort}) by any thread.
 */
class Session { // not final: the simulation is tested by leaving single checks out
    /** Who dialled. */
    enum Role {
        DIALLER,
        ACCEPTOR
    }

    /** Where the link stands, as PROTOCOL.md names it. */
    enum State {
        CONNECTING,
        GREETING,
        READY,
        OPEN,
        HUNG_UP_LOCAL,
        HUNG_UP_REMOTE,
        CLOSING,
        CLOSED,
        FAILED
    }

    /** How far one half has come. The order is the order in which stages are reached; the last two are reached from any other. */
    enum Stage {
        NOTHING,
        GREETED,
        READY,
        HUNG_UP,
        CONFIRMED,
        ABORTED,
        REFUSED;

        boolean isBefore(Stage other) {
            return compareTo(other) < 0;
        }
    }

    /** What an event means to the owner of the link. */
    enum Verdict {
        /** Nothing to do. */
        CONTINUE,
        /** A DATA frame to hand to its workers. */
        DELIVER,
        /** A notice for one of our workers: {@link #notice()}. */
        NOTICED,
        /** A word about a scope: {@link #receivedScopes()}. */
        FATED,
        /** The peer wants a scope to end: {@link #receivedScopes()}. */
        CANCEL_ASKED,
        /** The peer has answered a cancel: {@link #receivedScopes()}. */
        CANCEL_ANSWERED,
        /** Something about work that is offered: the frame itself tells. */
        OFFERED,
        /** A push of the peer waits for credit, or waits no more: {@link #news()}. */
        WAITING,
        /** The peer's HELLO: {@link #peer()} tells who it is; the owner admits or refuses it. */
        GREETED,
        /** The peer refuses us: {@link #refusal()}. */
        REFUSED,
        /** The peer has a link to everybody. */
        PEER_READY,
        /** The peer has sent all its data, and all of it has arrived. */
        PEER_HUNG_UP,
        /** The peer has confirmed that all we sent arrived: its stream has ended, cleanly. */
        PEER_CONFIRMED,
        /** The peer's health is lost: {@link #peerCause()}. */
        ABORTED,
        /** The stream ended after everything had been said. */
        ENDED,
        /** The stream ended before everything had been said. */
        LOST,
        /** Nothing came for the silence time-out. */
        SILENT,
        /** The peer broke the protocol: {@link #violation()}. */
        VIOLATED
    }

    private static final int CREDIT_LENGTH =
            FrameHeaderFlyweight.alignedLength(FrameHeaderFlyweight.HEADER_LENGTH + CreditFlyweight.FIXED_LENGTH);

    /** So many words about scopes are usually under way at most; more of them do not keep an ABORT back. */
    private static final int WORDS_BEFORE_ABORT_MAX = 256;

    private final Role role;
    private final FrameEncoder encoder;
    private final SilenceDetector silence;
    private final Heartbeats heartbeats;

    // set before the link's threads start
    private Hello own;
    private Hello peer;

    // requests: any thread
    private volatile boolean isConnected;
    private volatile boolean isReadyWanted;
    private volatile boolean isHangUpWanted;
    private volatile boolean isConfirmWanted;
    private volatile boolean isShutWanted;
    private final AtomicReference<Cause> abortCause = new AtomicReference<>();

    /** To be told before that one; null if there is none. Cleared by who tells it. */
    private volatile Cause replacedCause;

    // send half: whoever holds the sending half of the link, see SendAgent
    private volatile Stage sent = Stage.NOTHING;
    private volatile boolean hasSaidReady;
    private Refusal ownRefusal;
    private boolean isAdmitted;
    private long sentFrames;
    private long sentDataFrames;
    private long sentDataBytes;
    private int wordsBeforeAbort;
    private volatile Cause sentCause;

    // receive half: the receive thread
    private volatile Stage received = Stage.NOTHING;
    private volatile boolean hasEnded;
    private volatile boolean hasPeerHungUp;
    private volatile long receivedBytes;
    private long receivedBytesCount;
    private long receivedFrames;
    private long receivedDataFrames;
    private long receivedDataBytes;
    private final HeartbeatFlyweight heartbeat = new HeartbeatFlyweight();
    private final CreditFlyweight credit = new CreditFlyweight();
    private Refusal refusal;
    private Cause peerCause;
    private String violation;
    private ReceiveLane lane;
    private WaitNews news;
    private Notice notice;
    private volatile long lateFrames;

    // both halves; set before data may come
    private WaitsToTell waits = WaitsToTell.NONE;
    private SendLanes sendLanes;
    private ReceiveLanes receiveLanes;
    private SendNotices sendNotices;
    private ReceiveNotices receiveNotices;
    private ReceiveScopes receiveScopes;
    private StoppedScopes stoppedScopes;
    private final ScopeFrames scopeFrames = new ScopeFrames();

    /**
     * Creates a session in state CONNECTING.
     *
     * @param role    who dialled
     * @param own     what we say of ourselves; for a dialler addressed to the process that it dials
     * @param encoder the send half's encoder
     * @param nowNs   the time
     */
    Session(Role role, Hello own, FrameEncoder encoder, long nowNs) {
        this.role = role;
        this.own = own;
        this.encoder = encoder;
        this.silence = new SilenceDetector(own.silenceTimeoutNs(), nowNs);
        this.heartbeats = new Heartbeats(own.heartbeatIntervalNs());
    }

    // ---- both halves

    Role role() {
        return role;
    }

    Hello own() {
        return own;
    }

    /** {@return what the peer said of itself, null before its HELLO} */
    Hello peer() {
        return peer;
    }

    /**
     * Opens the books: both sides are greeted, and data may come.
     *
     * @param pool        where the windows of lanes grow from
     * @param dueListener told when there is credit to grant, by any thread
     * @param stopped     scopes whose data is of no use any more
     */
    void openLanes(WindowPool pool, Runnable dueListener, StoppedScopes stopped) {
        stoppedScopes = stopped;
        sendLanes = new SendLanes(own, peer, stopped);
        receiveLanes = new ReceiveLanes(own, peer, pool, scopeFrames, dueListener);
        receiveScopes = new ReceiveScopes(own, peer, scopeFrames, sendLanes, receiveLanes);
        sendNotices = new SendNotices(peer);
        receiveNotices = new ReceiveNotices(own, peer, dueListener);
    }

    /**
     * From now on heartbeats tell how far the workers of this process have got.
     *
     * @param source knows that
     */
    void progressSource(ProgressSource source) {
        heartbeats.progressSource(source);
        waits = new WaitsToTell(own);
    }

    /** A push of ours has been waiting, or waits no more: tell the peer. Any thread. */
    void announce(WaitNews wait) {
        waits.announce(wait);
    }

    /** Takes a notice for the peer; returns false if the window of its target is full. Any thread. */
    boolean offer(Notice outgoing) {
        return sendNotices.offer(outgoing);
    }

    /** {@return who is to be told when a notice has been taken by its worker} */
    ConsumptionListener receivedNotices() {
        return receiveNotices;
    }

    /** {@return what is to be said to the peer about scopes} */
    ScopeFrames scopeFrames() {
        return scopeFrames;
    }

    /** {@return what heartbeats have told} */
    Heartbeats heartbeats() {
        return heartbeats;
    }

    /** {@return the sending ends of the lanes} */
    SendLanes sendLanes() {
        return sendLanes;
    }

    /** {@return the receiving ends of the lanes} */
    ReceiveLanes receiveLanes() {
        return receiveLanes;
    }

    Stage sent() {
        return sent;
    }

    Stage received() {
        return received;
    }

    State state() {
        Stage s = sent;
        Stage r = received;
        if (isAtLeast(s, Stage.ABORTED) || isAtLeast(r, Stage.ABORTED)) {
            return State.FAILED;
        }
        if (!isConnected) {
            return State.CONNECTING;
        }
        if (s == Stage.NOTHING || r == Stage.NOTHING) {
            return State.GREETING;
        }
        if (s == Stage.GREETED || r == Stage.GREETED) {
            return State.READY;
        }
        if (s == Stage.CONFIRMED && r == Stage.CONFIRMED) {
            return State.CLOSED;
        }
        boolean isHungUpLocally = isAtLeast(s, Stage.HUNG_UP);
        boolean isHungUpRemotely = isAtLeast(r, Stage.HUNG_UP);
        if (isHungUpLocally) {
            return isHungUpRemotely ? State.CLOSING : State.HUNG_UP_LOCAL;
        }
        return isHungUpRemotely ? State.HUNG_UP_REMOTE : State.OPEN;
    }

    private static boolean isAtLeast(Stage stage, Stage other) {
        return !stage.isBefore(other);
    }

    // ---- requests: any thread

    void onConnected(long nowNs) {
        silence.onHeard(nowNs);
        heartbeats.onConnected(nowNs);
        isConnected = true;
    }

    /** This process has a greeted link to every peer: say so. */
    void readyUp() {
        isReadyWanted = true;
    }

    /** {@return whether READY has been sent or will be: the peer may start} */
    boolean isReadyWanted() {
        return isReadyWanted;
    }

    /**
     * {@return whether READY has left, or is just leaving: the peer may have started} Of whoever requests {@link #abort} first and
     * asks then, a false is for good: no READY will leave any more.
     */
    boolean hasSaidReady() {
        return hasSaidReady;
    }

    /** No more data will be sent: say so once what is queued has gone out. */
    void hangUp() {
        isHangUpWanted = true;
    }

    /** {@return whether the peer has sent all its data, and all of it has arrived, whatever came after} */
    boolean hasPeerHungUp() {
        return hasPeerHungUp;
    }

    boolean isHangUpWanted() {
        return isHangUpWanted;
    }

    /** Every link of the process has hung up in both directions: confirm. */
    void confirm() {
        isConfirmWanted = true;
    }

    /**
     * Health is lost: tell the peer why. Of several calls the first counts.
     *
     * @param cause the root cause as this process knows it
     */
    void abort(Cause cause) {
        abortCause.compareAndSet(null, cause);
    }

    /** {@return the cause that was sent last, null if none} */
    Cause sentCause() {
        return sentCause;
    }

    /**
     * The causes are settled: tell the peer the root cause unless it was told that very event last; and before that the earliest one, if a report of who failed there has taken its place, since who knows only the
     * report would not know how early that is. Then nothing more.
     *
     * @param earliest of all causes that are known
     * @param root     the root cause, for good
     */
    void settle(Cause earliest, Cause root) {
        if (!earliest.sameEvent(root) && !earliest.sameEvent(sentCause)) {
            replacedCause = earliest;
        }
        abortCause.set(root);
        shut();
    }

    /** After what is due nothing more is sent. */
    void shut() {
        isShutWanted = true;
    }

    /** This process has noticed a pause of its own, to be told in heartbeats. */
    void longestPause(long pauseNs) {
        heartbeats.longestPause(pauseNs);
    }

    // ---- send half

    /** The peer's HELLO is accepted: answer it, if it was the peer who asked. */
    void admit(Hello ownFromNow) {
        own = ownFromNow;
        isAdmitted = true;
    }

    void refuse(Refusal reason) {
        ownRefusal = reason;
    }

    /** {@return whether the last frame of our stream has been polled, so that our half can be shut} */
    boolean isSendingDone() {
        Stage s = sent;
        return s == Stage.CONFIRMED
                || s == Stage.REFUSED
                || s == Stage.ABORTED && isShutWanted && !isAbortDue() && !scopeFrames.hasAny();
    }

    /** Not private: a test comes in between two looks. */
    boolean isAbortDue() {
        return dueCause() != null;
    }

    private Cause dueCause() {
        Cause replaced = replacedCause;
        if (replaced != null) {
            return replaced;
        }
        Cause cause = abortCause.get();
        return cause != null && !cause.sameEvent(sentCause) ? cause : null;
    }

    /** {@return whether DATA may be sent now} */
    boolean maySendData() {
        Stage r = received;
        return sent == Stage.READY && isAtLeast(r, Stage.READY) && r.isBefore(Stage.ABORTED);
    }

    /**
     * Encodes and seals the next control frame that is due.
     *
     * @param buffer  where to
     * @param offset  at which index, a multiple of 8
     * @param drained whether everything that was pushed has been sent
     * @param nowNs   the time
     * @return bytes written, 0 if nothing is due
     */
    int poll(MutableDirectBuffer buffer, int offset, boolean drained, long nowNs) {
        if (!isConnected || sent == Stage.REFUSED || received == Stage.REFUSED) {
            return 0;
        }
        int length = encodeDue(buffer, offset, drained, nowNs);
        if (length > 0) {
            encoder.seal(buffer, offset, sentFrames++);
        }
        return length;
    }

    private int encodeDue(MutableDirectBuffer buffer, int offset, boolean drained, long nowNs) {
        if (sent == Stage.NOTHING) {
            return encodeGreeting(buffer, offset);
        }
        if (received == Stage.NOTHING) {
            return 0;
        }
        if (sent == Stage.CONFIRMED) {
            return 0;
        }
        if (isAbortDue()) {
            int word = encodeWordBeforeAbort(buffer, offset);
            return word > 0 ? word : encodeAbort(buffer, offset, dueCause());
        }
        if (sent == Stage.ABORTED) { // what others have said reaches the survivors through us
            return encodeScopeFrame(buffer, offset);
        }
        if (sent == Stage.GREETED && isReadyWanted) {
            hasSaidReady =
                    true; // then look again: who requests ABORT, then asks for this, either sees it or is seen here
            return isAbortDue() ? encodeAbort(buffer, offset, dueCause()) : encodeReady(buffer, offset);
        }
        if (isHangUpWanted && drained && maySendData() && !hasNotices() && !scopeFrames.hasAny()) {
            sent = Stage.HUNG_UP;
            return encodeHangUp(buffer, offset, false);
        }
        if (isConfirmDue()) {
            sent = Stage.CONFIRMED;
            return encodeHangUp(buffer, offset, true);
        }
        return heartbeats.isDue(nowNs) ? heartbeats.encode(encoder, buffer, offset, receivedBytes, nowNs) : 0;
    }

    /** Whoever has heard the ABORTs of all tells others what it has heard until then: what we have said belongs to that. */
    private int encodeWordBeforeAbort(MutableDirectBuffer buffer, int offset) {
        boolean isOpen = sent == Stage.READY || sent == Stage.HUNG_UP;
        if (!isOpen || received.isBefore(Stage.READY) || wordsBeforeAbort >= WORDS_BEFORE_ABORT_MAX) {
            return 0;
        }
        wordsBeforeAbort++;
        return encodeScopeFrame(buffer, offset);
    }

    /** {@return whether {@link #pollCredits} may find something} */
    boolean areCreditsDue() {
        return maySendCredits()
                && (waits.hasAny()
                        || waits.hasStalls()
                        || scopeFrames.hasAny()
                        || sendNotices.hasAny()
                        || receiveNotices.hasDue()
                        || receiveLanes.hasDue());
    }

    /** {@return whether {@link #pollCredits} will find a notice, or a word about a scope} */
    boolean areNoticesDue() {
        return maySendCredits() && (sendNotices.hasAny() || scopeFrames.hasAny());
    }

    private boolean hasNotices() {
        return sendNotices != null && sendNotices.hasAny();
    }

    private boolean maySendCredits() {
        Stage s = sent;
        Stage r = received;
        return (s == Stage.READY || s == Stage.HUNG_UP) && isAtLeast(r, Stage.READY) && r.isBefore(Stage.ABORTED);
    }

    /**
     * Encodes and seals what needs no credit: WAIT frames for pushes that wait, NOTICE frames, and CREDIT frames for whatever has something to grant, as many as fit; and at last one WAIT of a worker that stands still, of
     * which there may be many, and long ones: they must not keep the others back.
     *
     * @param buffer where to
     * @param offset at which index, a multiple of 8
     * @param room   how many bytes there are
     * @return bytes written, 0 if nothing is due
     */
    int pollCredits(MutableDirectBuffer buffer, int offset, int room) {
        int length = 0;
        int word = 1;
        while (word > 0 && maySendCredits() && room - length >= ScopeFrames.FRAME_LENGTH_MAX) {
            word = sealControl(buffer, offset + length, encodeScopeFrame(buffer, offset + length));
            length += word;
        }
        while (maySendCredits() && waits.hasAny() && room - length >= WaitsToTell.FRAME_LENGTH) {
            length += sealControl(buffer, offset + length, waits.encodeNext(encoder, buffer, offset + length));
        }
        while (maySendCredits() && receiveNotices.hasDue() && room - length >= CREDIT_LENGTH) {
            length += sealControl(buffer, offset + length, receiveNotices.encodeNext(encoder, buffer, offset + length));
        }
        // with room to spare, so that a flood of notices keeps no credit back
        while (maySendCredits()
                && sendNotices.hasAny()
                && room - length >= SendNotices.FRAME_LENGTH_MAX + CREDIT_LENGTH) {
            length += sealControl(buffer, offset + length, sendNotices.encodeNext(encoder, buffer, offset + length));
        }
        while (maySendCredits() && room - length >= CREDIT_LENGTH) {
            ReceiveLane granting = receiveLanes.pollDue();
            if (granting == null) {
                break;
            }
            length += encodeCredit(buffer, offset + length, granting);
        }
        if (maySendCredits() && waits.hasStalls() && room - length >= WaitsToTell.STALL_FRAME_LENGTH) {
            length += sealControl(buffer, offset + length, waits.encodeNextStall(encoder, buffer, offset + length));
        }
        return length;
    }

    private int encodeScopeFrame(MutableDirectBuffer buffer, int offset) {
        return scopeFrames.encodeNext(encoder, buffer, offset, sendLanes, sent == Stage.ABORTED);
    }

    /** {@return how many bytes the next control frame needs, if it does not fit the buffer of control frames; else 0} */
    int largeLength() {
        return maySendCredits() ? scopeFrames.largeLength() : 0;
    }

    /** Encodes and seals that frame at the start of a buffer that holds it; returns the bytes that it occupies. */
    int pollLarge(MutableDirectBuffer buffer) {
        return sealControl(buffer, 0, scopeFrames.encodeLarge(encoder, buffer, sendLanes));
    }

    private int sealControl(MutableDirectBuffer buffer, int offset, int length) {
        if (length > 0) {
            encoder.seal(buffer, offset, sentFrames++);
        }
        return length;
    }

    private int encodeCredit(MutableDirectBuffer buffer, int offset, ReceiveLane granting) {
        LaneAddress address = granting.address();
        encoder.credit(buffer, offset).creditLimit(granting.granted()).bytesConsumed(granting.told());
        encoder.header()
                .scopeId(address.scopeId())
                .channelId(address.channelId())
                .sourceWorker(address.targetCount() == 1 ? address.firstTarget() : FrameHeaderFlyweight.NO_WORKER)
                .targets(address.sourceWorker(), 1);
        int length = encoder.end();
        encoder.seal(buffer, offset, sentFrames++);
        return length;
    }

    private int encodeAbort(MutableDirectBuffer buffer, int offset, Cause cause) {
        int length = CauseCodec.encode(encoder, buffer, offset, cause);
        sentCause = cause;
        if (cause.sameEvent(replacedCause)) {
            replacedCause = null;
        }
        sent = Stage.ABORTED;
        return length;
    }

    private int encodeReady(MutableDirectBuffer buffer, int offset) {
        sent = Stage.READY;
        encoder.ready(buffer, offset).generation(own.generation()).receiverNonce(peer.nonce());
        return encoder.end();
    }

    private boolean isConfirmDue() {
        Stage r = received;
        return sent == Stage.HUNG_UP
                && isConfirmWanted
                && !scopeFrames.hasAny()
                && (r == Stage.HUNG_UP || r == Stage.CONFIRMED);
    }

    private int encodeHangUp(MutableDirectBuffer buffer, int offset, boolean isConfirm) {
        encoder.hangup(buffer, offset, isConfirm)
                .framesSent(sentDataFrames)
                .bytesSent(sentDataBytes)
                .framesReceived(isConfirm ? receivedDataFrames : 0)
                .bytesReceived(isConfirm ? receivedDataBytes : 0);
        return encoder.end();
    }

    private int encodeGreeting(MutableDirectBuffer buffer, int offset) {
        if (ownRefusal != null) {
            sent = Stage.REFUSED;
            encoder.refuse(buffer, offset)
                    .reason(ownRefusal.reason())
                    .lowestVersion(own.minVersion())
                    .highestVersion(own.maxVersion())
                    .generation(ownRefusal.generation())
                    .processIndex(own.processIndex())
                    .text(ownRefusal.text());
            return encoder.end();
        }
        if (role == Role.ACCEPTOR && !isAdmitted) {
            return 0;
        }
        sent = Stage.GREETED;
        return own.encode(encoder, buffer, offset, role == Role.ACCEPTOR);
    }

    /** {@return how long the send thread may sleep if nobody wakes it: until the next heartbeat, if one will be sent, ns} */
    long sleepNs(long nowNs) {
        return isAtLeast(sent, Stage.CONFIRMED) ? Long.MAX_VALUE : heartbeats.dueInNs(nowNs);
    }

    /**
     * Gives a DATA frame its place in the stream: sequence, header check, totals.
     *
     * @param buffer the frame's memory; its payload check is in place
     * @param offset where the frame starts
     * @param length its frame length
     * @param check  its payload check
     */
    void sealData(MutableDirectBuffer buffer, int offset, int length, int check) {
        encoder.seal(buffer, offset, sentFrames++, check);
        sentDataFrames++;
        sentDataBytes += length;
    }

    /** {@return DATA frames sent; for the holder of the sending half} */
    long sentDataFrames() {
        return sentDataFrames;
    }

    // ---- receive half

    /**
     * Bytes have come, whatever they are: the peer lives.
     *
     * @param count how many
     * @param nowNs the time
     */
    void onBytes(int count, long nowNs) {
        receivedBytesCount += count;
        receivedBytes = receivedBytesCount;
        silence.onHeard(nowNs);
    }

    /**
     * A whole frame has come whose checks and structure are right.
     *
     * @param header  the frame
     * @param buffer  the memory that holds it
     * @param payload index of its payload
     * @param nowNs   the time
     * @return what it means
     */
    Verdict onFrame(FrameHeaderFlyweight header, DirectBuffer buffer, int payload, long nowNs) {
        Stage r = received;
        if (violation != null) {
            return Verdict.VIOLATED; // for good: nothing behind it can be trusted
        }
        if (r == Stage.CONFIRMED) {
            return violated(header.type() + " after the last frame");
        }
        if (header.sequence() != receivedFrames) {
            return violated("frame sequence=" + header.sequence() + " expected=" + receivedFrames
                    + (header.sequence() > receivedFrames ? ": frames are missing" : ": a frame came twice"));
        }
        receivedFrames++;
        FrameType type = header.type();
        if (header.scopeId() < 0 || header.scopeId() > 0 && !mayBeOfScope(type)) {
            return violated(type + " of scope=" + header.scopeId() + ": no such scope, or it ends by FATE only");
        }
        boolean isLate = r == Stage.ABORTED && type != FrameType.ABORT && type != FrameType.FATE;
        if (sent == Stage.REFUSED || r == Stage.REFUSED || isLate) {
            return Verdict
                    .CONTINUE; // it has failed: at most a better cause, and what others have said, are of interest
        }
        int length = header.payloadLength();
        return switch (type) {
            case DATA -> onData(header, buffer, payload);
            case WAIT -> onWait(header, new WaitFlyweight().wrap(buffer, payload, length));
            case NOTICE -> onNotice(header, buffer, payload);
            case FATE, CANCEL, CANCELLED, START, ACCEPT, REJECT, GO -> onScopeFrame(header, buffer, payload);
            case CREDIT -> onCredit(header, credit.wrap(buffer, payload, length));
            case HEARTBEAT -> onHeartbeat(heartbeat.wrap(buffer, payload, length), nowNs);
            case HELLO -> onHello(header, new HelloFlyweight().wrap(buffer, payload, length));
            case READY -> onReady(new ReadyFlyweight().wrap(buffer, payload, length));
            case HANGUP -> onHangUp(header, new HangupFlyweight().wrap(buffer, payload, length));
            case ABORT -> onAbort(new AbortFlyweight().wrap(buffer, payload, length));
            case REFUSE -> onRefuse(new RefuseFlyweight().wrap(buffer, payload, length));
            default -> illegal(type);
        };
    }

    private static boolean mayBeOfScope(FrameType type) {
        return switch (type) {
            case DATA, CREDIT, WAIT, CANCEL, CANCELLED, FATE, START, ACCEPT, REJECT, GO -> true;
            default -> false;
        };
    }

    private Verdict onData(FrameHeaderFlyweight header, DirectBuffer buffer, int payload) {
        if (received != Stage.READY || sent.isBefore(Stage.READY)) {
            return illegal(FrameType.DATA);
        }
        int source = header.sourceWorker();
        int target = header.firstTargetWorker();
        int count = header.targetWorkerCount();
        if (!peer.holds(source, 1)
                || !own.holds(target, count)
                || !Lanes.isRange(count, own.workersPerProcess())
                || header.channelId() < 0) {
            return violated("DATA of source worker=" + source + " for target workers=" + target + "+" + count
                    + " on channel=" + header.channelId()
                    + ": not from the peer's workers to one or all of ours, or no such channel");
        }
        lane = receiveLanes.charge(header);
        if (lane == null) {
            return violated(receiveLanes.fault(header));
        }
        receivedDataFrames++;
        receivedDataBytes += header.frameLength();
        String fault = lane.onPayload(header, buffer, payload, messageLimit());
        if (fault != null) {
            return violated(fault);
        }
        boolean isEmpty = FrameFlags.isLast(header.flags());
        if (sent == Stage.ABORTED || isEmpty) {
            return Verdict.CONTINUE;
        }
        return stoppedScopes.contains(header.scopeId()) ? discard(header) : Verdict.DELIVER;
    }

    /** Nobody reads it any more, but its sender may have other lanes to keep going until it has heard of that. */
    private Verdict discard(FrameHeaderFlyweight header) {
        lateFrames = lateFrames() + 1;
        int charge = ReceiveLane.chargeOf(header);
        for (int i = 0; i < header.targetWorkerCount(); i++) {
            lane.consumed(header.firstTargetWorker() + i, charge);
        }
        return Verdict.CONTINUE;
    }

    /** {@return DATA frames of stopped scopes that have been discarded} */
    long lateFrames() {
        return lateFrames;
    }

    private boolean isBeforeStart() {
        return received.isBefore(Stage.READY) || !isAtLeast(sent, Stage.READY);
    }

    private Verdict onScopeFrame(FrameHeaderFlyweight header, DirectBuffer buffer, int payload) {
        if (isBeforeStart()) {
            return illegal(header.type());
        }
        String fault = receiveScopes.onFrame(header, buffer, payload);
        if (fault != null) {
            return violated(fault);
        }
        Verdict verdict = receiveScopes.verdict();
        return sent == Stage.ABORTED && verdict != Verdict.FATED ? Verdict.CONTINUE : verdict;
    }

    /** {@return what the frame said, after FATED, CANCEL_ASKED and CANCEL_ANSWERED} */
    ReceiveScopes receivedScopes() {
        return receiveScopes;
    }

    /** {@return the lane of the frame that is to be delivered} */
    ReceiveLane lane() {
        return lane;
    }

    /** {@return the longest message that both sides allow, bytes} */
    long messageLimit() {
        return Math.min(own.messageLimit(), peer.messageLimit());
    }

    private static boolean isWaitSound(FrameHeaderFlyweight header, WaitFlyweight frame) {
        boolean isOfChannel = header.channelId() != FrameHeaderFlyweight.NO_CHANNEL;
        boolean isOfItself = header.scopeId() == 0
                && header.firstTargetWorker() == header.sourceWorker()
                && header.targetWorkerCount() == 1
                && frame.bytesWanted() == 0;
        return switch (frame.state()) {
            case WAITING -> isOfChannel;
            case STALLED -> !isOfChannel && isOfItself;
            case OVER -> isOfChannel || isOfItself;
        };
    }

    private Verdict onWait(FrameHeaderFlyweight header, WaitFlyweight frame) {
        if (isBeforeStart()) {
            return illegal(FrameType.WAIT);
        }
        int first = header.firstTargetWorker();
        int count = header.targetWorkerCount();
        if (!peer.holds(header.sourceWorker(), 1)
                || first < 0
                || count < 1
                || first > own.processCount() * own.workersPerProcess() - count) {
            return violated("WAIT of worker=" + header.sourceWorker() + " for workers=" + first + "+" + count
                    + ": not one of the peer's workers, or no such workers in the cluster");
        }
        if (!isWaitSound(header, frame)) {
            return violated("WAIT of worker=" + header.sourceWorker() + " state=" + frame.state() + " on channel="
                    + header.channelId() + " for workers=" + first + "+" + count
                    + ": a push waits on a channel, a stalled worker on none and for itself");
        }
        news = new WaitNews(
                header.sourceWorker(),
                header.scopeId(),
                header.channelId(),
                first,
                count,
                frame.waitNumber(),
                frame.waitedNs(),
                frame.bytesWanted(),
                frame.state(),
                frame.stack());
        return sent == Stage.ABORTED ? Verdict.CONTINUE : Verdict.WAITING;
    }

    /** {@return what the peer told of a waiting push, after WAITING} */
    WaitNews news() {
        return news;
    }

    private Verdict onNotice(FrameHeaderFlyweight header, DirectBuffer buffer, int payload) {
        if (isBeforeStart()) {
            return illegal(FrameType.NOTICE);
        }
        int source = header.sourceWorker();
        int target = header.firstTargetWorker();
        int count = header.targetWorkerCount();
        if (source != FrameHeaderFlyweight.NO_WORKER && !peer.holds(source, 1) || count != 1 || !own.holds(target, 1)) {
            return violated("NOTICE of worker=" + source + " for workers=" + target + "+" + count
                    + ": not from the peer or one of its workers to one of ours");
        }
        notice = receiveNotices.admit(header, buffer, payload);
        if (notice == null) {
            return violated(receiveNotices.fault(header));
        }
        return sent == Stage.ABORTED ? Verdict.CONTINUE : Verdict.NOTICED;
    }

    /** {@return what has come, after NOTICED} */
    Notice notice() {
        return notice;
    }

    private Verdict onCredit(FrameHeaderFlyweight header, CreditFlyweight frame) {
        Stage r = received;
        if (r.isBefore(Stage.READY) || !isAtLeast(sent, Stage.READY)) {
            return illegal(FrameType.CREDIT);
        }
        if (sent == Stage.ABORTED) {
            return Verdict.CONTINUE;
        }
        String fault = header.channelId() == FrameHeaderFlyweight.NO_CHANNEL
                ? sendNotices.onCredit(header, frame)
                : sendLanes.onCredit(header, frame);
        return fault == null ? Verdict.CONTINUE : violated(fault);
    }

    private boolean isGreeted() {
        return sent != Stage.NOTHING && received != Stage.NOTHING;
    }

    private Verdict onHeartbeat(HeartbeatFlyweight frame, long nowNs) {
        if (!isGreeted()) {
            return illegal(FrameType.HEARTBEAT);
        }
        heartbeats.onHeard(frame, peer.workersPerProcess(), nowNs);
        return Verdict.CONTINUE;
    }

    private Verdict onHello(FrameHeaderFlyweight header, HelloFlyweight hello) {
        if (!isConnected || received != Stage.NOTHING || header.hasFlags(FrameFlags.REPLY) != (role == Role.DIALLER)) {
            return illegal(FrameType.HELLO);
        }
        peer = Hello.read(hello);
        received = Stage.GREETED;
        return Verdict.GREETED;
    }

    private Verdict onRefuse(RefuseFlyweight refuse) {
        if (!isConnected || received != Stage.NOTHING || role != Role.DIALLER) {
            return illegal(FrameType.REFUSE);
        }
        refusal = new Refusal(refuse.reason(), refuse.generation(), refuse.text());
        received = Stage.REFUSED;
        return Verdict.REFUSED;
    }

    private Verdict onReady(ReadyFlyweight ready) {
        if (received != Stage.GREETED || sent == Stage.NOTHING) {
            return illegal(FrameType.READY);
        }
        if (!isForUs(ready)) {
            return violated("READY for generation=" + ready.generation() + " of another instance; ours is generation="
                    + own.generation());
        }
        received = Stage.READY;
        return Verdict.PEER_READY;
    }

    boolean isForUs(ReadyFlyweight ready) {
        return ready.generation() == own.generation() && ready.receiverNonce() == own.nonce();
    }

    private Verdict onHangUp(FrameHeaderFlyweight header, HangupFlyweight hangUp) {
        boolean isConfirm = header.hasFlags(FrameFlags.CONFIRM);
        boolean isLegal = isConfirm
                ? received == Stage.HUNG_UP && isAtLeast(sent, Stage.HUNG_UP)
                : received == Stage.READY && isAtLeast(sent, Stage.READY);
        if (!isLegal) {
            return illegal(FrameType.HANGUP);
        }
        if (!hasAllArrived(hangUp)) {
            return violated("HANGUP says dataFrames=" + hangUp.framesSent() + " dataBytes=" + hangUp.bytesSent()
                    + " but dataFrames=" + receivedDataFrames + " dataBytes=" + receivedDataBytes + " arrived");
        }
        ReceiveLane torn = receiveLanes == null ? null : receiveLanes.amidMessage();
        if (torn != null) {
            return violated("HANGUP amid a message: DATA on " + torn.address() + " has not ended");
        }
        if (!isConfirm) {
            received = Stage.HUNG_UP;
            hasPeerHungUp = true;
            return Verdict.PEER_HUNG_UP;
        }
        if (!hasAllBeenReceived(hangUp)) {
            return violated("HANGUP confirms dataFrames=" + hangUp.framesReceived() + " dataBytes="
                    + hangUp.bytesReceived() + " but dataFrames=" + sentDataFrames + " dataBytes=" + sentDataBytes
                    + " were sent");
        }
        received = Stage.CONFIRMED;
        return Verdict.PEER_CONFIRMED;
    }

    boolean hasAllArrived(HangupFlyweight hangUp) {
        return hangUp.framesSent() == receivedDataFrames && hangUp.bytesSent() == receivedDataBytes;
    }

    boolean hasAllBeenReceived(HangupFlyweight hangUp) {
        return hangUp.framesReceived() == sentDataFrames && hangUp.bytesReceived() == sentDataBytes;
    }

    private Verdict onAbort(AbortFlyweight abort) {
        if (!isGreeted()) {
            return illegal(FrameType.ABORT);
        }
        if (abort.failedProcess() >= own.processCount() || abort.seenByProcess() >= own.processCount()) {
            return violated("ABORT names process " + abort.failedProcess() + " seen by " + abort.seenByProcess()
                    + " of processCount=" + own.processCount());
        }
        peerCause = CauseCodec.decode(abort, peer.processIndex());
        received = Stage.ABORTED;
        return Verdict.ABORTED;
    }

    /**
     * The stream has ended, by FIN, reset or error.
     *
     * @return ENDED if everything had been said, LOST otherwise
     */
    Verdict onEndOfStream() {
        hasEnded = true;
        return isAtLeast(received, Stage.CONFIRMED) ? Verdict.ENDED : Verdict.LOST;
    }

    /**
     * {@return whether the peer has answered a heartbeat that was sent after a moment} Then it was alive after it. A byte that is read after it
     * says nothing: it may have lain here for long.
     *
     * @param sinceNs the moment
     */
    boolean hasAnsweredSince(long sinceNs) {
        return heartbeats.hasAnsweredSince(sinceNs);
    }

    /** {@return whether the peer has said its last or its stream has ended: what was heard before is no sign of life any more} */
    boolean hasEnded() {
        return hasEnded || isAtLeast(received, Stage.CONFIRMED);
    }

    private Verdict illegal(FrameType type) {
        if (sent == Stage.ABORTED) {
            return Verdict.CONTINUE; // we have said why already; the end of the peer's stream is still to be read
        }
        return violated(type + " is not legal in state " + state() + " (sent=" + sent + " received=" + received + ")");
    }

    private Verdict violated(String text) {
        violation = text;
        return Verdict.VIOLATED;
    }

    /** {@return what the peer did wrong, after VIOLATED} */
    String violation() {
        return violation;
    }

    /** {@return why the peer does not talk to us, after REFUSED} */
    Refusal refusal() {
        return refusal;
    }

    /** {@return the first cause that the peer reported, after ABORTED} */
    Cause peerCause() {
        return peerCause;
    }

    // ---- ticks

    /**
     * Time has passed.
     *
     * @param nowNs the time
     * @return SILENT if the peer still owes us bytes and none came for the silence time-out
     */
    Verdict onTick(long nowNs) {
        boolean isOwed = isConnected && received.isBefore(Stage.CONFIRMED);
        return isOwed && silence.isSilent(nowNs) ? Verdict.SILENT : Verdict.CONTINUE;
    }

    /** {@return how long nothing has come, ns} */
    long silenceNs(long nowNs) {
        return silence.silenceNs(nowNs);
    }

    /** This process itself was suspended: the peer gets a fresh time-out. */
    void forgive(long nowNs) {
        silence.forgive(nowNs);
    }

    long receivedBytes() {
        return receivedBytes;
    }

    /** {@return the latest round trip that heartbeats told, ns, 0 if none yet} */
    long roundTripNs() {
        return heartbeats.roundTripNs();
    }
}
