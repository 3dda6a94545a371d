package io.hawser.tests.harness;

/** How a {@link FaultProxy} ends a connection towards both sides. */
public enum Cut {
    /** An orderly end of stream, as when a process closes its socket with nothing unread. */
    FIN,
    /** A reset, as when a process dies with input unread, or a firewall refuses. */
    RST
}
