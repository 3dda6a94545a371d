package io.hawser.jmh.peers;

import org.zeromq.ZMQ;

/**
 * Hands messages to a socket, which keeps them: each small one is an array of its own.
 *
 * <p><em>Threading:</em> the thread that the socket belongs to at the time.
 */
final class JeroOutlet implements Outlet {
    private final ZMQ.Socket socket;
    private final byte[] blank;
    private final byte[][] bulk;

    JeroOutlet(final Lane lane, final ZMQ.Socket socket) {
        this.socket = socket;
        blank = Payload.blank(lane.messageLength());
        bulk = new byte[lane.isBulk() ? Payload.BULK_COUNT : 0][];
        for (int number = 0; number < bulk.length; number++) {
            bulk[number] = Payload.bulk(number);
        }
    }

    @Override
    public void send(final long first, final long last) {
        final byte[] message = blank.clone();
        Payload.stamp(message, first, last);
        push(message);
    }

    @Override
    public void sendBulk(final int number) {
        push(bulk[number]);
    }

    @Override
    public void flush() {
        // the I/O thread takes whatever is there
    }

    private void push(final byte[] message) {
        if (!socket.send(message)) {
            throw new IllegalStateException("the socket takes no more: errno=" + socket.errno());
        }
    }
}
