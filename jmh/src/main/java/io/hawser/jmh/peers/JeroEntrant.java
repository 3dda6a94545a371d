package io.hawser.jmh.peers;

import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * JeroMQ over TCP: a PUSH and a PULL socket for each direction, one I/O thread in each process.
 *
 * <p><em>Threading:</em> a socket belongs to one thread at a time: one thread receives from each lane, the other sends.
 */
final class JeroEntrant extends LaneEntrant {
    private static final int SMALL_HIGH_WATER_MARK = 100_000;
    private static final int BULK_HIGH_WATER_MARK = 64;

    private final ZContext context = new ZContext(1);

    @Override
    void listen(final Lane lane, final Acceptor acceptor) {
        final ZMQ.Socket in = socket(lane, SocketType.PULL);
        in.bind(address(lane, lane.port()));
        final Outlet outlet;
        if (lane.isTwoWay()) {
            final ZMQ.Socket out = socket(lane, SocketType.PUSH);
            out.bind(address(lane, lane.returnPort()));
            outlet = new JeroOutlet(lane, out);
        } else {
            outlet = Outlet.NONE;
        }
        Threads.start("receive-" + lane.number(), () -> receive(in, acceptor.connected(outlet)));
    }

    @Override
    Outlet connect(final Lane lane, final Receiver receiver) {
        final ZMQ.Socket out = socket(lane, SocketType.PUSH);
        out.connect(address(lane, lane.port()));
        if (lane.isTwoWay()) {
            final ZMQ.Socket in = socket(lane, SocketType.PULL);
            in.connect(address(lane, lane.returnPort()));
            Threads.start("receive-" + lane.number(), () -> receive(in, receiver));
        }
        return new JeroOutlet(lane, out);
    }

    private static void receive(final ZMQ.Socket in, final Receiver receiver) {
        while (true) {
            final byte[] message = in.recv();
            if (message == null) {
                throw new IllegalStateException("the socket gives no more: errno=" + in.errno());
            }
            receiver.onMessage(Payload.first(message), Payload.last(message), message.length);
            receiver.onBatchEnd();
        }
    }

    private ZMQ.Socket socket(final Lane lane, final SocketType type) {
        final ZMQ.Socket socket = context.createSocket(type);
        final int highWaterMark = lane.isBulk() ? BULK_HIGH_WATER_MARK : SMALL_HIGH_WATER_MARK;
        socket.setSndHWM(highWaterMark);
        socket.setRcvHWM(highWaterMark);
        return socket;
    }

    private static String address(final Lane lane, final int port) {
        return "tcp://" + lane.host() + ":" + port;
    }
}
