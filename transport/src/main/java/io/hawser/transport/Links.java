package io.hawser.transport;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Links to other processes that come and go: what an engine needs whose processes join and leave at any time. Each {@link PeerLink} has a fate of its own; who wants all to share one fate forms a {@link Mesh}.
 *
 * <p><em>Threading:</em> any thread may call any method; none blocks but {@link #open} and {@link #close()}.
 */
public final class Links implements AutoCloseable {
    private Links() {}

    /**
     * Listens, and is ready to dial.
     *
     * @param config   settings
     * @param acceptor decides what becomes of links that others dial
     * @return the links, none yet
     * @throws IOException if the address cannot be listened at
     */
    public static Links open(final LinkConfig config, final LinkAcceptor acceptor) throws IOException {
        throw new IOException("not yet");
    }

    /** {@return where others may dial this process, with the port that it got if it had asked for any} */
    public Endpoint address() {
        throw new IllegalStateException("not yet");
    }

    /**
     * Makes a link to another process, again and again with a pause until {@link ClusterConfig#formationTimeoutNs()} is over if nobody answers.
     *
     * @param address  where the other process is found; looked up on each attempt
     * @param acceptor decides what becomes of what arrives on the link
     * @return the link, completed by the greet thread; or a {@link LinkException}
     * @throws IllegalStateException if these links are closed
     */
    public CompletionStage<PeerLink> dial(final Endpoint address, final LinkAcceptor acceptor) {
        throw new IllegalStateException("not yet");
    }

    /** {@return the links that are open} */
    public List<PeerLink> links() {
        throw new IllegalStateException("not yet");
    }

    /** {@return who came to the port without being a peer} */
    public StrangerCounts strangers() {
        throw new IllegalStateException("not yet");
    }

    /** {@return the account of the direct memory that rings and slabs of all links hold; it is at 0 after {@link #close()}} */
    public MemoryAccount memory() {
        throw new IllegalStateException("not yet");
    }

    /** Ends what links are left, uncleanly, with this process's user as the cause; frees the port; waits, bounded, until nothing is left. Idempotent. */
    @Override
    public void close() {
        throw new IllegalStateException("not yet");
    }
}
