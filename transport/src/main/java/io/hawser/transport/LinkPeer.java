package io.hawser.transport;

/**
 * Who is at the other end of a {@link PeerLink}, as it says itself.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param name    its {@link LinkConfig#name()}
 * @param address where it is to be found by those who dial it
 * @param pid     its process id
 * @param host    its host name
 * @param nonce   random number of its {@link Links}: tells a restarted process from its predecessor
 */
public record LinkPeer(String name, String address, long pid, String host, long nonce) {
    /** {@return one line} */
    @Override
    public String toString() {
        return name + " (at " + address + ", pid " + pid + "@" + host + ")";
    }
}
