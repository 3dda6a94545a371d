package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.CauseKind;
import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameFlags;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.RecordDescriptor;
import io.hawser.framing.StreamDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Two sessions, one that dials and one that accepts, with a wire in each direction between them, in virtual time. */
final class SessionPair {
    static final long TICK_NS = Hellos.INTERVAL_NS / 4;
    private static final long DELAY_MAX_NS = 20_000_000;
    private static final int MESSAGE_MIN = Long.BYTES;
    private static final int CHANNEL = 0;

    /** Room for the longest message and a half. */
    private static final long SMALL_WINDOW = 16 * 1_024;

    final VirtualTime time;
    final Random random;
    final End dialler;
    final End acceptor;
    private final long channelWindow;

    SessionPair(Random random, Mutant mutant) {
        this.random = random;
        this.channelWindow = random.nextBoolean() ? SMALL_WINDOW : Hellos.CHANNEL_WINDOW;
        this.time = new VirtualTime(startNs(random));
        this.dialler = new End(mutant, Session.Role.DIALLER);
        this.acceptor = new End(mutant, Session.Role.ACCEPTOR);
        dialler.connect(acceptor);
        acceptor.connect(dialler);
    }

    /** Anywhere, and often close to where the clock overflows. */
    static long startNs(Random random) {
        return random.nextBoolean() ? random.nextLong() : Long.MAX_VALUE - random.nextLong(4_000_000_000L);
    }

    List<End> ends() {
        return List.of(dialler, acceptor);
    }

    /** Lets time pass until both ends are over, or the limit is reached. */
    void run(long limitNs) {
        ends().forEach(End::start);
        while (!(dialler.isOver() && acceptor.isOver()) && time.step(limitNs)) {
            // on
        }
    }

    private Hello hello(int process) {
        return Hellos.spoken(process, 1 - process)
                .windows(channelWindow, Hellos.LINK_WINDOW)
                .hello();
    }

    /** One side: the session, and the least that an owner does with it. */
    final class End implements Wire.Receiver {
        final Session session;
        final List<Long> received = new ArrayList<>();
        long pushed;
        long lastHeardNs;
        long overNs;
        String seen = "";
        Session.Verdict verdict;

        private final FrameDecoder decoder = new FrameDecoder();
        private final StreamDecoder stream = new StreamDecoder(decoder);
        private final FrameEncoder encoder = new FrameEncoder();
        private final UnsafeBuffer control = new UnsafeBuffer(new byte[8 * 1_024]);
        private final WindowPool windows = new WindowPool(0, 0, new VirtualClock(() -> time.nowNs()));
        private SendLane lane;
        private int nextLength = randomLength();
        private Wire out;
        private boolean isReadingOver;
        private boolean isSendingOver;

        private End(Mutant mutant, Session.Role role) {
            int process = role == Session.Role.ACCEPTOR ? 0 : 1;
            this.session = mutant.session(role, hello(process), new FrameEncoder(), time.nowNs());
        }

        private void connect(End other) {
            out = new Wire(time, random, random.nextLong(DELAY_MAX_NS), 1 + random.nextLong(DELAY_MAX_NS), other);
        }

        Wire out() {
            return out;
        }

        boolean isClean() {
            return session.state() == Session.State.CLOSED;
        }

        boolean isOver() {
            return isReadingOver && isSendingOver;
        }

        private void start() {
            lastHeardNs = time.nowNs();
            session.onConnected(time.nowNs());
            pump();
            tick();
        }

        private void tick() {
            if (isOver()) {
                return;
            }
            if (session.onTick(time.nowNs()) == Session.Verdict.SILENT) {
                end(Session.Verdict.SILENT, "nothing came");
            }
            pump();
            time.after(TICK_NS, this::tick);
        }

        void push(int messages) {
            pushed += messages;
            pump();
        }

        void hangUp() {
            session.hangUp();
            pump();
        }

        private void pump() {
            while (!isSendingOver) {
                if (isHungUpBothWays()) {
                    session.confirm();
                }
                boolean isDrained = session.sentDataFrames() == pushed;
                int length = session.poll(control, 0, isDrained, time.nowNs());
                length += session.pollCredits(control, length, control.capacity() - length);
                if (length > 0) {
                    out.carry(Arrays.copyOf(control.byteArray(), length));
                } else if (session.maySendData() && !isDrained && hasCredit()) {
                    sendMessage();
                } else {
                    break;
                }
            }
            if (session.isSendingDone() && !isSendingOver) {
                isSendingOver = true;
                out.carryEnd(false);
            }
        }

        private int randomLength() {
            return MESSAGE_MIN + random.nextInt(random.nextInt(10) == 0 ? 4_000 : 40);
        }

