package io.hawser.jmh.peers;

/**
 * Takes the messages of a {@link Flood}: verifies each, counts, and measures once it is warm.
 *
 * <p><em>Threading:</em> the receiving thread; {@link #awaitEnd} and {@link #result} another.
 */
final class Sink implements Receiver {
    /** The clock is read once in so many messages. */
    private static final int SMALL_INTERVAL = 256;

    private static final int BULK_INTERVAL = 8;

    /** If the stream ends early, this share of the measured time must be over. */
    private static final int LEAST_SHARE = 3;

    private final boolean isBulk;
    private final int messageLength;
    private final int clockMask;
    private final Window window;
    private final CpuTime cpu = new CpuTime();
    private final Ending ending = new Ending();

    private long count;
    private long startNs;
    private long measureStartNs;
    private long measureStartCount;
    private long measuredCount;
    private long measuredNs;

    Sink(final boolean isBulk, final Window window) {
        this.isBulk = isBulk;
        this.messageLength = isBulk ? Payload.BULK_LENGTH : Payload.SMALL_LENGTH;
        this.clockMask = (isBulk ? BULK_INTERVAL : SMALL_INTERVAL) - 1;
        this.window = window;
    }

    @Override
    public void onMessage(final long first, final long last, final int length) {
        final long number = isBulk ? Payload.bulkNumber(count) : count;
        if (first != number || last != ~number || length != messageLength) {
            onOther(first, last, length);
            return;
        }
        if ((count++ & clockMask) == 0) {
            tick();
        }
    }

    boolean isEnded() {
        return ending.isReached();
    }

    void awaitEnd() throws InterruptedException {
        ending.await();
    }

    ResultLine result() {
        final double perS = measuredCount / (measuredNs / 1e9);
        return new ResultLine()
                .with(ResultLine.MESSAGES_PER_S, perS)
                .with(ResultLine.GBYTES_PER_S, perS * messageLength / 1e9)
                .with(ResultLine.COUNT, count)
                .with(ResultLine.LOST, 0)
                .with(ResultLine.BAD, 0)
                .with(ResultLine.CPU_CORES, cpu.cores());
    }

    private void onOther(final long first, final long last, final int length) {
        if (first != Payload.END || ending.isReached()) {
            throw BadMessageException.at(count, first, last, length);
        }
        if (last != count) {
            throw new BadMessageException("messages are lost: sent=" + last + " received=" + count);
        }
        if (measuredNs == 0) {
            take(System.nanoTime());
        }
        ending.reach();
    }

    private void tick() {
        final long nowNs = System.nanoTime();
        if (startNs == 0) {
            startNs = nowNs;
        } else if (measureStartNs == 0) {
            if (nowNs - startNs >= window.warmUpNs()) {
                measureStartNs = nowNs;
                measureStartCount = count;
                cpu.start();
            }
        } else if (measuredNs == 0 && nowNs - measureStartNs >= window.measureNs()) {
            take(nowNs);
        }
    }

    private void take(final long nowNs) {
        if (measureStartNs == 0 || nowNs - measureStartNs < window.measureNs() / LEAST_SHARE) {
            throw new BadMessageException("the stream has ended before enough of it was measured: count=" + count);
        }
        measuredNs = nowNs - measureStartNs;
        measuredCount = count - measureStartCount;
        cpu.stop();
    }
}
