package io.hawser.transport;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * How sockets between processes are set up.
 *
 * <p><em>Threading:</em> no state.
 */
final class SocketOptions {
    private SocketOptions() {}

    /**
     * Sets what is the same for sockets that were dialled and those that were accepted.
     *
     * @param channel a socket, before anything is sent on it
     * @param config  settings
     * @throws IOException if the socket refuses
     */
    static void set(final SocketChannel channel, final ClusterConfig config) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true); // frames are gathered before they are written
        if (config.socketSendBufferLength() > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, config.socketSendBufferLength());
        }
    }
}
