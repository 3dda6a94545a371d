package io.hawser.transport;

import io.hawser.fate.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;

/**
 * The port of this process: binds it, again until that succeeds, and accepts, with a pause when that fails.
 *
 * <p><em>Threading:</em> the greet thread only.
 */
final class Listener {
    /** The kernel keeps this many connections for us while we are busy or stopped; the JDK's default of 50 loses some. */
    private static final int BACKLOG_MIN = 1_024;

    private static final long BIND_RETRY_NS = 50_000_000;
    private static final long REPORT_AFTER_NS = 1_000_000_000;
    private static final int ACCEPT_BATCH = 32;
    private static final long ACCEPT_PAUSE_NS = 50_000_000;

    /** Takes what was accepted. */
    @FunctionalInterface
    interface Acceptor {
        void accept(SocketChannel channel, long nowNs);
    }

    private final ClusterConfig config;
    private final Clock clock;
    private final Selector selector;
    private final StrangerLog strangers;
    private final Resolver resolver;
    private final Executor greetThread;
    private final Pace reports;
    private ServerSocketChannel channel;
    private boolean isLookingUp;
    private long bindAtNs;
    private String bindError = "";

    /** When to accept again after that failed, 0 if it did not. */
    private long acceptAtNs;

    Listener(
            ClusterConfig config,
            Clock clock,
            Selector selector,
            StrangerLog strangers,
            Resolver resolver,
            Executor greetThread,
            long nowNs) {
        this.config = config;
        this.clock = clock;
        this.selector = selector;
        this.strangers = strangers;
        this.resolver = resolver;
        this.greetThread = greetThread;
        this.reports = new Pace(REPORT_AFTER_NS, nowNs);
        this.bindAtNs = nowNs;
    }

    /** Listens by a socket that is bound already. */
    void adopt(ServerSocketChannel bound) throws IOException {
        bound.configureBlocking(false);
        bound.register(selector, SelectionKey.OP_ACCEPT);
        channel = bound;
    }

    boolean isBound() {
        return channel != null;
    }

    /** {@return why the port is not bound, empty if it is, or if that was not tried yet} */
    String bindError() {
        return bindError;
    }

    /** Does what is due. */
    void tick(long nowNs) {
        if (channel == null && !isLookingUp && nowNs - bindAtNs >= 0) {
            lookUp();
        }
        if (acceptAtNs != 0 && nowNs - acceptAtNs >= 0) {
            acceptAtNs = 0;
            channel.keyFor(selector).interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    /** {@return when something is due, or the given time if that is earlier} */
    long nextNs(long latestNs) {
        long nextNs = latestNs;
        if (channel == null && !isLookingUp && bindAtNs - nextNs < 0) {
            nextNs = bindAtNs;
        }
        if (acceptAtNs != 0 && acceptAtNs - nextNs < 0) {
            nextNs = acceptAtNs;
        }
        return nextNs;
    }

    private void lookUp() {
        isLookingUp = true;
        resolver.resolve(
                config.processIndex(),
                config.bindAddress(),
                found -> greetThread.execute(() -> bind(found.get(0))),
                error -> greetThread.execute(() -> failed(error)));
    }

    private void bind(InetSocketAddress address) {
        ServerSocketChannel fresh = null;
        try {
            fresh = ServerSocketChannel.open();
            // connections of a process that died must not keep its successor from the port; two living owners stay
            // impossible
            fresh.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            fresh.bind(address, Math.max(BACKLOG_MIN, config.processCount() * 4));
            fresh.configureBlocking(false);
            fresh.register(selector, SelectionKey.OP_ACCEPT);
            channel = fresh;
            bindError = "";
            if (reports.hasBeenDue()) {
                Logs.FORMATION.info("process {} listens at {} now", config.processIndex(), config.bindAddress());
            }
        } catch (IOException | RuntimeException e) {
            Quietly.close(fresh);
            failed(Quietly.reasonOf(e));
        }
    }

    private void failed(String reason) {
        long nowNs = clock.nanoTime();
        isLookingUp = false;
        bindAtNs = nowNs + BIND_RETRY_NS;
        bindError = "cannot listen at " + config.bindAddress() + " (" + reason
                + "): is the port held by another process, or the address not of this machine?";
        if (reports.isDue(nowNs)) {
            Logs.FORMATION.info("process {} tries again and again: {}", config.processIndex(), bindError);
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
