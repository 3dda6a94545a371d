package io.hawser.jmh.peers;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * One stream of messages between two processes, or a pair of streams in both directions: what a connection is made from.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param number        among those of the same process
 * @param host          of the process that listens
 * @param port          that it listens on
 * @param returnPort    for transports that need another for the way back
 * @param messageLength of small messages
 * @param isBulk        whether messages are large
 * @param isTwoWay      whether messages go back, too
 * @param isPaced       whether many small ones leave together, each by itself
 * @param directory     for files that both share
 */
record Lane(
        int number,
        String host,
        int port,
        int returnPort,
        int messageLength,
        boolean isBulk,
        boolean isTwoWay,
        boolean isPaced,
        Path directory) {

    InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }
}
