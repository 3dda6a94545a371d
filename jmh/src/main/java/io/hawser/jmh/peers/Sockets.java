package io.hawser.jmh.peers;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Plain TCP connections, without Nagle's algorithm; the kernel chooses the lengths of its buffers.
 *
 * <p><em>Threading:</em> safe; no state.
 */
final class Sockets {
    private static final int BACKLOG = 16;

    private Sockets() {}

    static ServerSocketChannel listen(final Lane lane) throws IOException {
        final ServerSocketChannel server = ServerSocketChannel.open();
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        return server.bind(lane.address(), BACKLOG);
    }

    /** Accepts one connection, and listens no more. */
    static SocketChannel accept(final ServerSocketChannel server) throws IOException {
        try (server) {
            final SocketChannel channel = server.accept();
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return channel;
        }
    }

    static SocketChannel connect(final Lane lane) throws IOException {
        final SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(lane.address());
        return channel;
    }
}
