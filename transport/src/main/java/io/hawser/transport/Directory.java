package io.hawser.transport;

import java.io.IOException;
import java.util.List;

/**
 * Knows where the processes of a cluster live at the moment: the list that comes with the configuration, a file ({@link FileDirectory}), or whatever the user has: a name service, a scheduler, a key-value store.
 *
 * <p>It is asked before each dial, and about once a second while a process forms, so an answer may change at any time. Within a generation it does not say which process is which: that is told by index, cluster, generation and nonce when they
 * greet each other. From one generation to the next {@code Cluster.supervise} looks for its own address in the list, and takes the index where it stands.
 *
 * <p><em>Threading:</em> called by short-lived threads, one at a time for each cluster that forms, or for each call of {@code Cluster.supervise}, which goes by the last list if no answer comes within 3 s. It may block; but a call that never returns keeps its thread, for
 * each cluster that is formed without {@code supervise} another one.
 */
@FunctionalInterface
public interface Directory {
    /**
     * All processes of the cluster.
     *
     * @return where each of them listens, in the order of their indexes; at least one
     * @throws IOException if it cannot be known now: what was listed last stays, and the next dial asks again
     */
    List<Endpoint> list() throws IOException;
}
