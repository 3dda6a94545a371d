package io.hawser.transport;

import java.net.SocketAddress;

/** A link at one moment, for messages. */
record LinkState(
        SocketAddress local,
        SocketAddress remote,
        Session.State state,
        long bytesIn,
        long bytesOut,
        long ageMs,
        long lastByteMsAgo) {

    @Override
    public String toString() {
        return "link " + local + " to " + remote + " state=" + state + " bytesIn=" + bytesIn + " bytesOut=" + bytesOut
                + " ageMs=" + ageMs + " lastByteMsAgo=" + lastByteMsAgo;
    }
}
