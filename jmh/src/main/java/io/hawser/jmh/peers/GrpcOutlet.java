package io.hawser.jmh.peers;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Hands messages to a call, which has copied them when it returns. Waits until the call is ready, unless it is the event loop that sends.
 *
 * <p><em>Threading:</em> the sending thread; {@link #wake} the event loop.
 */
final class GrpcOutlet implements Outlet {
    private final Consumer<byte[]> sending;
    private final BooleanSupplier ready;
    private final byte[] message;
    private final byte[][] bulk;
    private volatile Thread waiting;

    GrpcOutlet(final Lane lane, final Consumer<byte[]> sending, final BooleanSupplier ready) {
        this.sending = sending;
        // one message under way at a time, or a fixed rate: the sender has no need to wait
        this.ready = lane.isTwoWay() ? () -> true : ready;
        message = Payload.blank(lane.messageLength());
        bulk = new byte[lane.isBulk() ? Payload.BULK_COUNT : 0][];
        for (int number = 0; number < bulk.length; number++) {
            bulk[number] = Payload.bulk(number);
        }
    }

    @Override
    public void send(final long first, final long last) {
        awaitReady();
        Payload.stamp(message, first, last);
        sending.accept(message);
    }

    @Override
    public void sendBulk(final int number) {
        awaitReady();
        sending.accept(bulk[number]);
    }

    @Override
    public void flush() {
        // each message is flushed
    }

    void wake() {
        LockSupport.unpark(waiting);
    }

    private void awaitReady() {
        while (!ready.getAsBoolean()) {
            waiting = Thread.currentThread();
            if (!ready.getAsBoolean()) {
                LockSupport.park(this);
            }
        }
    }
}
