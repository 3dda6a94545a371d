package io.hawser.transport;

import io.hawser.fate.Cause;
import io.hawser.fate.Health;
import io.hawser.framing.FrameEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sending half of one link, and its thread: control frames that the session says are due, then what the workers have published in their
 * rings. While the thread sleeps a worker may write what it has just published by itself; whoever holds the half is alone in it.
 *
 * <pre>
 *             nothing to send            published
 *    THREAD ------------------> NOBODY --------------> WORKER
 *      ^  ^------------------------'  ^-----------------'  |
 *      |         woken, or time        the socket took all |
 *      '---------------------------------------------------'
 *                  the socket is full: the thread goes on
 * </pre>
 *
 * <p><em>Threading:</em> {@link #run} is the body of one thread; {@link #onPublished} is called by workers, the rest by any.
 */
final class SendAgent implements Runnable, SendWaker {
    /** Room for the longest control frame, ABORT, and made at the start so that it can leave when the heap is full. */
    static final int CONTROL_LENGTH = 8 * 1024;

    /**
     * Bytes of one gathering write: bounds how long a control frame waits behind data that is being written. Not a setting: beyond what the
     * kernel takes at once more would gain nothing, and what bounds the wait on a slow network is the kernel's own send buffer.
     */
    private static final int WRITE_LIMIT = 256 * 1024;

    /** A write that waits longer has met a slow path. A receive thread that is behind on the same machine takes less. */
    private static final long SLOW_WRITE_NS = 2_000_000;

    /** Calls; several times as many as a write takes, JDK included. */
    private static final int STACK_PROBE_DEPTH = 300;

    private static final int NOBODY = 0;
    private static final int THREAD = 1;
    private static final int WORKER = 2;

    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private final Link link;
    private final Session session;
    private final SocketChannel channel;
    private final Readiness writable;
    private final Health health;
    private final MemoryAccount account;
    private final ByteBuffer controlBytes;
    private final UnsafeBuffer control;
    private final AgentProbe probe;

    /** Who has the sending half: this thread, or while it sleeps nobody or a worker. Everything not volatile here belongs to the holder. */
    private final AtomicInteger holder = new AtomicInteger(THREAD);

    /** Volatile; this thread wants the half back from a worker. */
    private volatile boolean isThreadWaiting;

    /** Whether a worker failed in the middle of a write, otherwise than by the socket. */
    private boolean isTorn;

    /** The ring whose stretch a worker has begun to write, null if none. */
    private SendRingDrain unfinished;

    private volatile long sentBytes;
    private volatile long dataFrames;

    private boolean isAborting;

    /** Whether the last write had to wait for long: then a single frame is written at a time, so that control waits for no more than that (L8). */
    private boolean isSlow;

    /** Whether a frame has been numbered that may not have been written whole: nothing can follow it. */
    private boolean isMidFrame;

    private final FrameSealer sealer;
    private ByteBuffer[] stretches = {};
    private int[] stretchLengths = {};
    private int firstRing;

    SendAgent(Link link, Readiness writable, MemoryAccount account) {
        this.account = account;
        this.link = link;
        this.writable = writable;
        this.session = link.session();
        this.channel = link.channel();
        this.health = link.owner().health();
        this.probe = AgentProbe.current();
        this.sealer = session::sealData;
        // the first ABORT would load classes, for which a full heap has no room
        CauseCodec.encode(
                new FrameEncoder(),
                new UnsafeBuffer(new byte[CONTROL_LENGTH]),
                0,
                link.owner().rehearsalCause());
        this.controlBytes = account.allocate(CONTROL_LENGTH);
        this.control = new UnsafeBuffer(controlBytes);
    }

    @Override
    public void run() {
        try {
            send(probe);
        } catch (IOException e) {
            noteFailure(e);
        } catch (Throwable t) {
            link.owner().onThreadFailed("send-to-" + link.peer(), t);
            tellBeforeEnding();
        } finally {
            end();
        }
    }

    /** Whatever fails on the way, for want of memory, say, the half ends. */
    private void end() {
        try {
            link.releaseRings();
        } finally {
            try {
                link.onSenderEnded();
            } finally {
                release();
            }
        }
    }

    /** Gives memory and selector back: the last thing that its thread does, or, if that never starts, whoever finds that out. */
    void release() {
        try {
            account.free(controlBytes);
        } finally {
            writable.close();
        }
    }

    private void send(AgentProbe cycleProbe) throws IOException {
        while (!link.isClosed() && !session.isSendingDone()) {
            cycleProbe.onCycle("send", link.peer());
            dutyCycle(link.owner().clock().nanoTime());
        }
        if (!link.isClosed()) {
            channel.shutdownOutput();
        }
    }

    /** The thread is broken, but its stream may be whole: then the peer is still told the cause, by a thread that has nothing else to do. */
    private void tellBeforeEnding() {
        if (isMidFrame) {
            link.close();
            return;
        }
        try {
            send(AgentProbe.NONE);
        } catch (IOException e) {
            noteFailure(e);
        } catch (Throwable t) {
            link.close(); // the second failure in a row: the peer has to do with an end of stream
        }
    }

    private void noteFailure(IOException e) {
        if (!link.isClosed()) {
            link.onSendFailed(e);
        }
    }

    private void dutyCycle(long nowNs) throws IOException {
        finishWorkersWrite();
        if (!isAborting && health.isLost()) {
            isAborting = true;
            letOthersGoFirst();
            session.abort(health.rootCause());
        }
        boolean isDrained = session.isHangUpWanted() && areRingsEnded();
        int length = session.poll(control, 0, isDrained, nowNs);
        writeControl(length);
        length += sendCredits();
        length += sendLarge();
        int sent = session.maySendData() && !isAborting ? sendData() : 0;
        if (length == 0 && sent == 0) {
            sleep(nowNs);
        }
    }

    private int sendCredits() throws IOException {
        int total = 0;
        int length;
        do {
            length = session.pollCredits(control, 0, CONTROL_LENGTH);
            writeControl(length);
            total += length;
        } while (length > 0 && total < Notice.WINDOW && session.areNoticesDue());
        return total;
    }

    /** A GO may be as long as a frame of data, and comes so seldom that its memory is not kept. */
    private int sendLarge() throws IOException {
        int length = session.largeLength();
        if (length == 0) {
            return 0;
        }
        ByteBuffer bytes = account.allocate(length);
        try {
            isMidFrame = true;
            bytes.clear().limit(session.pollLarge(new UnsafeBuffer(bytes)));
            writeFully(bytes);
            isMidFrame = false;
            count(length);
        } finally {
            account.free(bytes);
        }
        return length;
    }

    /** Writes what the session has put into the control buffer. */
    private void writeControl(int length) throws IOException {
        if (length > 0) {
            isMidFrame = true;
            controlBytes.clear().limit(length);
            writeFully(controlBytes);
            isMidFrame = false;
            count(length);
        }
    }

    /**
     * Where another process is to blame, its other peers mostly see that by themselves: the workers that have just been woken, and those peers on the
     * same machine, need the processor more than this ABORT does. What this process alone knows is told at once.
     */
    @SuppressWarnings(
            "ThreadPriorityCheck") // nothing relies on it: where the hint is ignored, the ABORT goes out at once
    private void letOthersGoFirst() {
        Cause first = health.firstCause();
        if (first.subjectProcess() != session.own().processIndex()) {
            Thread.yield();
        }
    }

    /** Whether nothing is left and nothing can come: a ring that its worker has not closed yet holds the hang-up back. */
    private boolean areRingsEnded() {
        for (SendRingDrain ring : link.rings()) {
            if (!ring.isEnded()) {
                return false;
            }
        }
        return true;
    }

    private int sendData() throws IOException {
        SendRingDrain[] rings = link.rings();
        if (stretches.length != rings.length) {
            stretches = new ByteBuffer[rings.length];
            stretchLengths = new int[rings.length];
        }
        int total = 0;
        isMidFrame = true;
        for (int i = 0; i < rings.length; i++) {
            SendRingDrain ring = rings[(firstRing + i) % rings.length];
            int room = (isSlow ? 1 : WRITE_LIMIT) - total;
            stretchLengths[i] = room <= 0 ? 0 : ring.sealPublished(sealer, room);
            stretches[i] = stretchLengths[i] == 0 ? EMPTY : ring.stretch();
            total += stretchLengths[i];
        }
        if (total > 0) {
            writeFully(stretches, total);
            for (int i = 0; i < rings.length; i++) {
                if (stretchLengths[i] > 0) {
                    rings[(firstRing + i) % rings.length].consumed(stretchLengths[i]);
                }
            }
            count(total);
            firstRing = (firstRing + 1) % rings.length; // one worker's flood must not keep the others' rings waiting
        }
        isMidFrame = false;
        return total;
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                writable.await();
            }
        }
    }

    private void writeFully(ByteBuffer[] bytes, int total) throws IOException {
        long rest = total - channel.write(bytes);
        isSlow = rest > 0 && isSlow(bytes, rest);
    }

    /** Writes what the socket did not take at once; returns whether that took long. */
    private boolean isSlow(ByteBuffer[] bytes, long total) throws IOException {
        long startNs = link.owner().clock().nanoTime();
        long rest = total;
        while (rest > 0) {
            long written = channel.write(bytes);
            rest -= written;
            if (written == 0) {
                writable.await();
            }
        }
        return link.owner().clock().nanoTime() - startNs > SLOW_WRITE_NS;
    }

    private void count(int bytes) {
        sentBytes = sentBytes() + bytes;
        dataFrames = session.sentDataFrames();
    }

    // ---- who sends

    private void sleep(long nowNs) {
        long sleepNs = Math.max(1, session.sleepNs(nowNs));
        holder.set(NOBODY);
        // a worker publishes, then reads the holder; we let go, then look at what is published: one of us sees the
        // other
        if (hasNothingPublished() && !session.areCreditsDue()) {
            LockSupport.parkNanos(this, sleepNs);
        }
        takeBack();
    }

    /** A worker holds the sending half for one write that does not wait, so this does not wait long. */
    private void takeBack() {
        while (holder.get() != THREAD && !holder.compareAndSet(NOBODY, THREAD)) {
            isThreadWaiting = true;
            if (holder.get() == WORKER) {
                LockSupport.park(this);
            }
        }
        isThreadWaiting = false;
    }

    private boolean hasNothingPublished() {
        for (SendRingDrain ring : link.rings()) {
            if (!ring.isDrained()) {
                return !session.maySendData();
            }
        }
        return true;
    }

    /**
     * A worker that flushes sends by itself if the thread sleeps: waking it would cost more than the write ("Sockets do not block" in ARCHITECTURE.md
     * has the figures of {@code ./hawser bench W3}). One that goes on pushing leaves it to the thread, which runs beside it. What the socket does not
     * take is the thread's, too.
     */
    @Override
    public void onPublished(SendRingDrain ring, boolean isUrgent) {
        if (isThreadWaiting || holder.get() != NOBODY) {
            return; // whoever has the half, or waits for it, looks at what is published before it sleeps
        }
        if (!isUrgent) {
            LockSupport.unpark(link.sendThread());
        } else if (probeStack(STACK_PROBE_DEPTH) > 0 && holder.compareAndSet(NOBODY, WORKER)) {
            sendAsWorker(ring);
        }
    }

    private void sendAsWorker(SendRingDrain ring) {
        boolean isWhole = false;
        try {
            isWhole = writeAsWorker(ring);
        } catch (IOException e) {
            isWhole = false; // the send thread will meet the same, and judge it
        } catch (Throwable t) {
            isTorn = true; // nobody knows what was numbered and written; that the worker panics costs the health
            throw t;
        } finally {
            letGo(isWhole && !ring.isEnded());
        }
    }

    /**
     * Runs into the end of the worker's stack, if that is near, before anything is held that would have to be let go: user code may recurse as deep
     * as it likes before it flushes, and a stack that ends between numbering a frame and writing it would tear the stream.
     */
    private static int probeStack(int depth) {
        return depth == 0 ? 0 : 1 + probeStack(depth - 1);
    }

    private void letGo(boolean isAllDone) {
        boolean isForThread = !isAllDone
                || isThreadWaiting; // no worker may come before a thread that waits, with a heartbeat perhaps (L8)
        holder.set(isForThread ? THREAD : NOBODY);
        // whoever published or began to wait meanwhile saw us at it
        if (isForThread || isThreadWaiting || !hasNothingPublished()) {
            LockSupport.unpark(link.sendThread());
        }
    }

    private boolean writeAsWorker(SendRingDrain ring) throws IOException {
        if (!session.maySendData() || health.isLost() || link.isClosed()) {
            return false;
        }
        // first, so that whatever fails from here on leaves the send thread a half that it can finish or knows to be
        // torn
        isMidFrame = true;
        unfinished = ring;
        int length = ring.sealPublished(sealer, WRITE_LIMIT);
        int written = length == 0 ? 0 : channel.write(ring.stretch());
        ring.consumed(written);
        count(written);
        if (written < length) {
            return false;
        }
        unfinished = null;
        isMidFrame = false;
        return true;
    }

    /** What a worker has begun to send has been numbered: it goes first. */
    private void finishWorkersWrite() throws IOException {
        SendRingDrain ring = unfinished;
        if (ring == null) {
            return;
        }
        if (isTorn) {
            link.close();
            throw new ClosedChannelException();
        }
        int length = ring.sealPublished(sealer, 0);
        writeFully(ring.stretch());
        ring.consumed(length);
        count(length);
        unfinished = null;
        isMidFrame = false;
    }

    /** Ends the current wait for room in the socket. */
    void wake() {
        writable.wake();
    }

    long sentBytes() {
        return sentBytes;
    }

    long dataFrames() {
        return dataFrames;
    }
}
