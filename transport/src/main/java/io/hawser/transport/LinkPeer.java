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
    /** Reads name and address as the last "@" separates them, see PROTOCOL.md. */
    static LinkPeer of(Hello hello) {
        int at = hello.address().lastIndexOf('@');
        return new LinkPeer(
                hello.address().substring(0, Math.max(0, at)),
                hello.address().substring(at + 1),
                hello.pid(),
                hello.host(),
                hello.nonce());
    }

    /** {@return whether the texts can be printed, and there is a name} */
    boolean isPlain() {
        return !name.isEmpty() && (name + address + host).chars().noneMatch(Character::isISOControl);
    }

    /** {@return one line} */
    @Override
    public String toString() {
        return name + " (at " + address + ", pid " + pid + "@" + host + ")";
    }
}
