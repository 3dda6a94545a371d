package io.hawser.transport;

/**
 * Decides what becomes of what arrives on a new link.
 *
 * <p><em>Threading:</em> called by the greet thread of {@link Links}, once for each link, before anything arrives on it. Must not block: all other links are made by the same thread.
 */
@FunctionalInterface
public interface LinkAcceptor {
    /**
     * A link has been made, by a dial of this side or of the other one.
     *
     * @param link the new link; rings may be opened and notices offered from now on
     * @return who receives what arrives, not null. If it throws, the link is lost
     */
    LinkReceiver onLink(PeerLink link);
}
