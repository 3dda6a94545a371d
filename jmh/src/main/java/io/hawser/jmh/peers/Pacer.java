package io.hawser.jmh.peers;

import java.util.concurrent.TimeUnit;

/**
 * Sends at a fixed rate, whatever comes back (an open loop). The latency of a message counts from when it should have left, so that a sender that is late
 * or blocked counts in full.
 *
 * <p><em>Threading:</em> one thread sends, one is delivered to, perhaps the same; {@link #result} is for the sender.
 */
final class Pacer implements Receiver {
    private static final long START_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final long rate;
    private final long warmUpCount;
    private final long totalCount;
    private final Latencies latencies = new Latencies();
    private final CpuTime cpu = new CpuTime();

    /** Written by the sender. */
    private volatile long startNs;

    private long sentCount;
    private boolean isMeasuring;
    private long measuredNs;
    private long measureStartNs;

    /** Written by the receiver; the second is what the sender sees of the first. */
    private long receivedCount;

    private volatile long receivedSeen;

    Pacer(final Window window, final int ratePerS) {
        rate = ratePerS;
        warmUpCount = countAfter(window.warmUpNs());
        totalCount = countAfter(window.warmUpNs() + window.measureNs());
    }

    /**
     * Sends what is due, and flushes.
     *
     * @param outlet to send with
     * @return how many messages it was
     */
    int sendDue(final Outlet outlet) {
        final long nowNs = System.nanoTime();
        if (startNs == 0) {
            startNs = nowNs + START_DELAY_NS;
        }
        if (nowNs < startNs) {
            return 0;
        }
        final long before = sentCount;
        final long due = Math.min(totalCount, countAfter(nowNs - startNs) + 1);
        if (due == before) {
            return 0;
        }
        while (sentCount < due) {
            final long number = sentCount++;
            outlet.send(number, ~number);
        }
        outlet.flush();
        measure(nowNs);
        return (int) (due - before);
    }

    boolean isAllSent() {
        return sentCount == totalCount;
    }

    boolean isAllBack() {
        return receivedSeen == totalCount;
    }

    /** Ends the stream once all are back. */
    void end(final Outlet outlet) {
        outlet.send(Payload.END, sentCount);
        outlet.flush();
    }

    @Override
    public void onMessage(final long first, final long last, final int length) {
        if (first != receivedCount || last != ~first) {
            throw BadMessageException.at(receivedCount, first, last, length);
        }
        receivedCount++;
        if (first >= warmUpCount) {
            latencies.record(System.nanoTime() - intendedNs(first));
        }
    }

    @Override
    public void onBatchEnd() {
        receivedSeen = receivedCount;
    }

    ResultLine result() {
        final ResultLine result = new ResultLine()
                .with(ResultLine.CPU_CORES, cpu.cores())
                .with(ResultLine.ROUND_TRIPS_PER_S, (totalCount - warmUpCount) / (measuredNs / 1e9));
        latencies.addTo(result);
        return result;
    }

    private void measure(final long nowNs) {
        if (!isMeasuring && sentCount > warmUpCount) {
            isMeasuring = true;
            measureStartNs = nowNs;
            cpu.start();
        }
        if (isAllSent()) {
            measuredNs = nowNs - measureStartNs;
            cpu.stop();
        }
    }

    private long countAfter(final long elapsedNs) {
        return elapsedNs / 1_000 * rate / 1_000_000;
    }

    private long intendedNs(final long number) {
        return startNs + number * 1_000_000 / rate * 1_000;
    }
}
