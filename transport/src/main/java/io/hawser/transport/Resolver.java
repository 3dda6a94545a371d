package io.hawser.transport;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Finds out where a process lives, afresh before each dial: asks the directory, if there is one, and looks the name up. Each time on a short-lived thread of its own: a slow name server delays neither the
 * greeting of others nor heartbeats. Literal addresses without a directory need no thread.
 *
 * <p><em>Threading:</em> the greet thread asks; the answer comes on any thread.
 */
final class Resolver {
    private static final AtomicLong SPELLING = new AtomicLong(System.identityHashCode(Resolver.class));

    private final ThreadFactory threads;
    private final Names names;

    Resolver(ThreadFactory threads, Names names) {
        this.threads = threads;
        this.names = names;
    }

    /**
     * Looks up where a process lives.
     *
     * @param process whose address is wanted
     * @param listing knows it
     * @param found   takes every address that the name has; must not block
     * @param failed  takes the reason if it has none; must not block
     */
    void locate(int process, Listing listing, Consumer<List<InetSocketAddress>> found, Consumer<String> failed) {
        if (listing.isFixed()) {
            resolve(process, listing.of(process), found, failed);
            return;
        }
        names.thread(
                        threads,
                        () -> {
                            String fault = ask(listing::refresh);
                            // what was listed last may still be right, and is better than nothing
                            lookUp(
                                    listing.of(process),
                                    found,
                                    fault == null ? failed : error -> failed.accept(error + "; " + fault));
                        },
                        "resolve-" + process)
                .start();
    }

    /** Only asks the directory; then calls {@code done} with what went wrong, or null. */
    void review(Listing listing, Consumer<String> done) {
        names.thread(threads, () -> done.accept(ask(listing::review)), "resolve-all")
                .start();
    }

    @FunctionalInterface
    private interface Question {
        void ask() throws IOException;
    }

    /** A directory is the user's code. Returns what went wrong, or null. */
    private static String ask(Question question) {
        try {
            question.ask();
            return null;
        } catch (Throwable e) {
            return "the directory does not tell (" + (e instanceof IOException ? e.getMessage() : e.toString()) + ")";
        }
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

    /**
     * The JVM remembers for 30 s what a name meant, and for 10 s that it meant nothing, under the name as it is spelled; a process that was started anew elsewhere is not to wait for that. Name services do not care about
     * upper and lower case, so each look-up spells the name in another way; a service that does care is asked once more by the name as it was given. Where the JVM is told to remember for ever, that is respected.
     */
    private static InetAddress[] addressesOf(String host) throws UnknownHostException {
        if (isLiteral(host) || isRememberedForEver()) {
            return InetAddress.getAllByName(host);
        }
        try {
            return InetAddress.getAllByName(respelled(host));
        } catch (UnknownHostException perhapsOnlySo) {
            return InetAddress.getAllByName(host);
        }
    }

    /** Then each spelling would stay in the JVM's memory for good. */
    private static boolean isRememberedForEver() {
        String seconds = Security.getProperty("networkaddress.cache.ttl");
        return seconds != null && seconds.strip().startsWith("-");
    }

    static String respelled(String host) {
        StringBuilder text = new StringBuilder(host.length());
        long bits = SPELLING.incrementAndGet() * 0x9E37_79B9_7F4A_7C15L;
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean isUpper = (bits >>> (i & 63) & 1) != 0;
            text.append(isUpper ? upper(c) : c);
        }
        return text.toString();
    }

    /** The locale must not have a say in it. */
    private static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
    }

    private static InetSocketAddress named(Endpoint endpoint, InetAddress address) throws UnknownHostException {
        if (isLiteral(endpoint.host())) {
            return new InetSocketAddress(address, endpoint.port());
        }
        InetAddress named = address instanceof Inet6Address six && six.getScopeId() != 0
                ? Inet6Address.getByAddress(endpoint.host(), six.getAddress(), six.getScopeId())
                : InetAddress.getByAddress(endpoint.host(), address.getAddress());
        return new InetSocketAddress(named, endpoint.port());
    }

    private static void lookUp(Endpoint endpoint, Consumer<List<InetSocketAddress>> found, Consumer<String> failed) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        try {
            for (InetAddress address : addressesOf(endpoint.host())) {
                addresses.add(named(endpoint, address));
            }
        } catch (UnknownHostException e) {
            failed.accept("unknown host " + endpoint.host());
            return;
        } catch (Throwable e) { // somebody waits for an answer
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
