package io.hawser.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.fate.Health;
import io.hawser.fate.ScopeOutcome;
import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.StreamDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two open sessions without threads and sockets: process 1 with the rings of its workers, and process 0, where what arrives lies until the test
 * consumes it. Nothing moves by itself.
 */
final class LanePair implements AutoCloseable {
    static final int FRAME_LIMIT = 4 * 1_024;

    /** What has arrived and is held. */
    record Delivery(ReceiveLane lane, int flags, int charge, byte[] payload) {
        LaneAddress address() {
            return lane.address();
        }

        void consume(int worker) {
            lane.consumed(worker, charge);
        }

        void consume() {
            for (int i = 0; i < address().targetCount(); i++) {
                consume(address().firstTarget() + i);
            }
        }
    }

    /** One side of the connection, without what moves the bytes. */
    private static final class End {
        final Session session;
        final FrameDecoder decoder = new FrameDecoder();
        final StreamDecoder stream = new StreamDecoder(decoder);
        final StoppedScopes stopped = new StoppedScopes();

        End(Session.Role role, Hello own) {
            session = new Session(role, own, new FrameEncoder(), 0);
            session.onConnected(0);
        }
    }

    final MemoryAccount account = new MemoryAccount();
    final Health health = Health.root("lane-pair");
    final List<SendRing> rings = new ArrayList<>();
    final List<Delivery> deliveries = new ArrayList<>();

    /** Every lane that anything has come on. */
    final Set<ReceiveLane> receiveLanes = new LinkedHashSet<>();

    /** What has been heard about scopes, by either side. */
    final List<ScopeWord> words = new ArrayList<>();

    final WindowPool pool;
    long nowNs;
    long creditFrames;

    private final End sender;
    private final End receiver;
    private final int workers;
    private final UnsafeBuffer control = new UnsafeBuffer(new byte[8 * 1_024]);

    LanePair(int workers, long channelWindow, int channels) {
        this(workers, channelWindow, channels, 0, 0, 4 * FRAME_LIMIT);
    }

    LanePair(int workers, long channelWindow, int channels, long floating, long windowMax, int ringLength) {
        this.workers = workers;
        this.pool = new WindowPool(floating, windowMax, new VirtualClock(() -> nowNs));
        long lanes = (long) channels * workers * (workers == 1 ? 1 : workers + 1);
        long linkWindow = channelWindow == ReceiveLane.UNBOUNDED ? ReceiveLane.UNBOUNDED : lanes * channelWindow;
        this.sender = new End(Session.Role.DIALLER, hello(1, channelWindow, linkWindow));
        this.receiver = new End(Session.Role.ACCEPTOR, hello(0, channelWindow, linkWindow));
        while (exchange(sender, receiver) | exchange(receiver, sender)) {
            // until there is nothing more to say
        }
        assertThat(sender.session.state()).isEqualTo(Session.State.OPEN);
        Hello own = sender.session.own();
        Hello peer = sender.session.peer();
        LaneTerms terms =
                new LaneTerms(sender.session.sendLanes(), Lanes.channelWindow(own, peer), Lanes.laneLimit(own, peer));
        for (int worker = own.firstWorker(); worker < own.firstWorker() + workers; worker++) {
            rings.add(new SendRing(
                    ringLength,
                    FRAME_LIMIT,
                    true,
                    new SendRoute(worker, peer.firstWorker(), workers),
                    terms,
                    health,
                    account,
                    (ring, isUrgent) -> {}));
        }
    }

    private Hello hello(int process, long channelWindow, long linkWindow) {
        return Hellos.spoken(process, 1 - process)
                .shape(2, workers)
                .windows(channelWindow, linkWindow)
                .frames(FRAME_LIMIT)
                .hello();
    }

    Session session() {
        return sender.session;
    }

    Session receiverSession() {
        return receiver.session;
    }

    SendRing ring() {
        return rings.get(0);
    }

    StoppedScopes stopped() {
        return sender.stopped;
    }

    StoppedScopes receiverStopped() {
        return receiver.stopped;
    }

