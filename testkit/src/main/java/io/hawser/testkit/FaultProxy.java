package io.hawser.testkit;

import io.hawser.transport.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A TCP proxy on the loopback interface that spoils what passes through it. Point a dialler at {@link #port()} and it
 * reaches the target, through two lanes:
 *
 * <pre>
 *     dialler ── lane toTarget ──► target
 *             ◄── lane toDialler ──
 * </pre>
 *
 * <p>Each lane forwards, stalls, swallows, delays, trickles, keeps to a rate, flips a bit, or cuts after so many bytes or frames: see {@link ProxyLane}.
 * A black hole is both lanes stalled: both sockets stay open, nothing passes, an end of stream neither. The proxy as a
 * whole cuts every connection by FIN or RST, or refuses to forward new ones: see {@link OnAccept}. Without orders it is
 * faithful: an end of stream passes as an end of stream behind the data, a reset as a reset, back-pressure as back-pressure.
 *
 * <p>It does not lose or reorder packets: below TCP that is the kernel's affair, and above it no program can tell it from delay. Between two processes of a
 * cluster the one of the higher index dials.
 *
 * <p><em>Threading:</em> any thread may give orders; they hold for open connections and for later ones. Four daemon threads
 * for each connection, one that accepts.
 */
public final class FaultProxy implements AutoCloseable {
    /** What becomes of a connection that has just been accepted. */
    public enum OnAccept {
        /** Dial the target and forward. */
        FORWARD,
        /** End it at once by FIN, as a proxy does whose target is not there yet. */
        CLOSE,
        /** End it at once by RST. */
        RESET,
        /** Keep it open and say nothing. */
        HOLD
    }

    private static final int BACKLOG = 1_024;
    private static final int DIAL_TIMEOUT_MS = 5_000;

    /** One that dials a target that does not answer takes longer, and does not accept meanwhile. */
    private static final int ACCEPTOR_END_MS = 1_000;

    private final ServerSocket listener;
    private final Thread acceptor;
    private final Endpoint target;
    private final ProxyLane toTarget = new ProxyLane("to-target");
    private final ProxyLane toDialler = new ProxyLane("to-dialler");
    private final List<ProxyConnection> connections = new ArrayList<>();
    private final List<Socket> held = new ArrayList<>();

    private OnAccept onAccept = OnAccept.FORWARD;
    private int acceptedCount;

    private FaultProxy(final int port, final Endpoint target) {
        this.target = target;
        try {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        } catch (final IOException failed) {
            throw new UncheckedIOException("proxy cannot listen: port=" + port, failed);
        }
        acceptor = new Thread(this::accept, threadPrefix() + "accept");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /**
     * A faithful proxy on a free port in front of a port of this machine.
     *
     * @param targetPort of the loopback interface, where somebody listens, or will
     * @return the proxy, to be closed
     * @throws UncheckedIOException if it cannot listen
     */
    public static FaultProxy to(final int targetPort) {
        return to(new Endpoint(InetAddress.getLoopbackAddress().getHostAddress(), targetPort));
    }

    /**
     * A faithful proxy on a free port of this machine in front of anybody.
     *
     * @param target where somebody listens, or will; resolved at each connection
     * @return the proxy, to be closed
     * @throws UncheckedIOException if it cannot listen
     */
    public static FaultProxy to(final Endpoint target) {
        return new FaultProxy(FreePorts.next(), target);
    }

    /**
     * The port to dial instead of the target's.
     *
     * @return a port of the loopback interface
     */
    public int port() {
        return listener.getLocalPort();
    }

    /**
     * The address to dial instead of the target's.
     *
     * @return loopback address and {@link #port()}
     */
    public Endpoint endpoint() {
        return new Endpoint(InetAddress.getLoopbackAddress().getHostAddress(), port());
    }

    /**
     * What the dialler sends.
     *
     * @return the lane to give orders to
     */
    public ProxyLane toTarget() {
        return toTarget;
    }

    /**
     * What the target sends.
     *
     * @return the lane to give orders to
     */
    public ProxyLane toDialler() {
        return toDialler;
    }

    /** Stalls both lanes: nothing passes, nothing ends. */
    public void blackHole() {
        toTarget.stall();
        toDialler.stall();
    }

    /**
     * Takes back all orders: both lanes forward again, also what a stall has kept, and new connections are forwarded. Connections that were held are reset, so that
     * their diallers try anew; those that were cut stay so.
     */
    public void heal() {
        toTarget.pass();
        toDialler.pass();
        onAccept(OnAccept.FORWARD);
        resetHeld();
    }

    /**
     * From now on, what becomes of new connections.
     *
     * @param what to do with them
     */
    public synchronized void onAccept(final OnAccept what) {
        onAccept = Objects.requireNonNull(what, "what");
    }

    /**
     * Ends every open connection towards both sides, now. New ones are not affected.
     *
     * @param how they end
     */
    public void cut(final Cut how) {
        Objects.requireNonNull(how, "how");
        snapshot().forEach(connection -> connection.cut(how));
    }

    /**
     * How often somebody has dialled.
     *
     * @return connections accepted so far, whatever became of them
     */
    public synchronized int acceptedCount() {
        return acceptedCount;
    }

    /**
     * How many connections there are.
     *
     * @return connections that are forwarded now, or have been cut by FIN and not ended by both sides yet
     */
    public synchronized int openCount() {
        connections.removeIf(connection -> !connection.isOpen());
        return connections.size();
    }

    /** Ends everything, connections by RST. The port is free and the sockets are closed when this returns; the threads end by themselves. Idempotent. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (final IOException failed) {
            throw new UncheckedIOException("proxy cannot close: port=" + port(), failed);
        }
        awaitAcceptor();
        resetHeld();
        cut(Cut.RST);
    }

    /**
     * Port, target, connections, and what is done to each lane.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return "proxy " + port() + " to " + target + " (" + openCount() + " open; " + toTarget + "; " + toDialler + ")";
    }

    /** What the names of its threads begin with. */
    String threadPrefix() {
        return "proxy-" + port() + "-";
    }

    /** As long as a thread is on its way out of the kernel's accept, the kernel still listens. */
    private void awaitAcceptor() {
        try {
            acceptor.join(ACCEPTOR_END_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void resetHeld() {
        held.forEach(Cut.RST::end);
        held.clear();
    }

    private synchronized List<ProxyConnection> snapshot() {
        return List.copyOf(connections);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                receive(listener.accept());
            } catch (final IOException endedOrRefused) {
                // the listener was closed, or the target refused: the dialler has been reset
                assert endedOrRefused != null;
            }
        }
    }

    private void receive(final Socket dialler) throws IOException {
        final OnAccept what;
        synchronized (this) {
            acceptedCount++;
            what = onAccept;
        }
        switch (what) {
            case FORWARD -> forward(dialler);
            case CLOSE -> dialler.close();
            case RESET -> Cut.RST.end(dialler);
            default -> hold(dialler);
        }
    }

    private synchronized void hold(final Socket dialler) {
        held.add(dialler);
        if (onAccept != OnAccept.HOLD || listener.isClosed()) {
            resetHeld();
        }
    }

    private void forward(final Socket dialler) throws IOException {
        final Socket towards = new Socket();
        try {
            towards.connect(new InetSocketAddress(target.host(), target.port()), DIAL_TIMEOUT_MS);
        } catch (final IOException refused) {
            Cut.RST.end(towards);
            Cut.RST.end(dialler);
            throw refused;
        }
        final ProxyConnection connection = new ProxyConnection(threadPrefix(), dialler, towards);
        synchronized (this) {
            connections.removeIf(candidate -> !candidate.isOpen());
            connections.add(connection);
        }
        connection.start(toTarget, toDialler);
        if (listener.isClosed()) {
            connection.cut(Cut.RST);
        }
    }
}
