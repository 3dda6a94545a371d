package io.hawser.tests;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Somebody else's service at the address of a peer: greets with a text, or not at all, and stays or closes. */
final class FakeService implements AutoCloseable {
    private final ServerSocket listener;
    private final byte[] greeting;
    private final boolean isClosing;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    FakeService(final int port, final byte[] greeting, final boolean isClosing) throws IOException {
        this.listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        this.greeting = greeting;
        this.isClosing = isClosing;
        final Thread thread = new Thread(this::serve, "fake-service-" + port);
        thread.setDaemon(true);
        thread.start();
    }

    /** How many have come. */
    int count() {
        return open.size();
    }

    private void serve() {
        while (!listener.isClosed()) {
            try {
                final Socket socket = listener.accept();
                open.add(socket);
                final OutputStream out = socket.getOutputStream();
                out.write(greeting);
                if (isClosing) {
                    socket.shutdownOutput();
                    socket.close();
                }
            } catch (final IOException closed) {
                assert closed != null;
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (final Socket socket : open) {
            socket.close();
        }
    }
}
