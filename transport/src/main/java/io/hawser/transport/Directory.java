package io.hawser.transport;

import java.io.IOException;
import java.util.List;

/**
 * Knows where the processes of a cluster live at the moment: the list that comes with the configuration, a file ({@link FileDirectory}), or whatever the user has: a name service, a scheduler, a key-value store.
 *
 * <p>It is asked before each dial, and about once a second while a process forms, so an answer may change at any time. Which process is which never depends on it: that is told by index, cluster, generation and nonce when they
 * greet each other.
 *
 * <p><em>Threading:</em> called by short-lived threads of the transport, one at a time for each cluster that forms, and by {@code Cluster.supervise} in the caller's thread; it may block, which delays that dial and
 * nothing else.
 */
@FunctionalInterface
public interface Directory {
    /**
     * All processes of the cluster.
     *
     * @return where each of them listens, in the order of their indexes; at least one
     * @throws IOException if it cannot be known now: the dial that it was asked for fails with that reason, and the next one asks again
     */
    List<Endpoint> list() throws IOException;
}
