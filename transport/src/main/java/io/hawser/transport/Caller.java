package io.hawser.transport;

import io.hawser.framing.Excerpt;
import io.hawser.framing.FrameDecoder;
import io.hawser.framing.FrameFault;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.FrameType;
import io.hawser.framing.Stranger;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection that is not greeted yet, dialled or accepted: at most one HELLO's bytes of memory, no thread.
 *
 * <p><em>Threading:</em> the greet thread only.
 */
final class Caller {
    private static final int HELLO_LIMIT = FrameType.HELLO.maxLength(0);
    private static final int PLAUSIBLE_LENGTH = 8;

    /** What a read brought. */
    enum Progress {
        MORE,
        FRAME,
        END,
        STRANGE
    }

    private final SocketChannel channel;
    private final Session session;
    private final int target;
    private final SocketAddress remote;
    private final long deadlineNs;
    private final FrameDecoder decoder = new FrameDecoder();
    private final FrameHeaderFlyweight header = new FrameHeaderFlyweight();
    private final ByteBuffer bytes = ByteBuffer.allocate(HELLO_LIMIT);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private String fault = "";
    private Session.Verdict verdict = Session.Verdict.CONTINUE;

    /**
     * A connection in its first moments.
     *
     * @param channel    non-blocking
     * @param session    its session
     * @param target     process that we dialled, -1 if it dialled us
     * @param remote     where it leads to or comes from
     * @param deadlineNs when it has to be greeted
     */
    Caller(SocketChannel channel, Session session, int target, SocketAddress remote, long deadlineNs) {
        this.channel = channel;
        this.session = session;
        this.target = target;
        this.remote = remote;
        this.deadlineNs = deadlineNs;
    }

    SocketChannel channel() {
        return channel;
    }

    Session session() {
        return session;
    }

    /** {@return the process that we dialled, -1 if it dialled us} */
    int target() {
        return target;
    }

    boolean isDialled() {
        return target >= 0;
    }

    SocketAddress remote() {
        return remote;
    }

    long deadlineNs() {
        return deadlineNs;
    }

    boolean isSilent() {
        return bytes.position() == 0;
    }

    /** Reads what is there, but never beyond the first frame: what follows belongs to the link. */
    Progress read(long nowNs) throws IOException {
        while (true) {
            bytes.limit(Math.min(bytes.capacity(), decoder.requiredLength()));
            int count = channel.read(bytes);
            if (count < 0) {
                return Progress.END;
            }
            Progress progress = judge(nowNs);
            if (progress != Progress.MORE || count == 0) {
                return progress;
            }
        }
    }

    private Progress judge(long nowNs) {
        int available = bytes.position();
        if (available >= PLAUSIBLE_LENGTH && !isPlausible()) {
            fault = "not a Hawser peer";
            return Progress.STRANGE;
        }
        int length = decoder.decode(buffer, 0, available);
        if (length < 0) {
            fault = decoder.describe(FrameFault.of(length), buffer, 0, available);
            return Progress.STRANGE;
        }
        if (length == 0) {
            return Progress.MORE;
        }
        session.onBytes(length, nowNs);
        header.wrap(buffer, 0);
        verdict = session.onFrame(header, buffer, FrameHeaderFlyweight.HEADER_LENGTH, nowNs);
        if (verdict == Session.Verdict.VIOLATED) {
            fault = session.violation();
            return Progress.STRANGE;
        }
        return Progress.FRAME;
    }

    /** Most strangers give themselves away in their first bytes: no need to wait for as many as a header has. */
    private boolean isPlausible() {
        header.wrap(buffer, 0);
        int length = header.frameLength();
        FrameType type = FrameType.of(header.typeNumber());
        return length >= FrameHeaderFlyweight.HEADER_LENGTH
                && length <= HELLO_LIMIT
                && header.version() == FrameHeaderFlyweight.VERSION
                && (type == FrameType.HELLO || type == FrameType.REFUSE);
    }

    /** {@return GREETED or REFUSED once a frame has come} */
    Session.Verdict verdict() {
        return verdict;
    }

    /** {@return why this is no peer, after STRANGE} */
    String fault() {
        return fault;
    }

    Stranger stranger() {
        return Stranger.of(buffer, 0, bytes.position());
    }

    String excerpt() {
        return Excerpt.of(buffer, 0, bytes.position());
    }

    /** Writes the session's due frame; a fresh socket takes it whole, and one that does not is not worth waiting for. */
    boolean send(long nowNs) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(HELLO_LIMIT);
        int length = session.poll(new UnsafeBuffer(out), 0, false, nowNs);
        out.limit(length);
        channel.write(out);
        return length > 0 && !out.hasRemaining();
    }
}
