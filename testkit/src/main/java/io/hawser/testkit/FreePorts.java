package io.hawser.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Hands out ports to listen on, each once in this JVM: below the range from which the kernel takes the ports of outgoing
 * connections, so that no such connection can hold one by accident, and found free by binding to it.
 *
 * <p><em>Threading:</em> any thread.
 */
public final class FreePorts {
    private static final int LOWEST = 10_240;
    private static final int HIGHEST = Math.min(lowestEphemeral(), 32_768) - 1;

    // two test JVMs at the same time start far apart
    private static int next = LOWEST + (int) (ProcessHandle.current().pid() * 97 % (HIGHEST - LOWEST));

    private FreePorts() {}

    /**
     * A port that nobody listens on, not handed out before.
     *
     * @return the port; it stays free until somebody binds to it
     * @throws IllegalStateException if there is none
     */
    public static synchronized int next() {
        for (int tried = LOWEST; tried <= HIGHEST; tried++) {
            final int port = next;
            next = next == HIGHEST ? LOWEST : next + 1;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port: lowest=" + LOWEST + " highest=" + HIGHEST);
    }

    /**
     * So many distinct ports.
     *
     * @param count how many
     * @return the ports, unmodifiable
     * @throws IllegalStateException if there are too few
     */
    public static List<Integer> take(final int count) {
        return IntStream.range(0, count).mapToObj(i -> next()).toList();
    }

    /**
     * Whether one can listen on the port now, on the loopback interface and on all.
     *
     * @param port that may be held
     * @return true if nobody holds it
     */
    public static boolean isFree(final int port) {
        return canListen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                && canListen(new InetSocketAddress(port));
    }

    private static boolean canListen(final InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address, 1);
            return true;
        } catch (final IOException held) {
            return false;
        }
    }

    /** The lowest port that the kernel gives to outgoing connections; 32,768 where it cannot be read. */
    static int lowestEphemeral() {
        // in one read: a second one of such a file gives nothing
        try (BufferedReader range = Files.newBufferedReader(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
            return Integer.parseInt(range.readLine().trim().split("\\s+")[0]);
        } catch (final IOException | NumberFormatException unknown) {
            return 32_768;
        }
    }
}
