package io.hawser.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Finds ports of the loopback address that nobody listens on. They lie below those that systems give to outgoing
 * connections, so that none of them is taken that way before its process listens.
 *
 * <p><em>Threading:</em> safe; no state.
 */
public final class Ports {
    /** The loopback address, as text. */
    public static final String HOST = "127.0.0.1";

    private static final int MIN = 10_240;
    private static final int MAX = 32_767;
    private static final int ATTEMPTS_MAX = 1_000;

    private Ports() {}

    /**
     * Finds different free ports.
     *
     * @param count  how many.
     * @param random where to look.
     * @return the ports.
     * @throws IOException if too few are free.
     */
    public static List<Integer> free(final int count, final Random random) throws IOException {
        final List<ServerSocket> held = new ArrayList<>();
        try {
            for (int attempt = 0; held.size() < count; attempt++) {
                if (attempt == ATTEMPTS_MAX) {
                    throw new IOException("too few free ports: count=" + count + " attempts=" + attempt);
                }
                tryToHold(MIN + random.nextInt(MAX - MIN + 1), held);
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (final ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    @SuppressWarnings("resource") // closed by the caller, who is given it in held
    private static void tryToHold(final int port, final List<ServerSocket> held) {
        try {
            held.add(new ServerSocket(port, 1, InetAddress.getByName(HOST)));
        } catch (final IOException e) {
            // taken by somebody else, or by us
        }
    }
}
