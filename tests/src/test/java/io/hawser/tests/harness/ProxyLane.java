package io.hawser.tests.harness;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One direction through a {@link FaultProxy}, and what is done to it. Positions count the bytes of each connection from 0;
 * what is ordered for a position happens in each connection that gets there.
 *
 * <p><em>Threading:</em> any thread.
 */
public final class ProxyLane {
    private static final long NOWHERE = -1;

    /** Another delay is taken notice of within this time. */
    private static final long DELAY_CHANGE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final String name;

    private boolean isStalled;
    private boolean isSwallowing;
    private long delayNs;
    private int trickleLength = Integer.MAX_VALUE;
    private long trickleIntervalNs;
    private long flipOffset = NOWHERE;
    private int flipBit;
    private long cutOffset = Long.MAX_VALUE;
    private Cut cut = Cut.FIN;
    private long passedBytes;
    private long position;

    ProxyLane(final String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Forwards again, at once and unspoilt; first of all what a stall has kept. */
    public synchronized void pass() {
        isStalled = false;
        isSwallowing = false;
        delayNs = 0;
        trickleLength = Integer.MAX_VALUE;
        trickleIntervalNs = 0;
        flipOffset = NOWHERE;
        cutOffset = Long.MAX_VALUE;
        notifyAll();
    }

    /** Forwards nothing, ends neither, and takes little more: the writer's socket fills up. */
    public synchronized void stall() {
        isStalled = true;
    }

    /** Takes everything and forwards nothing, an end neither: the writer notices nothing, the reader hears nothing. */
    public synchronized void swallow() {
        isSwallowing = true;
    }

    /** Forwards what arrives only after a time. What is under way may be as much as the pipe holds. */
    public synchronized void delay(final Duration time) {
        delayNs = time.toNanos();
    }

    /** Forwards at most so many bytes in one write, then pauses. */
    public synchronized void trickle(final int length, final Duration interval) {
        trickleLength = length;
        trickleIntervalNs = interval.toNanos();
    }

    /** Inverts one bit, 0 to 7, of the byte at a position. */
    public synchronized void flipBit(final long offset, final int bit) {
        flipOffset = offset;
        flipBit = bit;
    }

    /** Forwards the bytes before a position, then cuts the connection towards both sides. */
    public synchronized void cutAt(final long offset, final Cut how) {
        cutOffset = offset;
        cut = how;
    }

    /** Bytes passed so far, in all connections; swallowed bytes count. */
    public synchronized long passedBytes() {
        return passedBytes;
    }

    /** Where the connection that was served last stands. */
    public synchronized long position() {
        return position;
    }

    synchronized boolean isSwallowing() {
        return isSwallowing;
    }

    synchronized Cut cut() {
        return cut;
    }

    synchronized void passed(final long newPosition, final int length) throws InterruptedException {
        position = newPosition;
        passedBytes += length;
        if (trickleIntervalNs > 0) {
            waitNs(trickleIntervalNs);
        }
    }

    /** Waits out the delay of something that came at a time, to some 0.1 ms; waiting for a monitor would round it up to whole milliseconds. */
    void awaitTime(final long arrivedNs) {
        for (long leftNs = leftNs(arrivedNs); leftNs > 0; leftNs = leftNs(arrivedNs)) {
            LockSupport.parkNanos(Math.min(leftNs, DELAY_CHANGE_NS));
        }
    }

    private synchronized long leftNs(final long arrivedNs) {
        return delayNs == 0 ? 0 : arrivedNs + delayNs - System.nanoTime();
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
        return (int) Math.min(untilCut, Math.min(trickleLength, available));
    }

    synchronized void spoil(final long from, final byte[] bytes, final int start, final int length) {
        if (flipOffset >= from && flipOffset < from + length) {
            bytes[start + (int) (flipOffset - from)] ^= (byte) (1 << flipBit);
        }
    }

    private void waitNs(final long ns) throws InterruptedException {
        wait(TimeUnit.NANOSECONDS.toMillis(ns), (int) (ns % 1_000_000));
    }
}
