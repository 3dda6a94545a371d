package io.hawser.transport;

import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameHeaderFlyweight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receive thread of one link: reads big into a slab, decodes in place, shows each frame to the session, hands DATA to the
 * workers. It never waits for a worker, so that whatever stands behind the data is always seen.
 *
 * <p><em>Threading:</em> {@link #run} is the body of one thread; the rest may be called by any.
 */
final class ReceiveAgent implements Runnable {
    /** A read into less room than this is not worth its system call: the rest moves to a new slab. */
    private static final int READ_MIN = 16 * 1024;

    /** After a read of this much the next bytes are probably there: reading is tried before waiting, else it is not. Either saves a system call. */
    private static final int FLOW_MIN = 4 * 1024;

    /** So many slabs more than the link window fills are handed out in slices; beyond that payloads are copied, see {@link LaneCells}. */
    static final int SLABS_SLICED = 8;

    private final Link link;
    private final Session session;
    private final LinkOwner owner;
    private final SocketChannel channel;
    private final Readiness readable;
    private final SlabPool pool;
    private final long slicedMax;
    private final LaneCells cells;
    private final FrameDecoder decoder;
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private final AgentProbe probe;

    /** Made at the start, since memory may be what has run out. On the heap: the JDK keeps a small direct buffer for it. */
    private final ByteBuffer trash = ByteBuffer.allocate(4 * 1024);

    private Slab slab;
    private int readIndex;
    private int writeIndex;
    private boolean isStarted;
    private boolean isFlowing;

    /** Whether decoding has ended before the stream: what still comes is taken and thrown away. */
    private boolean isSpoilt;

    /** Whether the thread waits in the socket: only then is silence the peer's. */
    private volatile boolean isReading;

    private volatile long dataFrames;

    ReceiveAgent(Link link, ClusterConfig config, SlabPool pool, LaneCells cells, Readiness readable) {
        this.slicedMax = slicedMax(config);
        this.link = link;
        this.cells = cells;
        this.readable = readable;
        this.session = link.session();
        this.owner = link.owner();
        this.channel = link.channel();
        this.pool = pool;
        Hello own = session.own();
        Hello peer = session.peer();
        this.decoder = new FrameDecoder()
                .agreed(Math.min(own.frameLimit(), peer.frameLimit()), own.payloadChecks() || peer.payloadChecks())
                .recordWalk(true);
        this.probe = AgentProbe.current();
    }

    /** With windows full of unread messages slices are as good as copies: only where they lie thinly in more slabs than that they are copied. */
    private static long slicedMax(ClusterConfig config) {
        return config.channelWindow() == ClusterConfig.UNBOUNDED
                ? Long.MAX_VALUE
                : SLABS_SLICED + config.linkWindow() / config.slabLength();
    }

    @Override
    public void run() {
        String seen = null;
        try {
            slab = pool.acquire();
            seen = receive();
        } catch (IOException e) {
            seen = "the connection broke (" + e.getMessage() + ")";
        } catch (Throwable t) {
            owner.onThreadFailed("recv-from-" + link.peer(), t);
            isSpoilt = true;
        } finally {
            end(seen);
        }
    }

    /** Whatever fails on the way, the half ends, and with it whoever waits for that. */
    private void end(String seen) {
        try {
            if (slab != null) {
                slab.release();
            }
            session.receiveLanes().close();
            if (isSpoilt) {
                drain();
            }
            if (seen != null && session.onEndOfStream() == Session.Verdict.LOST) {
                onLost(seen);
            }
        } catch (Throwable t) {
            owner.onThreadFailed("recv-from-" + link.peer(), t);
        } finally {
            try {
                link.heardOut();
                link.onHalfEnded();
            } finally {
                readable.close();
            }
        }
    }

    /** Ends the current wait for bytes. */
    void wake() {
        readable.wake();
    }

    /** The thread never started. */
    void abandon() {
        readable.close();
    }

    /**
     * Takes what the peer still sends, to no use: were it left unread, the kernel would answer with a reset, which may overtake
     * the ABORT that tells the peer why. The peer's own end, or the watch, ends it.
     */
    private void drain() {
        link.heardOut();
        try {
            int count = 0;
            while (count >= 0) {
                trash.clear();
                count = channel.read(trash);
                if (count == 0) {
                    readable.await();
                }
            }
        } catch (IOException e) {
            Logs.LINK.trace("the end of the connection to process {}", link.peer(), e);
        }
    }

    private void onLost(String seen) {
        Link.SendFailure failure = link.sendFailure();
        String evidence = failure == null
                ? ""
                : "; before that a write failed (" + failure.error().getMessage() + ")";
        if (!link.isClosed()) {
            owner.onPeerLost(link, seen + evidence);
        }
        link.close();
    }

    /** Returns what was seen at the end of the stream, null if the link needs no more reading. */
    private String receive() throws IOException {
        int required = FrameHeaderFlyweight.HEADER_LENGTH;
        while (true) {
            probe.onCycle("recv", link.peer());
            makeRoom(required);
            int count = read();
            if (count < 0) {
                return "the connection ended without hang-up"
                        + (writeIndex > readIndex ? " in the middle of a frame" : "");
            }
            long nowNs = owner.clock().nanoTime();
            session.onBytes(count, nowNs);
            int length = decodeAll(nowNs);
            if (length < 0) {
                return null;
            }
            required = decoder.requiredLength();
        }
    }

    private int read() throws IOException {
        ByteBuffer bytes = slab.byteBuffer();
        bytes.limit(slab.length()).position(writeIndex);
        isReading = true;
        if (!isFlowing) {
            readable.await();
        }
        int count = channel.read(bytes);
        while (count == 0) {
            readable.await();
            count = channel.read(bytes);
        }
        isReading = false;
        isFlowing = count >= FLOW_MIN;
        if (count > 0) {
            writeIndex += count;
        }
        return count;
    }

    private void makeRoom(int required) {
        if (readIndex == writeIndex && slab.references() == 1) {
            readIndex = 0; // nobody holds any of it: stay in the memory that the caches know
            writeIndex = 0;
        }
        boolean isTooSmall = slab.length() - readIndex < required;
        if (isTooSmall || slab.length() - writeIndex < Math.min(READ_MIN, slab.length() / 2)) {
            Slab next = pool.acquire();
            int partial = writeIndex - readIndex;
            next.buffer().putBytes(0, slab.buffer(), readIndex, partial);
            slab.release();
            slab = next;
            readIndex = 0;
            writeIndex = partial;
        }
    }

    /** Returns a negative number if the stream needs no more reading. */
    private int decodeAll(long nowNs) {
        UnsafeBuffer buffer = slab.buffer();
        int length = decoder.decode(buffer, readIndex, writeIndex);
        while (length > 0) {
            header.wrap(buffer, readIndex);
            if (!onFrame(buffer, nowNs)) {
                return -1;
            }
            readIndex += length;
            length = decoder.decode(buffer, readIndex, writeIndex);
        }
        isSpoilt |= length < 0;
        if (length < 0 && session.received() != Session.Stage.ABORTED) {
            FrameFault fault = FrameFault.of(length);
            owner.onPeerViolated(
                    link,
                    decoder.describe(fault, buffer, readIndex, writeIndex) + " at stream offset "
                            + (session.receivedBytes() - (writeIndex - readIndex)));
            isSpoilt = true;
        }
        return length;
    }

    /** Returns whether to go on reading. */
    private boolean onFrame(UnsafeBuffer buffer, long nowNs) {
        int payload = readIndex + FrameHeaderFlyweight.HEADER_LENGTH;
        Session.Verdict verdict = session.onFrame(header, buffer, payload, nowNs);
        switch (verdict) {
            case DELIVER -> deliver(payload);
            case NOTICED -> {
                awaitStart();
                if (!link.isDiscarding()) {
                    owner.onNotice(session.notice(), session.receivedNotices());
                }
            }
            case WAITING -> {
                awaitStart();
                if (!link.isDiscarding()) {
                    owner.onWaiting(session.news());
                }
            }
            case PEER_READY -> owner.onPeerReady(link);
            case PEER_HUNG_UP -> {
                awaitStart();
                owner.onPeerHungUp(link);
            }
            case FATED -> {
                awaitStart();
                return isSound(owner.onFate(link, header.scopeId()));
            }
            case CANCEL_ASKED -> {
                awaitStart();
                if (!link.isDiscarding()) {
                    owner.onCancel(link, header.scopeId(), header.sourceWorker());
                }
            }
            case CANCEL_ANSWERED -> {
                if (!link.isDiscarding()) {
                    return isSound(owner.onCancelled(link, header.scopeId()));
                }
            }
            case OFFERED -> {
                awaitStart();
                if (!link.isDiscarding()) {
                    owner.onOffered(link, header, buffer, payload);
                }
            }
            case PEER_CONFIRMED -> {
                return false;
            }
            case ABORTED -> {
                owner.onPeerAborted(link, session.peerCause());
                link.heardOut(); // only now: the watch settles the causes as soon as all links are heard out
            }
            case VIOLATED -> {
                owner.onPeerViolated(link, session.violation());
                isSpoilt = true;
                return false;
            }
            default -> {
                // heartbeats, and what comes after ABORT
            }
        }
        return true;
    }

    /** Returns whether to go on reading. */
    private boolean isSound(String fault) {
        if (fault != null) {
            owner.onPeerViolated(link, fault);
            isSpoilt = true;
        }
        return fault == null;
    }

    private void deliver(int payload) {
        awaitStart();
        if (!link.isDiscarding()) {
            dataFrames = dataFrames() + 1;
            ReceiveLane lane = session.lane();
            if (pool.outCount() < slicedMax) {
                owner.onData(header, slab, payload, lane);
            } else {
                // unread messages pin most of the memory that we read into: one of them may pin a whole slab
                LaneCell cell = cells.withRoom(lane.cell(), header.payloadLength());
                lane.cell(cell);
                owner.onData(header, cell.slab(), cell.put(slab, payload, header.payloadLength()), lane);
            }
        }
    }

    private void awaitStart() {
        if (!isStarted) {
            owner.awaitStart(link);
            isStarted = true;
            session.forgive(owner.clock().nanoTime());
        }
    }

    boolean isReading() {
        return isReading;
    }

    long dataFrames() {
        return dataFrames;
    }
}
