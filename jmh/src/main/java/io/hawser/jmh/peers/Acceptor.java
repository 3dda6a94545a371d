package io.hawser.jmh.peers;

/**
 * Is told when a {@link Lane} that is listened on has been connected to.
 *
 * <p><em>Threading:</em> called once, before the first delivery.
 */
@FunctionalInterface
interface Acceptor {
    /**
     * The lane stands.
     *
     * @param outlet for the way back; {@link Outlet#NONE} if the lane has none
     * @return who is delivered to
     */
    Receiver connected(Outlet outlet);
}
