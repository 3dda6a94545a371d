package io.hawser.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;

/**
 * How a connection ends, as the other side sees it.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum Cut {
    /** An orderly end of stream, as when a process closes its socket with nothing unread. */
    FIN {
        /** Says FIN, and leaves the rest open, since closing over unread input would say RST. */
        @Override
        public void end(final Socket socket) {
            try {
                socket.shutdownOutput();
            } catch (final IOException gone) {
                assert gone != null;
            }
        }
    },
    /** A reset, as when a process dies with input unread, or a firewall refuses. */
    RST {
        @Override
        public void end(final Socket socket) {
            try {
                socket.setSoLinger(true, 0);
            } catch (final IOException gone) {
                assert gone != null;
            }
            close(socket);
        }
    };

    /**
     * Ends a connection so. After FIN the socket is still open, and can still be read; after RST it is closed. One that is gone already stays so.
     *
     * @param socket at this side of the connection
     * @throws UncheckedIOException if it cannot be closed
     */
    public abstract void end(Socket socket);

    static void close(final Socket socket) {
        try {
            socket.close();
        } catch (final IOException failed) {
            throw new UncheckedIOException("cannot close: socket=" + socket, failed);
        }
    }
}
