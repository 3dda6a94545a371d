package io.hawser.transport;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/**
 * Waits until one half of a non-blocking socket is ready. The socket does not block, so that a worker may write to it by itself as long as the
 * kernel takes what it has; the thread of that half waits here for the rest.
 *
 * <p><em>Threading:</em> {@link #await()} is for the one thread of that half; the rest may be called by any.
 */
final class Readiness implements AutoCloseable {
    private static final Consumer<SelectionKey> NOTHING = key -> {};

    private final Selector selector;

    /**
     * Prepares to wait.
     *
     * @param channel   in non-blocking mode
     * @param operation of {@link SelectionKey}: to read or to write
     */
    Readiness(SocketChannel channel, int operation) throws IOException {
        selector = Selector.open();
        try {
            channel.register(selector, operation);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
    }

    /** Waits until the socket is ready or {@link #wake()} was called; may return for no reason. */
    void await() throws IOException {
        selector.select(NOTHING, 0);
    }

    /** Ends the current wait, or the next one. */
    void wake() {
        selector.wakeup();
    }

    /** Takes the socket back, which the kernel does not close before; whoever waits comes out. Idempotent. */
    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            Logs.LINK.debug("closing a selector failed", e);
        }
    }
}
