package io.hawser.transport;

import io.hawser.framing.FrameEncoder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;

/**
 * The door of this process: accepts ({@link Listener}), connects, exchanges the first frames with whoever comes or is dialled ({@link Callers}), and bounds what strangers cost. What a HELLO means is
 * for its {@link Host} to decide.
 *
 * <p><em>Threading:</em> the greet thread only.
 */
final class Reception {
    /** Decides what becomes of callers. */
    interface Host {
        /** What is said of this process to whoever comes. */
        Hello own();

        /** A caller has sent a HELLO, or the refusal of ours. */
        void onGreeting(Caller caller, long nowNs) throws IOException;

        /** Nothing came of a caller that was dialled. */
        void onFailed(Caller dialled, String reason, long nowNs);
    }

    private final ClusterConfig config;
    private final Host host;
    private final Selector selector;
    private final StrangerLog strangers = new StrangerLog();
    private final Listener listener;
    private final Callers callers;

    Reception(ClusterConfig config, Host host, Selector selector, Resolver resolver, Executor greetThread, long nowNs) {
        this.config = config;
        this.host = host;
        this.selector = selector;
        this.listener = new Listener(config, config.clock(), selector, strangers, resolver, greetThread, nowNs);
        this.callers = new Callers(selector, strangers, config.unidentifiedLimit());
    }

    Listener listener() {
        return listener;
    }

    Callers callers() {
        return callers;
    }

    StrangerCounts strangerCounts() {
        return strangers.counts();
    }

    /** {@return when something is due, or the given time if that is earlier} */
    long nextNs(long latestNs) {
        return callers.nextNs(listener.nextNs(latestNs));
    }

    /** Waits for whoever comes or answers, and attends to it. */
    void select(long timeoutMs) throws IOException {
        selector.select(key -> onReady(key, config.clock().nanoTime()), timeoutMs);
    }

    private void onReady(SelectionKey key, long nowNs) {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            listener.acceptAll(this::accept, nowNs);
            return;
        }
        Caller caller = (Caller) key.attachment();
        try {
            if (key.isConnectable()) {
                onConnected(caller, key, nowNs);
            } else if (key.isReadable()) {
                onReadable(caller, nowNs);
            }
        } catch (IOException e) {
            drop(caller, Quietly.reasonOf(e), nowNs);
        }
    }

    private void accept(SocketChannel channel, long nowNs) {
        Caller caller;
        try {
            SocketOptions.set(channel, config);
            Session session = new Session(Session.Role.ACCEPTOR, host.own(), new FrameEncoder(), nowNs);
            caller = new Caller(channel, session, -1, channel.getRemoteAddress(), nowNs + config.helloTimeoutNs());
            session.onConnected(nowNs);
            callers.evictIfCrowded(nowNs);
            callers.add(caller, SelectionKey.OP_READ);
        } catch (IOException e) {
            strangers.onClosedBeforeHello();
            Quietly.close(channel);
            return;
        }
        try {
            onReadable(caller, nowNs); // who has gone already, or has spoken already, need not wait for a turn
        } catch (IOException e) {
            drop(caller, Quietly.reasonOf(e), nowNs);
        }
    }

    /**
     * Connects, and says HELLO.
     *
     * @param address where to
     * @param own     what to say, addressed to the process that should be there
     * @return the caller, whose further way the host is told
     * @throws IOException if nothing came of it at once
     */
    Caller dial(InetSocketAddress address, Hello own, long nowNs) throws IOException {
        SocketChannel channel = null;
        Caller caller = null;
        try {
            channel = SocketChannel.open();
            SocketOptions.set(channel, config);
            Session session = new Session(Session.Role.DIALLER, own, new FrameEncoder(), nowNs);
            caller = new Caller(channel, session, own.targetProcess(), address, nowNs + config.helloTimeoutNs());
            boolean isConnected = channel.connect(address);
            callers.add(caller, isConnected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
            if (isConnected) {
                greet(caller, nowNs);
            }
            return caller;
        } catch (IOException | RuntimeException e) { // such as an address of a family that this JVM may not use
            if (caller == null) {
                Quietly.close(channel);
            } else {
                callers.forget(caller);
            }
            throw e;
        }
    }

    private static void onConnected(Caller caller, SelectionKey key, long nowNs) throws IOException {
        caller.channel().finishConnect();
        if (caller.channel().getLocalAddress().equals(caller.channel().getRemoteAddress())) {
            throw new IOException("connected to itself: nobody listens there yet");
        }
        key.interestOps(SelectionKey.OP_READ);
        greet(caller, nowNs);
    }

    private static void greet(Caller caller, long nowNs) throws IOException {
        caller.session().onConnected(nowNs);
        if (!caller.send(nowNs)) {
            throw new IOException("the socket did not take a HELLO");
        }
    }

    private void onReadable(Caller caller, long nowNs) throws IOException {
        switch (caller.read(nowNs)) {
            case MORE -> {
                // its deadline bounds how long that may take
            }
            case END ->
                drop(
                        caller,
                        caller.isSilent()
                                ? "the connection was accepted and closed"
                                : "it closed in the middle of its HELLO",
                        nowNs);
            case STRANGE -> {
                String text = caller.isDialled()
                        ? "answered " + caller.stranger().displayText() + " [" + caller.excerpt() + "], wrong port?"
                        : caller.fault();
                if (!caller.isDialled()) {
                    strangers.onStranger(caller, caller.fault(), nowNs);
                }
                fail(caller, text, nowNs);
            }
            case FRAME -> host.onGreeting(caller, nowNs);
        }
    }

    /**
     * A greeted caller becomes a link: it is answered if it has dialled, and its socket is the link's from now on.
     *
     * @param own what to say to it
     */
    void admit(Caller caller, Hello own, long nowNs) throws IOException {
        Session session = caller.session();
        session.admit(own.to(session.peer().processIndex()));
        if (!caller.isDialled() && !caller.send(nowNs)) {
            throw new IOException("the socket did not take the answer");
        }
        callers.release(caller);
    }

    /** Tells a caller that has dialled why it is not admitted; one that was dialled is left. */
    void refuse(Caller caller, Refusal refusal, long nowNs) throws IOException {
        if (caller.isDialled()) {
            drop(caller, refusal.text(), nowNs);
            return;
        }
        caller.session().refuse(refusal);
        caller.send(nowNs);
        strangers.onRefused(caller, refusal, nowNs);
        callers.forget(caller);
    }

    /** Those whose time is over go. */
    void expire(long nowNs) {
        for (Caller caller : callers.expired(nowNs)) {
            if (!caller.isDialled()) {
                strangers.onTimedOut(caller, nowNs);
            }
            fail(caller, "no HELLO came within the hello time-out", nowNs);
        }
    }

    private void drop(Caller caller, String reason, long nowNs) {
        if (!caller.isDialled()) {
            strangers.onDropped(caller, reason, nowNs);
        }
        fail(caller, reason, nowNs);
    }

    private void fail(Caller caller, String reason, long nowNs) {
        callers.forget(caller);
        if (caller.isDialled()) {
            host.onFailed(caller, reason, nowNs);
        }
    }

    /** The port is free, and nobody is attended to any more. */
    void close() {
        callers.forgetAll();
        listener.close();
        strangers.sayRest();
    }
}
