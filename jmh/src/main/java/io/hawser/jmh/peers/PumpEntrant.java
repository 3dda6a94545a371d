package io.hawser.jmh.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Bytes without frames: what the socket gives at most. Messages are counted by their length alone, and only where a read begins with one is it
 * verified.
 *
 * <p><em>Threading:</em> one thread on each side.
 */
final class PumpEntrant extends LaneEntrant {
    private static final int READ_LENGTH = Payload.BULK_LENGTH;

    @Override
    void listen(final Lane lane, final Acceptor acceptor) throws Exception {
        final ServerSocketChannel server = Sockets.listen(lane);
        Threads.start("receive", () -> receive(Sockets.accept(server), acceptor.connected(Outlet.NONE)));
    }

    @Override
    Outlet connect(final Lane lane, final Receiver receiver) throws Exception {
        return new PumpOutlet(Sockets.connect(lane));
    }

    private static void receive(final SocketChannel channel, final Receiver receiver) throws Exception {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        long count = 0;
        long last = 0;
        for (long bytes = 0; ; ) {
            buffer.clear();
            final int length = channel.read(buffer);
            if (length < 0) {
                receiver.onMessage(Payload.END, count, Payload.SMALL_LENGTH);
                return;
            }
            if (bytes % Payload.BULK_LENGTH == 0 && length >= Long.BYTES) {
                verify(buffer.getLong(0), count);
            }
            last ^= buffer.get(length - 1);
            bytes += length;
            for (final long complete = bytes / Payload.BULK_LENGTH; count < complete; count++) {
                final long number = Payload.bulkNumber(count);
                receiver.onMessage(number, ~number, Payload.BULK_LENGTH);
            }
            if (last == Long.MIN_VALUE) {
                throw new BadMessageException("no byte is that large: last=" + last);
            }
        }
    }

    private static void verify(final long first, final long count) {
        if (first != Payload.bulkNumber(count)) {
            throw BadMessageException.at(count, first, 0, 0);
        }
    }
}
