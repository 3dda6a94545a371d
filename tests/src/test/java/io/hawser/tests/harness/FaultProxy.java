package io.hawser.tests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * A TCP proxy on the loopback interface that spoils what passes through it. Point a dialler at {@link #port()} and it
 * reaches the target, through two lanes:
 *
 * <pre>
 *     dialler ── lane toTarget ──► target
 *             ◄── lane toDialler ──
 * </pre>
 *
 * <p>Each lane forwards, stalls, swallows, delays, trickles, flips a bit or cuts after so many bytes: see {@link ProxyLane}.
 * A black hole is both lanes stalled: both sockets stay open, nothing passes, an end of stream neither. The proxy as a
 * whole cuts every connection by FIN or RST, or refuses to forward new ones: see {@link OnAccept}. Without orders it is
 * faithful: an end of stream passes as an end of stream behind the data, a reset as a reset, back-pressure as back-pressure.
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

    private final ServerSocket listener;
    private final int targetPort;
    private final ProxyLane toTarget = new ProxyLane("to-target");
    private final ProxyLane toDialler = new ProxyLane("to-dialler");
    private final List<ProxyConnection> connections = new ArrayList<>();
    private final List<Socket> held = new ArrayList<>();

    private OnAccept onAccept = OnAccept.FORWARD;
    private int acceptedCount;

    private FaultProxy(final int port, final int targetPort) {
        this.targetPort = targetPort;
        try {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        } catch (final IOException failed) {
            throw new UncheckedIOException("proxy cannot listen: port=" + port, failed);
        }
        final Thread acceptor = new Thread(this::accept, "proxy-" + port + "-accept");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** A faithful proxy on a free port in front of a port of this machine. */
    public static FaultProxy to(final int targetPort) {
        return new FaultProxy(FreePorts.next(), targetPort);
    }

    /** The port to dial instead of the target's. */
    public int port() {
        return listener.getLocalPort();
    }

    /** What the dialler sends. */
    public ProxyLane toTarget() {
        return toTarget;
    }

    /** What the target sends. */
    public ProxyLane toDialler() {
        return toDialler;
    }

    /** Stalls both lanes: nothing passes, nothing ends. */
    public void blackHole() {
        toTarget.stall();
        toDialler.stall();
    }

    /** Both lanes forward again, also what a stall has kept. */
    public void heal() {
        toTarget.pass();
        toDialler.pass();
    }

    /** From now on, what becomes of new connections. */
    public synchronized void onAccept(final OnAccept what) {
        onAccept = what;
    }

    /** Ends every open connection towards both sides. */
    public void cut(final Cut how) {
        snapshot().forEach(connection -> connection.cut(how));
    }

    /** How many connections were accepted so far. */
    public synchronized int acceptedCount() {
        return acceptedCount;
    }

    /** How many connections are being forwarded now. */
    public synchronized int openCount() {
        connections.removeIf(connection -> !connection.isOpen());
        return connections.size();
    }

    /** Ends everything, connections by RST. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (final IOException failed) {
            throw new UncheckedIOException("proxy cannot close: port=" + port(), failed);
        }
        synchronized (this) {
            held.forEach(ProxyConnection::reset);
        }
        cut(Cut.RST);
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
            case RESET -> ProxyConnection.reset(dialler);
            default -> hold(dialler);
        }
    }

    private synchronized void hold(final Socket dialler) {
        held.add(dialler);
    }

    private void forward(final Socket dialler) throws IOException {
        final Socket target = new Socket();
        try {
            target.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort), 5_000);
        } catch (final IOException refused) {
            ProxyConnection.reset(target);
            ProxyConnection.reset(dialler);
            throw refused;
        }
        final ProxyConnection connection = new ProxyConnection("proxy-" + port() + "-", dialler, target);
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
