package io.hawser.transport;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Waits until one half of a non-blocking socket is ready. The socket does not block, so that a worker may write to it by itself as long as the
 * kernel takes what it has; the thread of that half waits here for the rest.
 *
 * <p><em>Threading:</em> {@link #await()} is for the one thread of that half; the rest may be called by any.
 */
final class Readiness implements AutoCloseable {
    private static final Consumer<SelectionKey> NOTHING = key -> {};

    private static final int CLOSE_BYTES = 4 * 1024;
    private static final long CLOSE_RETRY_NS = 5_000_000;

    /** Ten seconds in all. */
    private static final int CLOSE_ATTEMPTS = 2_000;

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
            selector.wakeup();
            await(); // the first wait makes what the later ones need: the heap may be full by then
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

    /**
     * Takes the socket back, which the kernel does not close before; whoever waits comes out. Closing a selector takes some memory, and one that ran out of it in
     * the middle could never be closed again: so it is tried only while there is some, for some time. Idempotent.
     */
    @Override
    public void close() {
        for (int attempt = 0; attempt < CLOSE_ATTEMPTS && !closeIfMemory(); attempt++) {
            LockSupport.parkNanos(this, CLOSE_RETRY_NS);
        }
    }

    private boolean closeIfMemory() {
        try {
            Reference.reachabilityFence(new byte[CLOSE_BYTES]); // made, whatever the compiler thinks of it
            selector.close();
            return true;
        } catch (IOException e) {
            Logs.LINK.debug("closing a selector failed", e);
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        }
    }
}
