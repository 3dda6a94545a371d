package io.hawser.transport;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * One direction of a connection, in virtual time: bytes come late, in any pieces, in order, until something is done to it. What
 * is done takes effect at some byte of what is under way.
 */
final class Wire {
    /** The kernel at the far end. */
    interface Receiver {
        void arrive(byte[] chunk);

        /** The stream ends here; by reset, what has not been read yet is lost too. */
        void arriveEnd(boolean isReset);
    }

    /** Somebody who bends the pieces that come by. */
    interface Spoiler {
        List<byte[]> spoil(byte[] chunk);
    }

    private static final int CHUNKS_MAX = 4;
    private static final long NEVER = Long.MAX_VALUE;

    private final VirtualTime time;
    private final Random random;
    private final long delayNs;
    private final long jitterNs;
    private final Receiver receiver;

    private long lastArrivalNs;
    private long carried;
    private long arrived;
    private long cutAt = NEVER;
    private long silentAt = NEVER;
    private long flipAt = NEVER;
    private Tampering tampering;
    private Spoiler spoiler = List::of;
    private boolean isCutByReset;
    private boolean isEndSent;
    private boolean hasEnded;

    Wire(VirtualTime time, Random random, long delayNs, long jitterNs, Receiver receiver) {
        this.time = time;
        this.random = random;
        this.delayNs = delayNs;
        this.jitterNs = jitterNs;
        this.receiver = receiver;
        this.lastArrivalNs = time.nowNs();
    }

    void carry(byte[] written) {
        if (isEndSent) {
            return;
        }
        byte[] bytes = tampering == null ? written : tampering.pass(written);
        int from = 0;
        for (int rest = random.nextInt(CHUNKS_MAX); rest > 0 && from < bytes.length; rest--) {
            int to = from + random.nextInt(bytes.length - from + 1);
            launch(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
        launch(Arrays.copyOfRange(bytes, from, bytes.length));
    }

    /** The sender ends the stream. */
    void carryEnd(boolean isReset) {
        if (!isEndSent) {
            isEndSent = true;
            schedule(() -> end(isReset));
        }
    }

    private void launch(byte[] piece) {
        for (byte[] chunk : spoiler.spoil(piece)) {
            if (chunk.length > 0) {
                carried += chunk.length;
                schedule(() -> arrive(chunk));
            }
        }
    }

    private void schedule(Runnable arrival) {
        long dueNs = time.nowNs() + delayNs + (jitterNs == 0 ? 0 : random.nextLong(jitterNs));
        if (dueNs - lastArrivalNs > 0) {
            lastArrivalNs = dueNs;
        }
        time.after(lastArrivalNs - time.nowNs(), arrival);
    }

    private void arrive(byte[] chunk) {
        long first = arrived;
        arrived += chunk.length;
        if (hasEnded) {
            return;
        }
        if (flipAt >= first && flipAt < arrived) {
            chunk[(int) (flipAt - first)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        long passing = Math.min(arrived, Math.min(cutAt, silentAt)) - first;
        if (passing > 0) {
            receiver.arrive(passing < chunk.length ? Arrays.copyOf(chunk, (int) passing) : chunk);
        }
        if (arrived >= cutAt) {
            end(isCutByReset);
        }
    }

    private void end(boolean isReset) {
        if (!hasEnded && silentAt == NEVER) {
            hasEnded = true;
            receiver.arriveEnd(isReset);
        }
    }

    void spoil(Spoiler by) {
        spoiler = by;
    }

    private long somewhereUnderWay() {
        return arrived + (carried == arrived ? 0 : random.nextInt((int) (carried - arrived) + 1));
    }

    /** Somebody between the two ends cuts the connection: some bytes under way still arrive, then the end does. */
    void cut(boolean isReset) {
        if (!hasEnded && cutAt == NEVER) {
            isCutByReset = isReset;
            isEndSent = true;
            cutAt = somewhereUnderWay();
            if (cutAt == arrived) {
                end(isReset);
            }
        }
    }

    /** What is sent from now on comes late, but all of it. */
    void stall(long durationNs) {
        long dueNs = time.nowNs() + durationNs;
        lastArrivalNs = dueNs - lastArrivalNs > 0 ? dueNs : lastArrivalNs;
    }

    /** From some byte on nothing arrives any more, not even an end. */
    void silence() {
        silentAt = Math.min(silentAt, somewhereUnderWay());
    }

    /** One bit of the bytes under way, or of those that come next, arrives inverted. */
    void flip() {
        flipAt = arrived + random.nextInt((int) (carried - arrived) + 64);
    }

    /** Somebody between the two ends understands the frames, and takes one message out without a trace in them. */
    void tamper() {
        tampering = tampering == null ? new Tampering() : tampering;
    }

    boolean hasTampered() {
        return tampering != null && tampering.hasTaken();
    }
}