        private boolean hasCredit() {
            int recordLength = RecordDescriptor.recordLength(nextLength);
            return lane.creditBytes()
                    >= FrameHeaderFlyweight.alignedLength(FrameHeaderFlyweight.HEADER_LENGTH + recordLength);
        }

        private boolean isHungUpBothWays() {
            return session.sent() == Session.Stage.HUNG_UP
                    && !session.received().isBefore(Session.Stage.HUNG_UP);
        }

        private void sendMessage() {
            int length = nextLength;
            nextLength = randomLength();
            UnsafeBuffer frame = new UnsafeBuffer(new byte[length + 64]);
            int payload = encoder.data(frame, 0, FrameFlags.RECORDS | FrameFlags.CHECKED);
            encoder.header()
                    .channelId(CHANNEL)
                    .sourceWorker(session.own().firstWorker())
                    .targets(session.peer().firstWorker(), 1);
            frame.putLong(RecordDescriptor.begin(frame, payload, length), session.sentDataFrames());
            int aligned = encoder.end(RecordDescriptor.recordLength(length));
            int frameLength = FrameHeaderFlyweight.HEADER_LENGTH + RecordDescriptor.recordLength(length);
            lane.charge(aligned);
            session.sealData(frame, 0, frameLength, encoder.payloadCheck(frame, 0));
            out.carry(Arrays.copyOf(frame.byteArray(), aligned));
        }

        @Override
        public void arrive(byte[] chunk) {
            if (isReadingOver) {
                return;
            }
            lastHeardNs = time.nowNs();
            session.onBytes(chunk.length, time.nowNs());
            FrameFault fault = stream.feed(new UnsafeBuffer(chunk), 0, chunk.length, this::onFrame);
            if (fault != FrameFault.NONE && !isReadingOver) {
                end(Session.Verdict.VIOLATED, stream.faultText());
            }
            pump();
        }

        private void onFrame(FrameHeaderFlyweight header, DirectBuffer buffer, int payload, int length) {
            if (isReadingOver) {
                return;
            }
            Session.Verdict now = session.onFrame(header, buffer, payload, time.nowNs());
            switch (now) {
                case GREETED -> onGreeted();
                case DELIVER -> {
                    received.add(buffer.getLong(payload + RecordDescriptor.PREFIX_LENGTH));
                    consumeLater(header);
                }
                case PEER_CONFIRMED -> stopReading();
                case VIOLATED -> end(now, session.violation());
                case ABORTED -> end(now, session.peerCause().seen());
                case REFUSED -> end(now, session.refusal().text());
                default -> {
                    // nothing to do
                }
            }
        }

        private void consumeLater(FrameHeaderFlyweight header) {
            ReceiveLane from = session.lane();
            int worker = header.firstTargetWorker();
            int bytes = ReceiveLane.chargeOf(header);
            time.after(random.nextLong(DELAY_MAX_NS), () -> {
                from.consumed(worker, bytes);
                pump();
            });
        }

        private void onGreeted() {
            decoder.agreed(session.own().frameLimit(), true).recordWalk(true);
            session.admit(session.own());
            session.openLanes(windows, () -> {}, new StoppedScopes());
            LaneAddress address = new LaneAddress(
                    0, CHANNEL, session.own().firstWorker(), session.peer().firstWorker(), 1);
            lane = session.sendLanes().add(new SendLane(address, null, channelWindow));
            time.after(random.nextLong(DELAY_MAX_NS), () -> {
                session.readyUp();
                pump();
            });
        }

        @Override
        public void arriveEnd(boolean isReset) {
            if (!isReadingOver) {
                end(session.onEndOfStream(), "the stream ended");
                pump();
            }
        }

        private void end(Session.Verdict newVerdict, String newlySeen) {
            verdict = newVerdict;
            seen = newlySeen;
            stopReading();
            Cause cause = Cause.builder(CauseKind.PEER_LOST)
                    .subjectProcess(1 - session.own().processIndex())
                    .observerProcess(session.own().processIndex())
                    .generation(Hellos.GENERATION)
                    .seen(newVerdict + ": " + newlySeen)
                    .build();
            session.settle(cause, cause);
            pump();
            if (!isSendingOver) { // never greeted: there is nobody to say it to
                isSendingOver = true;
                out.carryEnd(false);
            }
        }

        private void stopReading() {
            isReadingOver = true;
            overNs = time.nowNs();
        }

        @Override
        public String toString() {
            return session.role() + " " + session.state() + " verdict=" + verdict + " (" + seen + ") sent=" + pushed
                    + " received=" + received.size();
        }
    }
}
