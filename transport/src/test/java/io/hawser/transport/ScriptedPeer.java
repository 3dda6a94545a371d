package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.framing.AbortFlyweight;
import io.hawser.framing.CancelAnswer;
import io.hawser.framing.CancelOrigin;
import io.hawser.framing.CreditFlyweight;
import io.hawser.framing.FateFlyweight;
import io.hawser.framing.FragmentDescriptor;
import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.HangupFlyweight;
import io.hawser.framing.HeartbeatFlyweight;
import io.hawser.framing.RecordDescriptor;
import io.hawser.framing.RefuseReason;
import io.hawser.framing.RejectPolicy;
import io.hawser.framing.WaitState;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The other side of a session under test: shows it whatever frame it is told to, right or wrong, and reads what the session polls.
 * Unless told otherwise the session is that of process 0 if it accepts, of process 1 if it dials, and the peer is the other one. Every
 * frame passes the decoder in between, so that what is judged here is the protocol and not the bytes.
 */
final class ScriptedPeer {
    private static final int FRAME_LIMIT = 1 << 16;
    private static final int CHANNEL = 1;

    private final Session session;
    private final Session.Role role;
    private final Hello ownHello;
    private final Hello sessionHello;
    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameEncoder sessionEncoder = new FrameEncoder();
    private final FrameDecoder decoder =
            new FrameDecoder().agreed(FRAME_LIMIT, true).recordWalk(true);
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[FRAME_LIMIT]);
    private final UnsafeBuffer polled = new UnsafeBuffer(new byte[FRAME_LIMIT]);

    private final WindowPool pool = new WindowPool(0, 0, new VirtualClock(this::nowNs));

    /** Of the session's process. */
    final StoppedScopes stopped = new StoppedScopes();

    private long nowNs;
    private long scopeId;
    private long sequence;
    private long dataFrames;
    private long dataBytes;
    private long heardSequence;
    private int lastAt;
    private long heardDataFrames;
    private long heardDataBytes;

    /** A peer of a session in state CONNECTING. */
    ScriptedPeer(Session.Role role, long nowNs) {
        this(
                role,
                role == Session.Role.ACCEPTOR ? Hellos.of(0) : Hellos.of(1),
                role == Session.Role.ACCEPTOR ? Hellos.of(1) : Hellos.of(0),
                nowNs);
    }

    /** The same between any two. */
    ScriptedPeer(Session.Role role, Hello session, Hello own, long nowNs) {
        this.role = role;
        this.nowNs = nowNs;
        this.sessionHello = session.to(own.processIndex());
        this.ownHello = own.to(session.processIndex());
        this.session = new Session(role, sessionHello, sessionEncoder, nowNs);
    }

    /** The peer of a session that the test has made. */
    ScriptedPeer(Session session, Hello own, long nowNs) {
        this.role = session.role();
        this.nowNs = nowNs;
        this.sessionHello = session.own();
        this.ownHello = own.to(sessionHello.processIndex());
        this.session = session;
    }

    Session session() {
        return session;
    }

    Hello hello() {
        return ownHello;
    }

    boolean isDialled() {
        return role == Session.Role.DIALLER;
    }

    long nowNs() {
        return nowNs;
    }

    ScriptedPeer advance(long ns) {
        nowNs += ns;
        return this;
    }

    /** The next frame will have this sequence, those behind it count on. */
    ScriptedPeer sequence(long next) {
        sequence = next;
        return this;
    }

    long nextSequence() {
        return sequence;
    }

    /** All frames from now on belong to this scope. */
    ScriptedPeer scope(long id) {
        scopeId = id;
        return this;
    }

    // ---- states

    ScriptedPeer connected() {
        session.onConnected(nowNs);
        return this;
    }

    /** HELLOs have gone both ways: READY. */
    ScriptedPeer greeted() {
        connected();
        if (isDialled()) {
            assertThat(poll()).isEqualTo(FrameType.HELLO);
            assertThat(sendHello()).isEqualTo(Session.Verdict.GREETED);
        } else {
            assertThat(sendHello()).isEqualTo(Session.Verdict.GREETED);
            session.admit(sessionHello);
            assertThat(poll()).isEqualTo(FrameType.HELLO);
        }
        assertThat(session.state()).isEqualTo(Session.State.READY);
        session.openLanes(pool, () -> {}, stopped);
        return this;
    }

    /** READY has gone both ways: OPEN. */
    ScriptedPeer open() {
        greeted().session.readyUp();
        assertThat(poll()).isEqualTo(FrameType.READY);
        assertThat(sendReady()).isEqualTo(Session.Verdict.PEER_READY);
        assertThat(session.state()).isEqualTo(Session.State.OPEN);
        return this;
    }

    // ---- what the peer sends

    Session.Verdict sendHello() {
        return sendHello(isDialled());
    }

    Session.Verdict sendHello(boolean isReply) {
        ownHello.encode(encoder, buffer, 0, isReply);
        return show();
    }

    Session.Verdict sendReady() {
        return sendReady(sessionHello.generation(), sessionHello.nonce());
    }

    Session.Verdict sendReady(long generation, long nonce) {
        encoder.ready(buffer, 0).generation(generation).receiverNonce(nonce);
        encoder.end();
        return show();
    }

    Session.Verdict sendData(int messageLength) {
        return sendData(messageLength, ownHello.firstWorker(), sessionHello.firstWorker(), Hellos.WORKERS);
    }

    Session.Verdict sendData(int messageLength, int source, int target, int count) {
        int length = layData(encoder, buffer, messageLength, source, target, count);
        dataFrames++;
        dataBytes += length;
        return show();
    }

    /** A DATA frame with any flags and payload, from the peer's first worker to the session's first. */
    Session.Verdict sendPayload(int flags, UnsafeBuffer payload) {
        return sendPayload(flags, payload, 1);
    }

    private Session.Verdict sendPayload(int flags, UnsafeBuffer payload, int targets) {
        int at = encoder.data(buffer, 0, flags | FrameFlags.CHECKED);
        encoder.header()
                .channelId(CHANNEL)
                .sourceWorker(ownHello.firstWorker())
                .targets(sessionHello.firstWorker(), targets);
        buffer.putBytes(at, payload, 0, payload.capacity());
        encoder.end(payload.capacity());
        dataFrames++;
        dataBytes += FrameHeaderFlyweight.HEADER_LENGTH + payload.capacity();
        return show();
    }

    /** A fragment; a first one tells the length of the whole message. */
    Session.Verdict sendFragment(boolean isBegin, boolean isEnd, long messageLength, int bytes) {
        return sendFragment(isBegin, isEnd, messageLength, bytes, 1);
    }

    Session.Verdict sendFragment(boolean isBegin, boolean isEnd, long messageLength, int bytes, int targets) {
        UnsafeBuffer payload = new UnsafeBuffer(new byte[bytes + (isBegin ? FragmentDescriptor.PREFIX_LENGTH : 0)]);
        if (isBegin) {
            FragmentDescriptor.begin(payload, 0, messageLength);
        }
        return sendPayload((isBegin ? FrameFlags.BEGIN : 0) | (isEnd ? FrameFlags.END : 0), payload, targets);
    }

    Session.Verdict sendLast() {
        return sendPayload(FrameFlags.RECORDS | FrameFlags.LAST, new UnsafeBuffer(new byte[0]));
    }

    /** A push of the peer's first worker waits for the session's first. */
    Session.Verdict sendWait() {
        encoder.waiting(buffer, 0)
                .waitNumber(3)
                .waitedNs(2_000_000_000)
                .bytesWanted(4_096)
                .state(WaitState.WAITING);
        encoder.header().channelId(CHANNEL).sourceWorker(ownHello.firstWorker()).targets(sessionHello.firstWorker(), 1);
        encoder.end();
        return show();
    }

    /** A WAIT of whatever content, of the scope that is set. */
    Session.Verdict sendWait(
            WaitState state, int channel, int source, int firstTarget, int targetCount, long bytes, String stack) {
        encoder.waiting(buffer, 0)
                .waitNumber(3)
                .waitedNs(2_000_000_000)
                .bytesWanted(bytes)
                .state(state)
                .stack(stack);
        encoder.header().channelId(channel).sourceWorker(source).targets(firstTarget, targetCount);
        encoder.end();
        return show();
    }

    /** Grants more on the lane of the session's first worker that leads to all of the peer's. */
    Session.Verdict sendCredit() {
        if (session.sendLanes() != null) {
            sendingLane(ownHello.firstWorker(), Hellos.WORKERS);
        }
        return sendCredit(FrameHeaderFlyweight.NO_WORKER, sessionHello.firstWorker(), Hellos.CHANNEL_WINDOW, 0);
    }

    Session.Verdict sendCredit(int granter, int source, long limit, long consumed) {
        encoder.credit(buffer, 0).creditLimit(limit).bytesConsumed(consumed);
        encoder.header().channelId(CHANNEL).sourceWorker(granter).targets(source, 1);
        encoder.end();
        return show();
    }

    Session.Verdict sendNotice() {
        return sendNotice(ownHello.firstWorker(), sessionHello.firstWorker(), 1, 8);
    }

    Session.Verdict sendNotice(int source, int target, int count, int length) {
        encoder.notice(buffer, 0).kind(6).opaque(new UnsafeBuffer(new byte[length]), 0, length);
        encoder.header().sourceWorker(source).targets(target, count);
        encoder.end();
        return show();
    }

    /** Grants more notices. */
    Session.Verdict sendNoticeCredit(int granter, long limit, long consumed) {
        encoder.credit(buffer, 0).creditLimit(limit).bytesConsumed(consumed);
        encoder.header().channelId(Notice.NO_CHANNEL).sourceWorker(granter);
        encoder.end();
        return show();
    }

    Session.Verdict sendHeartbeat() {
        return sendHeartbeat(nowNs, 0, 0);
    }

    Session.Verdict sendHeartbeat(long clockNs, long echoNs, long echoAgeNs) {
        encoder.heartbeat(buffer, 0)
                .clockNs(clockNs)
                .echoClockNs(echoNs)
                .echoAgeNs(echoAgeNs)
                .workerCount(0);
        encoder.end();
        return show();
    }

    Session.Verdict sendHangUp() {
        return sendHangUp(dataFrames, dataBytes);
    }

    Session.Verdict sendHangUp(long frames, long bytes) {
        encoder.hangup(buffer, 0, false).framesSent(frames).bytesSent(bytes);
        encoder.end();
        return show();
    }

    Session.Verdict sendConfirm() {
        return sendConfirm(dataFrames, dataBytes, heardDataFrames, heardDataBytes);
    }

    Session.Verdict sendConfirm(long framesSent, long bytesSent, long framesReceived, long bytesReceived) {
        encoder.hangup(buffer, 0, true)
                .framesSent(framesSent)
                .bytesSent(bytesSent)
                .framesReceived(framesReceived)
                .bytesReceived(bytesReceived);
        encoder.end();
        return show();
    }

    Session.Verdict sendAbort(Cause cause) {
        CauseCodec.encode(encoder, buffer, 0, cause);
        return show();
    }

    /** Seals one for whoever puts it on a wire; returns its length. */
    int writeAbort(UnsafeBuffer into, Cause cause) {
        CauseCodec.encode(encoder, into, 0, cause);
        encoder.seal(into, 0, sequence++);
        return new FrameHeaderFlyweight().wrap(into, 0).alignedLength();
    }

    Session.Verdict sendAbort() {
        return sendAbort(cause(ownHello.processIndex(), 1_000));
    }

    Session.Verdict sendRefuse(RefuseReason reason, long generation) {
        encoder.refuse(buffer, 0)
                .reason(reason)
                .generation(generation)
                .processIndex(ownHello.processIndex())
                .text("because of " + reason);
        encoder.end();
        return show();
    }

    /** A word of the peer about a scope, or of somebody else. */
    Session.Verdict sendFate(ScopeWord word, ScopeMembers members) {
        FateFlyweight fate = encoder.fate(buffer, 0).word(word.process(), word.kind(), members.longs());
        if (word.cancel() != null) {
            fate.cancelled(
                    word.cancel().byProcess(),
                    word.cancel().byWorker(),
                    word.cancel().reason());
        }
        if (word.cause() != null) {
            CauseCodec.put(fate.cause(), word.cause());
        }
        encoder.end();
        return show();
    }

    Session.Verdict sendFate(ScopeWord word) {
        return sendFate(word, ScopeMembers.all());
    }

    /** The peer wants a scope to end, for the whole process. */
    Session.Verdict sendCancel() {
        return sendCancel(FrameHeaderFlyweight.NO_WORKER, 0, CancelOrigin.USER, FrameHeaderFlyweight.NO_CHANNEL);
    }

    Session.Verdict sendCancel(int worker, long attemptId, CancelOrigin origin, int channelId) {
        encoder.cancel(buffer, 0).attemptId(attemptId).origin(origin).text("enough");
        encoder.header().channelId(channelId).sourceWorker(worker);
        encoder.end();
        return show();
    }

    Session.Verdict sendCancelled(CancelAnswer answer, long attemptId) {
        encoder.cancelled(buffer, 0).attemptId(attemptId).answer(answer);
        encoder.end();
        return show();
    }

    /** A frame about work that is offered, for our first worker if it is a START. */
    Session.Verdict sendOffer(FrameType type) {
        return sendOffer(type, 1, session.own().firstWorker(), 1);
    }

    Session.Verdict sendOffer(FrameType type, long attemptId, int firstTarget, int targetCount) {
        switch (type) {
            case START -> encoder.start(buffer, 0).attemptId(attemptId);
            case ACCEPT -> encoder.accept(buffer, 0).attemptId(attemptId);
            case REJECT -> encoder.reject(buffer, 0).attemptId(attemptId).policy(RejectPolicy.ELSEWHERE);
            case GO -> encoder.go(buffer, 0).attemptId(attemptId);
            default -> throw new IllegalArgumentException("not about an offer: type=" + type);
        }
        if (type == FrameType.START) {
            encoder.header().targets(firstTarget, targetCount);
        }
        encoder.end();
        return show();
    }

    /** What is a violation in any state. */
    Session.Verdict sendNonsense() {
        long before = scopeId;
        scope(0);
        Session.Verdict verdict = sendOffer(FrameType.GO);
        scope(before);
        return verdict;
    }

    private Session.Verdict show() {
        header.wrap(buffer, 0).scopeId(scopeId);
        encoder.seal(buffer, 0, sequence++);
        int length = decoder.decode(buffer, 0, buffer.capacity());
        assertThat(length).as("a frame that a decoder lets pass").isPositive();
        session.onBytes(length, nowNs);
        header.wrap(buffer, 0);
        return session.onFrame(header, buffer, FrameHeaderFlyweight.HEADER_LENGTH, nowNs);
    }

    // ---- what the session sends

    FrameType poll() {
        return poll(true);
    }

    /** {@return the type of the control frame that is due, null if none is} */
    FrameType poll(boolean isDrained) {
        int length = session.poll(polled, 0, isDrained, nowNs);
        return length == 0 ? null : take(length);
    }

    /** The session's process sends a message, as its send thread does. */
    void sessionSendsData(int messageLength) {
        assertThat(session.maySendData()).isTrue();
        int length = layData(
                sessionEncoder,
                polled,
                messageLength,
                sessionHello.firstWorker(),
                ownHello.firstWorker(),
                Hellos.WORKERS);
        sendingLane(ownHello.firstWorker(), Hellos.WORKERS).charge(FrameHeaderFlyweight.alignedLength(length));
        session.sealData(polled, 0, length, sessionEncoder.payloadCheck(polled, 0));
        assertThat(take(FrameHeaderFlyweight.alignedLength(length))).isEqualTo(FrameType.DATA);
        heardDataFrames++;
        heardDataBytes += length;
    }

    /** The session's end of a lane from its first worker; opened if need be. */
    SendLane sendingLane(int target, int count) {
        LaneAddress address = new LaneAddress(scopeId, CHANNEL, sessionHello.firstWorker(), target, count);
        return session.sendLanes().add(new SendLane(address, null, Lanes.channelWindow(session.own(), session.peer())));
    }

    private FrameType take(int length) {
        assertThat(decoder.decode(polled, 0, length)).isEqualTo(length);
        FrameHeaderFlyweight frame = new FrameHeaderFlyweight().wrap(polled, 0);
        assertThat(frame.sequence()).isEqualTo(heardSequence++);
        assertThat(frame.scopeId() == 0 || frame.type() == FrameType.DATA || frame.type() == FrameType.FATE)
                .as("%s of scope %d", frame.type(), frame.scopeId())
                .isTrue();
        return frame.type();
    }

    /** Polls CREDIT frames into so much room; {@return how many came} The first is to be looked at. */
    int pollCredits(int room) {
        return pollCredits(room, FrameType.CREDIT);
    }

    /** How many frames of one type it sends beside its data, and no others. */
    int pollCredits(int room, FrameType type) {
        int length = session.pollCredits(polled, 0, room);
        int count = 0;
        FrameHeaderFlyweight frame = new FrameHeaderFlyweight();
        for (int at = 0; at < length; at += frame.alignedLength()) {
            assertThat(decoder.decode(polled, at, length)).isPositive();
            assertThat(frame.wrap(polled, at).type()).isEqualTo(type);
            assertThat(frame.sequence()).isEqualTo(heardSequence++);
            count++;
        }
        return count;
    }

    /** What it sends beside its data into so much room, each as its type and scope. The last one is to be looked at. */
    List<String> pollBeside(int room) {
        int length = session.pollCredits(polled, 0, room);
        List<String> frames = new ArrayList<>();
        FrameHeaderFlyweight frame = new FrameHeaderFlyweight();
        for (int at = 0; at < length; at += frame.alignedLength()) {
            assertThat(decoder.decode(polled, at, length)).isPositive();
            assertThat(frame.wrap(polled, at).sequence()).isEqualTo(heardSequence++);
            frames.add(frame.type() + " " + frame.scopeId());
            lastAt = at;
        }
        return frames;
    }

    /** The last word that {@link #pollBeside} has brought. */
    ScopeWord polledWord() {
        int length = new FrameHeaderFlyweight().wrap(polled, lastAt).payloadLength();
        return ScopeWord.read(
                new FateFlyweight().wrap(polled, lastAt + FrameHeaderFlyweight.HEADER_LENGTH, length),
                sessionHello.processIndex());
    }

    CreditFlyweight polledCredit() {
        return new CreditFlyweight().wrap(polled, FrameHeaderFlyweight.HEADER_LENGTH, CreditFlyweight.FIXED_LENGTH);
    }

    FrameHeaderFlyweight polledHeader() {
        return new FrameHeaderFlyweight().wrap(polled, 0);
    }

    HangupFlyweight polledHangUp() {
        return new HangupFlyweight().wrap(polled, FrameHeaderFlyweight.HEADER_LENGTH, HangupFlyweight.FIXED_LENGTH);
    }

    HeartbeatFlyweight polledHeartbeat() {
        return new HeartbeatFlyweight()
                .wrap(polled, FrameHeaderFlyweight.HEADER_LENGTH, HeartbeatFlyweight.FIXED_LENGTH);
    }

    Cause polledAbort() {
        int length = polledHeader().payloadLength();
        return CauseCodec.decode(
                new AbortFlyweight().wrap(polled, FrameHeaderFlyweight.HEADER_LENGTH, length),
                sessionHello.processIndex());
    }

    static int layData(
            FrameEncoder encoder, UnsafeBuffer buffer, int messageLength, int source, int target, int count) {
        int payload = encoder.data(buffer, 0, FrameFlags.RECORDS | FrameFlags.CHECKED);
        encoder.header().channelId(CHANNEL).sourceWorker(source).targets(target, count);
        int end = RecordDescriptor.put(buffer, payload, new UnsafeBuffer(new byte[messageLength]), 0, messageLength);
        encoder.end(end - payload);
        return FrameHeaderFlyweight.HEADER_LENGTH + end - payload;
    }

    /** A DATA frame with one message of 4 bytes, laid without allocation. */
    static void laySmallData(FrameEncoder encoder, UnsafeBuffer buffer, int source, int target) {
        int payload = encoder.data(buffer, 0, FrameFlags.RECORDS | FrameFlags.CHECKED);
        encoder.header().channelId(CHANNEL).sourceWorker(source).targets(target, 1);
        buffer.putInt(RecordDescriptor.begin(buffer, payload, Integer.BYTES), 42);
        encoder.end(RecordDescriptor.recordLength(Integer.BYTES));
    }

    static Cause cause(int observer, long seenAtEpochMs) {
        return Cause.builder(CauseKind.WORKER_PANICKED)
                .subjectProcess(observer)
                .subjectWorker(observer * Hellos.WORKERS)
                .observerProcess(observer)
                .observedAtEpochMs(seenAtEpochMs)
                .generation(Hellos.GENERATION)
                .seen("boom")
                .build();
    }
}
