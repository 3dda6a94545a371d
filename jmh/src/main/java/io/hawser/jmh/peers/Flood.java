package io.hawser.jmh.peers;

/**
 * Sends as much as the transport takes, for a time.
 *
 * <p><em>Threading:</em> the sending thread.
 */
final class Flood {
    private static final int SMALL_BATCH = 256;
    private static final int BULK_BATCH = 8;

    private final boolean isBulk;
    private final Window window;
    private final CpuTime cpu = new CpuTime();

    private long startNs;
    private long count;
    private boolean isMeasuring;

    Flood(final boolean isBulk, final Window window) {
        this.isBulk = isBulk;
        this.window = window;
    }

    /** Sends until the time is over, and ends the stream. */
    void drive(final Outlet outlet) {
        while (!isOver()) {
            step(outlet, isBulk ? BULK_BATCH : SMALL_BATCH);
        }
        end(outlet);
    }

    /** Whether the time is over; it begins with the first call. */
    boolean isOver() {
        final long nowNs = System.nanoTime();
        if (startNs == 0) {
            startNs = nowNs;
        } else if (!isMeasuring && nowNs - startNs >= window.warmUpNs()) {
            isMeasuring = true;
            cpu.start();
        }
        return nowNs - startNs >= window.sendNs();
    }

    void step(final Outlet outlet, final int messages) {
        if (isBulk) {
            for (int i = 0; i < messages; i++) {
                outlet.sendBulk(Payload.bulkNumber(count++));
            }
        } else {
            for (int i = 0; i < messages; i++) {
                final long number = count++;
                outlet.send(number, ~number);
            }
        }
    }

    void end(final Outlet outlet) {
        cpu.stop();
        outlet.send(Payload.END, count);
        outlet.flush();
    }

    ResultLine result() {
        return new ResultLine().with(ResultLine.CPU_CORES, cpu.cores());
    }
}
