package io.hawser.jmh.peers;

import io.hawser.allocator.MessageHandler;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.Worker;
import java.nio.ByteOrder;

/**
 * Each work as the loop of one worker.
 *
 * <p><em>Threading:</em> the worker's thread.
 */
final class HawserWork {
    private static final int POLL_LIMIT = 1_024;
    private static final int MESH_BATCH = 32;
    private static final int PING_CHANNEL = 1;

    private final Part part;
    private final Worker worker;
    private final HawserIdle idle;

    HawserWork(final Part part, final Worker worker, final HawserIdle idle) {
        this.part = part;
        this.worker = worker;
        this.idle = idle;
    }

    ResultLine receive() {
        final Sink sink = new Sink(part.workload() == Workload.W1, part.window());
        final RawChannel channel = worker.allocateRaw(0);
        final MessageHandler handler = handler(sink);
        while (!sink.isEnded()) {
            if (channel.puller().poll(handler, POLL_LIMIT) == 0) {
                idle.idle(worker);
            }
        }
        return sink.result();
    }

    ResultLine flood() {
        final boolean isBulk = part.workload() == Workload.W1;
        final Flood flood = new Flood(isBulk, part.window());
        flood.drive(outlet(worker.allocateRaw(0), other(), isBulk));
        return flood.result();
    }

    ResultLine echo() {
        final RawChannel channel = worker.allocateRaw(0);
        final Echo echo = new Echo(outlet(channel, other(), false));
        final MessageHandler handler = handler(echo);
        while (!echo.isEnded()) {
            poll(channel, handler, echo);
        }
        return echo.result();
    }

    ResultLine ping() {
        final RawChannel channel = worker.allocateRaw(0);
        final Pinger pinger = new Pinger(part.window());
        final MessageHandler handler = handler(pinger);
        pinger.start(outlet(channel, other(), false));
        while (!pinger.isEnded()) {
            poll(channel, handler, pinger);
        }
        return pinger.result();
    }

    ResultLine pace() {
        final RawChannel channel = worker.allocateRaw(0);
        final Outlet outlet = outlet(channel, other(), false);
        final Pacer pacer = new Pacer(part.window(), part.ratePerS());
        final MessageHandler handler = handler(pacer);
        while (!pacer.isAllSent() || !pacer.isAllBack()) {
            final int sent = pacer.sendDue(outlet);
            final int received = channel.puller().poll(handler, POLL_LIMIT);
            pacer.onBatchEnd();
            if (sent == 0 && received == 0) {
                Threads.giveWay();
            }
        }
        pacer.end(outlet);
        return pacer.result();
    }

    ResultLine mesh() {
        final RawChannel channel = worker.allocateRaw(0);
        final Outlet[] outlets = new Outlet[worker.peers()];
        for (int target = 0; target < outlets.length; target++) {
            outlets[target] = outlet(channel, target, false);
        }
        final MeshFlood flood =
                new MeshFlood(outlets.length, worker.index(), part.workload().messageLength(), part.window());
        final MessageHandler handler = (buffer, offset, length, source) -> flood.source(source)
                .onMessage(
                        buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN),
                        buffer.getLong(offset + length - Long.BYTES, ByteOrder.LITTLE_ENDIAN),
                        length);
        while (!flood.isOver()) {
            for (int target = 0; target < outlets.length; target++) {
                if (target != worker.index()) {
                    flood.send(target, outlets[target], MESH_BATCH);
                }
            }
            channel.puller().poll(handler, POLL_LIMIT);
        }
        for (int target = 0; target < outlets.length; target++) {
            if (target != worker.index()) {
                flood.end(target, outlets[target]);
            }
        }
        while (!flood.isAllReceived()) {
            if (channel.puller().poll(handler, POLL_LIMIT) == 0) {
                idle.idle(worker);
            }
        }
        return flood.result();
    }

    ResultLine receiveAndEcho() {
        final RawChannel bulk = worker.allocateRaw(0);
        final RawChannel pings = worker.allocateRaw(PING_CHANNEL);
        final Sink sink = new Sink(true, part.window());
        final Echo echo = new Echo(outlet(pings, other(), false));
        final MessageHandler bulkHandler = handler(sink);
        final MessageHandler pingHandler = handler(echo);
        while (!sink.isEnded() || !echo.isEnded()) {
            final int echoed = pings.puller().poll(pingHandler, 1);
            if (echoed > 0) {
                echo.onBatchEnd();
            }
            if (bulk.puller().poll(bulkHandler, 1) + echoed == 0) {
                idle.idle(worker);
            }
        }
        return sink.result();
    }

    ResultLine floodAndPing() {
        final RawChannel bulk = worker.allocateRaw(0);
        final RawChannel pings = worker.allocateRaw(PING_CHANNEL);
        final Outlet bulkOutlet = outlet(bulk, other(), true);
        final Flood flood = new Flood(true, part.window());
        final Pinger pinger = new Pinger(part.window());
        final MessageHandler handler = handler(pinger);
        pinger.start(outlet(pings, other(), false));
        while (!flood.isOver()) {
            flood.step(bulkOutlet, 1);
            pings.puller().poll(handler, 1);
        }
        flood.end(bulkOutlet);
        while (!pinger.isEnded()) {
            poll(pings, handler, pinger);
        }
        return pinger.result();
    }

    private void poll(final RawChannel channel, final MessageHandler handler, final Receiver receiver) {
        if (channel.puller().poll(handler, POLL_LIMIT) == 0) {
            idle.idle(worker);
        } else {
            receiver.onBatchEnd();
        }
    }

    private Outlet outlet(final RawChannel channel, final int target, final boolean isBulk) {
        final int length = part.workload() == Workload.W1
                ? Payload.SMALL_LENGTH
                : part.workload().messageLength();
        return new HawserOutlet(channel.pusher(target), worker, length, isBulk);
    }

    /** The other one of two workers. */
    private int other() {
        return 1 - worker.index();
    }

    private static MessageHandler handler(final Receiver receiver) {
        return (buffer, offset, length, source) -> receiver.onMessage(
                buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN),
                buffer.getLong(offset + length - Long.BYTES, ByteOrder.LITTLE_ENDIAN),
                length);
    }
}
