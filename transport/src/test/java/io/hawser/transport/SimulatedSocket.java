package io.hawser.transport;

import java.util.ArrayDeque;

/**
 * One end of a simulated connection, and the kernel that keeps it: what has arrived waits to be read; who closes it with something
 * unread, or gets something after closing it, answers with a reset, which costs the other end what it has not read yet.
 */
final class SimulatedSocket implements Wire.Receiver {
    private final ArrayDeque<byte[]> unread = new ArrayDeque<>();
    private Wire out;
    private long openedNs;
    private Runnable reader = () -> {};
    private boolean hasEnded;
    private boolean isReset;
    private boolean isClosed;
    private boolean isOutputShut;

    void connect(Wire wire, long nowNs) {
        out = wire;
        openedNs = nowNs;
    }

    /** {@return when the connection came about, whoever has looked at it since, ns since the start of time} */
    long openedNs() {
        return openedNs;
    }

    /** Whom to tell that there is something to read. */
    void onReadable(Runnable newReader) {
        reader = newReader;
    }

    // ---- the owner

    /** Returns whether the kernel took it. */
    boolean write(byte[] bytes) {
        if (isClosed || isReset || isOutputShut) {
            return false;
        }
        out.carry(bytes);
        return true;
    }

    /** {@return the next piece, null if none is there} */
    byte[] read() {
        return unread.poll();
    }

    /** {@return whether the stream has ended and everything was read} */
    boolean isAtEnd() {
        return hasEnded && unread.isEmpty();
    }

    boolean isReset() {
        return isReset;
    }

    void shutdownOutput() {
        isOutputShut = true;
        out.carryEnd(false);
    }

    void close() {
        if (!isClosed) {
            isClosed = true;
            out.carryEnd(!unread.isEmpty());
            unread.clear();
        }
    }

    /** The machine is gone, without a word. */
    void vanish() {
        isClosed = true;
        unread.clear();
        out.silence();
    }

    // ---- the wire

    @Override
    public void arrive(byte[] chunk) {
        if (isClosed) {
            out.carryEnd(true);
        } else if (!hasEnded) {
            unread.add(chunk);
            reader.run();
        }
    }

    @Override
    public void arriveEnd(boolean isByReset) {
        hasEnded = true;
        if (isByReset) {
            isReset = true;
            unread.clear();
        }
        reader.run();
    }
}