    /** A lane of the first worker to the first worker. */
    SendLane lane(int channel) {
        return ring().openLane(0, channel, 0, 1);
    }

    /** The same in a scope. */
    SendLane lane(long scopeId, int channel) {
        return ring().openLane(scopeId, channel, 0, 1);
    }

    /** The sending process says that a scope is cancelled; {@link #tell} lets the other one hear it. */
    void cancel(long scopeId) {
        sender.stopped.add(scopeId);
        sender.session
                .scopeFrames()
                .say(
                        scopeId,
                        ScopeWord.cancelled(1, new ScopeOutcome.Cancelled(1, -1, "enough")),
                        ScopeMembers.all(),
                        null);
    }

    /** Moves what the sending process has to say beside its data. */
    void tell() {
        int length = sender.session.pollCredits(control, 0, control.capacity());
        while (length > 0) {
            feed(receiver, control, length);
            length = sender.session.pollCredits(control, 0, control.capacity());
        }
    }

    /** Moves what is published in all rings, as far as a limit for each. */
    int carry(int maxBytes) {
        int total = 0;
        for (SendRing ring : rings) {
            SendRingDrain drain = ring.drain();
            int length = drain.sealPublished(sender.session::sealData, maxBytes);
            if (length > 0) {
                ByteBuffer stretch = drain.stretch();
                feed(receiver, new UnsafeBuffer(stretch, stretch.position(), length), length);
                drain.consumed(length);
                total += length;
            }
        }
        return total;
    }

    void carryAll() {
        while (carry(Integer.MAX_VALUE) > 0) {
            // on
        }
    }

    /** Moves the credit that is due. */
    void grant() {
        int length = receiver.session.pollCredits(control, 0, control.capacity());
        while (length > 0) {
            feed(sender, control, length);
            length = receiver.session.pollCredits(control, 0, control.capacity());
        }
    }

    void consumeAll() {
        deliveries.forEach(Delivery::consume);
        deliveries.clear();
    }

    /** All moves, until nothing does any more. */
    void settle() {
        long before;
        do {
            before = creditFrames;
            carryAll();
            consumeAll();
            grant();
        } while (creditFrames != before || carry(0) > 0);
    }

    private boolean exchange(End from, End to) {
        int length = from.session.poll(control, 0, false, 0);
        if (length > 0) {
            feed(to, control, length);
        }
        return length > 0;
    }

    private void feed(End to, DirectBuffer bytes, int length) {
        FrameFault fault = to.stream.feed(
                bytes, 0, length, (header, buffer, payload, payloadLength) -> onFrame(to, header, buffer, payload));
        assertThat(fault).as(to.stream.faultText()).isEqualTo(FrameFault.NONE);
    }

    private void onFrame(End at, FrameHeaderFlyweight header, DirectBuffer buffer, int payload) {
        Session session = at.session;
        Session.Verdict verdict = session.onFrame(header, buffer, payload, 0);
        switch (verdict) {
            case GREETED -> {
                at.decoder.agreed(FRAME_LIMIT, true).recordWalk(true);
                session.admit(session.own());
                session.openLanes(pool, () -> {}, at.stopped);
                session.readyUp();
            }
            case DELIVER -> {
                byte[] bytes = new byte[header.payloadLength()];
                buffer.getBytes(payload, bytes);
                receiveLanes.add(session.lane());
                deliveries.add(new Delivery(session.lane(), header.flags(), ReceiveLane.chargeOf(header), bytes));
            }
            case FATED -> words.add(session.receivedScopes().word());
            case CONTINUE, PEER_READY -> {
                if (header.type() == FrameType.CREDIT) {
                    creditFrames++;
                } else if (header.type() == FrameType.DATA) {
                    receiveLanes.add(session.lane());
                }
            }
            default -> throw new AssertionError(verdict + ": " + session.violation());
        }
    }

    @Override
    public void close() {
        for (SendRing ring : rings) {
            ring.close();
            ring.drain().release();
        }
        assertThat(account.liveBytes()).isZero();
    }
}
