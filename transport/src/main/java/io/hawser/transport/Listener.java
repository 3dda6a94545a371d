package io.hawser.transport;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The port of this process: binds it, again until that succeeds, and accepts, with a pause when that fails.
 *
 * <p><em>Threading:</em> the greet thread only.
 */
final class Listener {
    /** The kernel keeps this many connections for us while we are busy or stopped; the JDK's default of 50 loses some. */
    private static final int BACKLOG_MIN = 1_024;

    private static final long BIND_RETRY_NS = 50_000_000;
    private static final int ACCEPT_BATCH = 32;
    private static final long ACCEPT_PAUSE_NS = 50_000_000;

    /** Takes what was accepted. */
    @FunctionalInterface
    interface Acceptor {
        void accept(SocketChannel channel, long nowNs);
    }

    private final ClusterConfig config;
    private final Selector selector;
    private final StrangerLog strangers;
    private ServerSocketChannel channel;
    private long bindAtNs;
    private String bindError = "";

    /** When to accept again after that failed, 0 if it did not. */
    private long acceptAtNs;

    Listener(ClusterConfig config, Selector selector, StrangerLog strangers, long nowNs) {
        this.config = config;
        this.selector = selector;
        this.strangers = strangers;
        this.bindAtNs = nowNs;
    }

    boolean isBound() {
        return channel != null;
    }

    /** {@return why the port is not bound, empty if it is, or if that was not tried yet} */
    String bindError() {
        return bindError;
    }

    /** Does what is due. */
    void tick(long nowNs) throws IOException {
        if (channel == null && nowNs - bindAtNs >= 0) {
            bind(nowNs);
        }
        if (acceptAtNs != 0 && nowNs - acceptAtNs >= 0) {
            acceptAtNs = 0;
            channel.keyFor(selector).interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    /** {@return when something is due, or the given time if that is earlier} */
    long nextNs(long latestNs) {
        long nextNs = latestNs;
        if (channel == null && bindAtNs - nextNs < 0) {
            nextNs = bindAtNs;
        }
        if (acceptAtNs != 0 && acceptAtNs - nextNs < 0) {
            nextNs = acceptAtNs;
        }
        return nextNs;
    }

    private void bind(long nowNs) throws IOException {
        ServerSocketChannel fresh = ServerSocketChannel.open();
        try {
            // connections of a process that died must not keep its successor from the port; two living owners stay
            // impossible
            fresh.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            Endpoint at = config.bindAddress();
            InetSocketAddress address = new InetSocketAddress(at.host(), at.port());
            if (address.isUnresolved()) {
                throw new BindException("unknown host " + at.host());
            }
            fresh.bind(address, Math.max(BACKLOG_MIN, config.processCount() * 4));
            fresh.configureBlocking(false);
            fresh.register(selector, SelectionKey.OP_ACCEPT);
            channel = fresh;
            bindError = "";
        } catch (IOException | RuntimeException e) {
            fresh.close();
            bindError = "cannot listen at " + config.bindAddress() + " (" + Quietly.reasonOf(e)
                    + "): is the port held by another process, or the address not of this machine?";
            bindAtNs = nowNs + BIND_RETRY_NS;
        }
    }

    /** Accepts those that wait, some of them. */
    void acceptAll(Acceptor acceptor, long nowNs) {
        try {
            SocketChannel accepted = channel.accept();
            for (int i = 0; accepted != null; i++) {
                acceptor.accept(accepted, nowNs);
                // a storm must not keep this thread from its other work, and the selector from letting go of what was
                // closed
                accepted = i < ACCEPT_BATCH ? channel.accept() : null;
            }
        } catch (IOException e) {
            // no descriptors left, or the caller has gone again: nothing that could be said to it, but no reason to
            // spin either
            strangers.onAcceptFailed(e, nowNs);
            channel.keyFor(selector).interestOps(0);
            acceptAtNs = nowNs + ACCEPT_PAUSE_NS;
        }
    }

    /** The port is free. */
    void close() {
        Quietly.close(channel);
    }
}
