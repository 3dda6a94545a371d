package io.hawser.transport;

import io.hawser.fate.Health;
import io.hawser.framing.FrameEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The send thread of one link: control frames that the session says are due, then what the workers have published in their
 * rings. It alone writes to the socket.
 *
 * <p><em>Threading:</em> {@link #run} is the body of one thread; the rest may be called by any.
 */
final class SendAgent implements Runnable, SendWaker {
    /** Room for the longest control frame, ABORT, and made at the start so that it can leave when the heap is full. */
    private static final int CONTROL_LENGTH = 8 * 1024;

    /**
     * Bytes of one gathering write: bounds how long a control frame waits behind data that is being written. Not a setting: beyond what the
     * kernel takes at once more would gain nothing, and what bounds the wait on a slow network is the kernel's own send buffer.
     */
    private static final int WRITE_LIMIT = 256 * 1024;

    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private final Link link;
    private final Session session;
    private final SocketChannel channel;
    private final Health health;
    private final MemoryAccount account;
    private final ByteBuffer controlBytes;
    private final UnsafeBuffer control;
    private final AgentProbe probe;

    /** Set by this thread around parking; read by the workers after they have published. */
    private volatile boolean isAsleep;

    private volatile long sentBytes;
    private volatile long dataFrames;

    private boolean isAborting;

    /** Whether a frame has been numbered that may not have been written whole: nothing can follow it. */
    private boolean isMidFrame;

    private final FrameSealer sealer;
    private ByteBuffer[] stretches = {};
    private int[] stretchLengths = {};
    private int firstRing;

    SendAgent(Link link, MemoryAccount account) {
        this.account = account;
        this.link = link;
        this.session = link.session();
        this.channel = link.channel();
        this.health = link.owner().health();
        this.probe = AgentProbe.current();
        this.sealer = session::sealData;
        this.controlBytes = account.allocate(CONTROL_LENGTH);
        this.control = new UnsafeBuffer(controlBytes);
        // the first ABORT would load classes, for which a full heap has no room
        CauseCodec.encode(new FrameEncoder(), control, 0, link.owner().rehearsalCause());
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
            try {
                link.releaseRings();
            } finally {
                release();
                link.onSenderEnded();
            }
        }
    }

    /** Gives the memory back: the last thing that its thread does, or, if that never starts, whoever finds that out. */
    void release() {
        account.free(controlBytes);
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
        if (!isAborting && health.isLost()) {
            isAborting = true;
            session.abort(health.rootCause());
        }
        boolean isDrained = session.isHangUpWanted() && areRingsEnded();
        int length = session.poll(control, 0, isDrained, nowNs);
        if (length > 0) {
            isMidFrame = true;
            controlBytes.clear().limit(length);
            writeFully(controlBytes);
            isMidFrame = false;
            count(length);
        }
        int sent = session.maySendData() && !isAborting ? sendData() : 0;
        if (length == 0 && sent == 0) {
            sleep(nowNs);
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
            int room = WRITE_LIMIT - total;
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
            channel.write(bytes);
        }
    }

    private void writeFully(ByteBuffer[] bytes, int total) throws IOException {
        long rest = total;
        while (rest > 0) {
            rest -= channel.write(bytes);
        }
    }

    private void count(int bytes) {
        sentBytes = sentBytes() + bytes;
        dataFrames = session.sentDataFrames();
    }

    private void sleep(long nowNs) {
        isAsleep = true;
        // a worker publishes, then reads isAsleep; we set isAsleep, then look at what is published: one of us sees the
        // other
        if (hasNothingPublished()) {
            LockSupport.parkNanos(this, Math.max(1, session.sleepNs(nowNs)));
        }
        isAsleep = false;
    }

    private boolean hasNothingPublished() {
        for (SendRingDrain ring : link.rings()) {
            if (!ring.isDrained()) {
                return !session.maySendData();
            }
        }
        return true;
    }

    @Override
    public void wakeIfAsleep() {
        if (isAsleep) {
            LockSupport.unpark(link.sendThread());
        }
    }

    long sentBytes() {
        return sentBytes;
    }

    long dataFrames() {
        return dataFrames;
    }
}
