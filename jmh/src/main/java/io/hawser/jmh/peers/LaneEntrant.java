package io.hawser.jmh.peers;

import java.util.concurrent.locks.LockSupport;

/**
 * A transport that makes connections and delivers on a thread of its own. How that is put to each work is the same for all of them.
 *
 * <p><em>Threading:</em> as {@link Entrant}.
 */
abstract class LaneEntrant implements Entrant {
    private static final int MESH_BATCH = 32;
    private static final long POLL_NS = 200_000;

    /**
     * Begins to listen. Returns when the lane can be connected to.
     *
     * @param lane     to be listened on
     * @param acceptor to be told once it is connected
     * @throws Exception if that fails
     */
    abstract void listen(Lane lane, Acceptor acceptor) throws Exception;

    /**
     * Connects.
     *
     * @param lane     that another process listens on
     * @param receiver of what comes back
     * @return where to send
     * @throws Exception if that fails
     */
    abstract Outlet connect(Lane lane, Receiver receiver) throws Exception;

    @Override
    public final ResultLine play(final Part part, final Stage stage) throws Exception {
        final boolean isReceiver = part.role() == Role.RECEIVER;
        return switch (part.workload()) {
            case W1, W2 -> isReceiver ? receive(part, stage) : flood(part);
            case W3 -> isReceiver ? echo(part, stage) : ping(part);
            case W4 -> isReceiver ? echo(part, stage) : pace(part);
            case W5 -> mesh(part, stage);
            case W6 -> isReceiver ? receiveAndEcho(part, stage) : floodAndPing(part);
        };
    }

    private ResultLine receive(final Part part, final Stage stage) throws Exception {
        final boolean isBulk = part.workload() == Workload.W1;
        final Sink sink = new Sink(isBulk, part.window());
        listen(oneWay(part, isBulk), outlet -> sink);
        stage.ready();
        sink.awaitEnd();
        return sink.result();
    }

    private ResultLine flood(final Part part) throws Exception {
        final boolean isBulk = part.workload() == Workload.W1;
        final Flood flood = new Flood(isBulk, part.window());
        flood.drive(connect(oneWay(part, isBulk), Receiver.NONE));
        return flood.result();
    }

    private ResultLine echo(final Part part, final Stage stage) throws Exception {
        final Handover<Echo> echo = new Handover<>();
        listen(twoWay(part, 0), outlet -> echo.put(new Echo(outlet)));
        stage.ready();
        echo.get().awaitEnd();
        return echo.get().result();
    }

    private ResultLine ping(final Part part) throws Exception {
        final Pinger pinger = new Pinger(part.window());
        pinger.start(connect(twoWay(part, 0), pinger));
        pinger.awaitEnd();
        return pinger.result();
    }

    private ResultLine pace(final Part part) throws Exception {
        final Pacer pacer = new Pacer(part.window(), part.ratePerS());
        final Outlet outlet = connect(twoWay(part, 0), pacer);
        while (!pacer.isAllSent()) {
            if (pacer.sendDue(outlet) == 0) {
                Threads.giveWay();
            }
        }
        while (!pacer.isAllBack()) {
            LockSupport.parkNanos(POLL_NS);
        }
        pacer.end(outlet);
        return pacer.result();
    }

    private ResultLine receiveAndEcho(final Part part, final Stage stage) throws Exception {
        final Sink sink = new Sink(true, part.window());
        final Handover<Echo> echo = new Handover<>();
        listen(oneWay(part, true), outlet -> sink);
        listen(twoWay(part, 1), outlet -> echo.put(new Echo(outlet)));
        stage.ready();
        sink.awaitEnd();
        echo.get().awaitEnd();
        return sink.result();
    }

    private ResultLine floodAndPing(final Part part) throws Exception {
        final Pinger pinger = new Pinger(part.window());
        final Flood flood = new Flood(true, part.window());
        final Outlet bulk = connect(oneWay(part, true), Receiver.NONE);
        pinger.start(connect(twoWay(part, 1), pinger));
        flood.drive(bulk);
        pinger.awaitEnd();
        return pinger.result();
    }

    private ResultLine mesh(final Part part, final Stage stage) throws Exception {
        final int processCount = part.workload().processCount();
        final MeshFlood flood =
                new MeshFlood(processCount, part.index(), part.workload().messageLength(), part.window());
        final MeshOutlets outlets = MeshOutlets.open(this, part, stage, flood::source);
        while (!flood.isOver()) {
            for (int process = 0; process < processCount; process++) {
                if (process != part.index()) {
                    flood.send(process, outlets.to(process), MESH_BATCH);
                }
            }
        }
        for (int process = 0; process < processCount; process++) {
            if (process != part.index()) {
                flood.end(process, outlets.to(process));
            }
        }
        while (!flood.isAllReceived()) {
            LockSupport.parkNanos(POLL_NS);
        }
        return flood.result();
    }

    private static Lane oneWay(final Part part, final boolean isBulk) {
        return lane(part, 0, isBulk, false);
    }

    private static Lane twoWay(final Part part, final int number) {
        return lane(part, number, false, true);
    }

    private static Lane lane(final Part part, final int number, final boolean isBulk, final boolean isTwoWay) {
        return new Lane(
                number,
                part.host(),
                part.port(2 * number),
                part.port(2 * number + 1),
                part.workload().messageLength() == Payload.BULK_LENGTH
                        ? Payload.SMALL_LENGTH
                        : part.workload().messageLength(),
                isBulk,
                isTwoWay,
                part.workload() == Workload.W4,
                part.directory());
    }
}
