package io.hawser.jmh.peers;

/**
 * Has one message under way, and sends the next when it comes back, from where it was delivered.
 *
 * <p><em>Threading:</em> {@link #start} by any thread before the first delivery; then the receiving thread; {@link #awaitEnd} and {@link #result} another.
 */
final class Pinger implements Receiver {
    private final Window window;
    private final Latencies latencies = new Latencies();
    private final CpuTime cpu = new CpuTime();
    private final Ending ending = new Ending();

    private volatile Outlet outlet = Outlet.NONE;
    private long number;
    private long startNs;
    private long sentNs;
    private long measureStartNs;
    private long measuredNs;
    private long measureStartNumber;

    Pinger(final Window window) {
        this.window = window;
    }

    /** Sends the first. */
    void start(final Outlet to) {
        startNs = System.nanoTime();
        outlet = to;
        sendNext();
    }

    @Override
    public void onMessage(final long first, final long last, final int length) {
        final long nowNs = System.nanoTime();
        if (first != number || last != ~number || ending.isReached()) {
            throw BadMessageException.at(number, first, last, length);
        }
        number++;
        if (measureStartNs == 0) {
            if (nowNs - startNs >= window.warmUpNs()) {
                measureStartNs = nowNs;
                measureStartNumber = number;
                cpu.start();
            }
        } else {
            latencies.record(nowNs - sentNs);
            if (nowNs - measureStartNs >= window.measureNs()) {
                end(nowNs);
                return;
            }
        }
        sendNext();
    }

    boolean isEnded() {
        return ending.isReached();
    }

    void awaitEnd() throws InterruptedException {
        ending.await();
    }

    ResultLine result() {
        final ResultLine result = new ResultLine()
                .with(ResultLine.CPU_CORES, cpu.cores())
                .with(ResultLine.ROUND_TRIPS_PER_S, (number - measureStartNumber) / (measuredNs / 1e9));
        latencies.addTo(result);
        return result;
    }

    private void sendNext() {
        final Outlet to = outlet;
        sentNs = System.nanoTime();
        to.send(number, ~number);
        to.flush();
    }

    private void end(final long nowNs) {
        measuredNs = nowNs - measureStartNs;
        cpu.stop();
        outlet.send(Payload.END, number);
        outlet.flush();
        ending.reach();
    }
}
