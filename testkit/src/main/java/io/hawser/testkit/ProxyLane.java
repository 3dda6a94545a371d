package io.hawser.testkit;

import io.hawser.framing.FrameType;
import java.time.Duration;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * One direction through a {@link FaultProxy}, and what is done to it. Orders add up, until {@link #pass()} takes them all back. Positions count the bytes of each
 * connection from 0, indexes its frames; what is ordered for a position or a frame happens in each connection that gets there.
 *
 * <p><em>Threading:</em> any thread. Orders hold for open connections and for later ones, from the next bytes on.
 */
public final class ProxyLane {
    private static final long NOWHERE = -1;

    /** Another delay or rate is taken notice of within this time. */
    private static final long CHANGE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** At a limited rate one write takes this time, unless it is of one byte: the flow is smooth, and changes are noticed. */
    private static final int WRITES_PER_SECOND = 50;

    private final String name;

    private boolean isStalled;
    private boolean isSwallowing;
    private long delayNs;
    private long rate = Long.MAX_VALUE;
    private long rateFreeAtNs;
    private int trickleLength = Integer.MAX_VALUE;
    private long trickleIntervalNs;
    private long flipOffset = NOWHERE;
    private int flipBit;
    private long cutOffset = Long.MAX_VALUE;
    private Cut cut = Cut.FIN;
    private FrameCut frameCut;
    private long passedBytes;
    private long position;
    private final long[] passedFrames = new long[FrameType.values().length];

    /**
     * The frame to be cut at.
     *
     * @param type  null for any
     * @param index how many of that type go before it
     * @param how   to end the connection
     */
    record FrameCut(FrameType type, long index, Cut how) {
        int lengthBefore(final FrameFinder finder, final byte[] bytes, final int offset, final int available) {
            return finder.lengthBefore(type, index, bytes, offset, available);
        }
    }

    ProxyLane(final String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Forwards again, at once and unspoilt; first of all what a stall has kept. Takes back all other orders; connections that were cut stay so. */
    public synchronized void pass() {
        isStalled = false;
        isSwallowing = false;
        delayNs = 0;
        rate = Long.MAX_VALUE;
        rateFreeAtNs = 0;
        trickleLength = Integer.MAX_VALUE;
        trickleIntervalNs = 0;
        flipOffset = NOWHERE;
        cutOffset = Long.MAX_VALUE;
        frameCut = null;
        notifyAll();
    }

    /** A black hole one way: forwards nothing, ends neither, and takes little more, so that the writer's socket fills up. */
    public synchronized void stall() {
        isStalled = true;
    }

    /** Takes everything and forwards nothing, an end neither: the writer notices nothing, the reader hears nothing. What was swallowed is lost. */
    public synchronized void swallow() {
        isSwallowing = true;
    }

    /**
     * Forwards what arrives only after a time, in order. What is under way may be 256 KiB for each connection; beyond that the writer has to wait.
     *
     * @param time from arrival to departure, 0 or more
     */
    public synchronized void delay(final Duration time) {
        delayNs = atLeast(0, time.toNanos(), "delayNs");
    }

    /**
     * Forwards no more than so much in a second, all connections together; the writer has to wait.
     *
     * @param bytesPerSecond 1 or more
     */
    public synchronized void limitRate(final long bytesPerSecond) {
        rate = atLeast(1, bytesPerSecond, "bytesPerSecond");
    }

    /**
     * Forwards at most so many bytes in one write, then pauses.
     *
     * @param length   of a write in bytes, 1 or more
     * @param interval of the pause after each write, 0 or more
     */
    public synchronized void trickle(final int length, final Duration interval) {
        trickleLength = (int) atLeast(1, length, "length");
        trickleIntervalNs = atLeast(0, interval.toNanos(), "intervalNs");
    }

    /**
     * Inverts one bit.
     *
     * @param offset of its byte in the stream of a connection
     * @param bit    0 to 7, the least significant first
     */
    public synchronized void flipBit(final long offset, final int bit) {
        flipOffset = atLeast(0, offset, "offset");
        flipBit = Objects.checkIndex(bit, Byte.SIZE);
    }

    /**
     * Forwards the bytes before a position, then cuts the connection towards both sides; one that is beyond it is cut at its next byte.
     *
     * @param offset of the first byte that does not pass, in the stream of a connection
     * @param how    the connection ends
     */
    public synchronized void cutAt(final long offset, final Cut how) {
        cutOffset = atLeast(0, offset, "offset");
        cut = Objects.requireNonNull(how, "how");
    }

    /**
     * Forwards the Hawser frames before one, then cuts the connection towards both sides; one that is beyond it is cut at its next frame. A stream that is none of
     * Hawser's frames, or no longer, is not cut.
     *
     * @param index of the first frame that does not pass: how many go before it in a connection
     * @param how   the connection ends
     */
    public synchronized void cutAtFrame(final long index, final Cut how) {
        frameCut = new FrameCut(null, atLeast(0, index, "index"), Objects.requireNonNull(how, "how"));
    }

    /**
     * As {@link #cutAtFrame(long, Cut)}, but counts the frames of one type only. All others pass.
     *
     * @param type  of the frame
     * @param index of the first frame that does not pass: how many of this type go before it in a connection
     * @param how   the connection ends
     */
    public synchronized void cutAtFrame(final FrameType type, final long index, final Cut how) {
        frameCut = new FrameCut(
                Objects.requireNonNull(type, "type"), atLeast(0, index, "index"), Objects.requireNonNull(how, "how"));
    }

    /**
     * What has gone through.
     *
     * @return bytes passed so far, in all connections; swallowed bytes count
     */
    public synchronized long passedBytes() {
        return passedBytes;
    }

    /**
     * Where the connection that was served last stands.
     *
     * @return the position of its next byte
     */
    public synchronized long position() {
        return position;
    }

    /**
     * Frames that have begun to go through.
     *
     * @param type of the frames
     * @return how many headers have passed so far, in all connections; swallowed ones count
     */
    public synchronized long passedFrames(final FrameType type) {
        return passedFrames[type.ordinal()];
    }

    synchronized void framePassed(final FrameType type) {
        passedFrames[type.ordinal()]++;
    }

    synchronized boolean isSwallowing() {
        return isSwallowing;
    }

    synchronized Cut cut() {
        return cut;
    }

    /** The frame to be cut at, null if there is none. */
    synchronized FrameCut frameCut() {
        return frameCut;
    }

    synchronized void passed(final long newPosition, final int length) {
        position = newPosition;
        passedBytes += length;
    }

    /** The pause after a write that trickles. */
    void awaitInterval(final BooleanSupplier isGone) {
        final long startNs = System.nanoTime();
        park(() -> intervalLeftNs(startNs), isGone);
    }

    private synchronized long intervalLeftNs(final long startNs) {
        return trickleIntervalNs == 0 ? 0 : startNs + trickleIntervalNs - System.nanoTime();
    }

    /** Waits out the delay of something that came at a time, to some 0.1 ms; waiting for a monitor would round it up to whole milliseconds. */
    void awaitTime(final long arrivedNs, final BooleanSupplier isGone) {
        park(() -> delayLeftNs(arrivedNs), isGone);
    }

    private synchronized long delayLeftNs(final long arrivedNs) {
        return delayNs == 0 ? 0 : arrivedNs + delayNs - System.nanoTime();
    }

    /** Waits until so many bytes may go at the limited rate. */
    void awaitRate(final int length, final BooleanSupplier isGone) {
        final long startNs = reserve(length);
        park(() -> rateLeftNs(startNs), isGone);
    }

    /** When the bytes may go: after all that had been reserved before. */
    private synchronized long reserve(final int length) {
        if (rate == Long.MAX_VALUE) {
            return 0;
        }
        final long nowNs = System.nanoTime();
        final long startNs = rateFreeAtNs == 0 || rateFreeAtNs - nowNs < 0 ? nowNs : rateFreeAtNs;
        rateFreeAtNs = startNs + (long) (length * (double) TimeUnit.SECONDS.toNanos(1) / rate);
        return startNs;
    }

    private synchronized long rateLeftNs(final long startNs) {
        return rate == Long.MAX_VALUE ? 0 : startNs - System.nanoTime();
    }

    /** Waits while the lane is stalled and the connection there. */
    synchronized void awaitPassage(final BooleanSupplier isGone) throws InterruptedException {
        while (isStalled && !isGone.getAsBoolean()) {
            wait(50);
        }
    }

    /** Waits while an end of stream must not pass: a black hole hides ends too. */
    synchronized void awaitEnd(final BooleanSupplier isGone) throws InterruptedException {
        while ((isStalled || isSwallowing) && !isGone.getAsBoolean()) {
            wait(50);
        }
    }

    /** How much may go in one write from a position; 0 to cut here. */
    synchronized int portion(final long from, final int available) {
        final long untilCut = Math.max(0, cutOffset - from);
        final long smooth = Math.max(1, rate / WRITES_PER_SECOND);
        return (int) Math.min(Math.min(untilCut, smooth), Math.min(trickleLength, available));
    }

    synchronized void spoil(final long from, final byte[] bytes, final int start, final int length) {
        if (flipOffset >= from && flipOffset < from + length) {
            bytes[start + (int) (flipOffset - from)] ^= (byte) (1 << flipBit);
        }
    }

    /**
     * What has passed, and what is done to it.
     *
     * @return one line
     */
    @Override
    public synchronized String toString() {
        final StringJoiner orders = new StringJoiner(", ", name + ": " + passedBytes + " bytes passed, ", "");
        orders.setEmptyValue(name + ": " + passedBytes + " bytes passed, faithful");
        add(orders, isStalled, "stalled");
        add(orders, isSwallowing, "swallowing");
        add(orders, delayNs > 0, "delayNs=" + delayNs);
        add(orders, rate < Long.MAX_VALUE, "bytesPerSecond=" + rate);
        add(orders, trickleLength < Integer.MAX_VALUE, "trickle=" + trickleLength + "/" + trickleIntervalNs + "ns");
        add(orders, flipOffset != NOWHERE, "flip at " + flipOffset);
        add(orders, cutOffset < Long.MAX_VALUE, cut + " at " + cutOffset);
        add(orders, frameCut != null, String.valueOf(frameCut));
        return orders.toString();
    }

    private static void add(final StringJoiner orders, final boolean isGiven, final String order) {
        if (isGiven) {
            orders.add(order);
        }
    }

    private static void park(final LongSupplier leftNs, final BooleanSupplier isGone) {
        for (long ns = leftNs.getAsLong(); ns > 0 && !isGone.getAsBoolean(); ns = leftNs.getAsLong()) {
            LockSupport.parkNanos(Math.min(ns, CHANGE_NS));
        }
    }

    private static long atLeast(final long least, final long value, final String what) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ": " + what + "=" + value);
        }
        return value;
    }
}
