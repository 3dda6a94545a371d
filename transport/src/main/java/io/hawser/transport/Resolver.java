package io.hawser.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Looks names up afresh before each dial, each look-up on a short-lived thread of its own: a slow name server delays neither the
 * greeting of others nor heartbeats. Literal addresses need no thread.
 *
 * <p><em>Threading:</em> the greet thread asks; the answer comes on any thread.
 */
final class Resolver {
    private final ThreadFactory threads;
    private final Names names;

    Resolver(ThreadFactory threads, Names names) {
        this.threads = threads;
        this.names = names;
    }

    /**
     * Looks a name up.
     *
     * @param process  whose address it is, for the thread's name
     * @param endpoint host and port
     * @param found    takes every address that the name has; must not block
     * @param failed   takes the reason if it has none; must not block
     */
    void resolve(int process, Endpoint endpoint, Consumer<List<InetSocketAddress>> found, Consumer<String> failed) {
        if (isLiteral(endpoint.host())) {
            lookUp(endpoint, found, failed);
        } else {
            names.thread(threads, () -> lookUp(endpoint, found, failed), "resolve-" + process)
                    .start();
        }
    }

    private static void lookUp(Endpoint endpoint, Consumer<List<InetSocketAddress>> found, Consumer<String> failed) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        try {
            for (InetAddress address : InetAddress.getAllByName(endpoint.host())) {
                addresses.add(new InetSocketAddress(address, endpoint.port()));
            }
        } catch (UnknownHostException e) {
            failed.accept("unknown host " + endpoint.host());
            return;
        } catch (RuntimeException e) {
            failed.accept("cannot look up " + endpoint.host() + " (" + e + ")");
            return;
        }
        found.accept(addresses);
    }

    /** What has a colon, or nothing but digits and dots, is an address already. */
    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
    }
}
