package io.hawser.jmh.peers;

/**
 * Sends every message back, from where it was delivered, until the stream ends.
 *
 * <p><em>Threading:</em> the receiving thread; {@link #awaitEnd} and {@link #result} another.
 */
final class Echo implements Receiver {
    private static final long WARM_COUNT = 2_000;

    private final Outlet outlet;
    private final CpuTime cpu = new CpuTime();
    private final Ending ending = new Ending();
    private long count;

    Echo(final Outlet outlet) {
        this.outlet = outlet;
    }

    @Override
    public void onMessage(final long first, final long last, final int length) {
        if (first != count || last != ~first) {
            onOther(first, last, length);
            return;
        }
        if (++count == WARM_COUNT) {
            cpu.start();
        }
        outlet.send(first, last);
    }

    @Override
    public void onBatchEnd() {
        if (!ending.isReached()) {
            outlet.flush();
        }
    }

    boolean isEnded() {
        return ending.isReached();
    }

    void awaitEnd() throws InterruptedException {
        ending.await();
    }

    ResultLine result() {
        return new ResultLine().with(ResultLine.CPU_CORES, cpu.cores());
    }

    private void onOther(final long first, final long last, final int length) {
        if (first != Payload.END) {
            throw BadMessageException.at(count, first, last, length);
        }
        if (last != count) {
            throw new BadMessageException("messages are lost: sent=" + last + " received=" + count);
        }
        cpu.stop();
        ending.reach();
    }
}
