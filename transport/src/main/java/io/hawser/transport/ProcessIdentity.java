package io.hawser.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Who this operating-system process is, for messages only: identity on the wire is index, cluster id, generation and nonce.
 *
 * @param pid  process id
 * @param host host name as far as it is known without a network, otherwise "localhost"
 */
record ProcessIdentity(long pid, String host) {
    /** Found out once: a name service may be asked for it, and whoever makes a link must not wait for that. */
    private static final class Current {
        private static final ProcessIdentity IDENTITY =
                new ProcessIdentity(ProcessHandle.current().pid(), hostName());
    }

    static ProcessIdentity current() {
        return Current.IDENTITY;
    }

    private static String hostName() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // a machine without a name of its own: the pid and the address still tell it
        }
    }
}
