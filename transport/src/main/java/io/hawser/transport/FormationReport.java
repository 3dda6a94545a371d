package io.hawser.transport;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How far forming the cluster had come when it was given up: every peer, not only the first missing one.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param process    index of the process that reports
 * @param generation generation that was being formed
 * @param reason     why forming was given up
 * @param elapsedNs  how long it was tried, ns
 * @param peers      every peer, by index
 */
public record FormationReport(int process, long generation, String reason, long elapsedNs, List<Peer> peers) {
    /**
     * Where one peer stood.
     *
     * <p><em>Threading:</em> immutable.
     *
     * @param process   its index
     * @param endpoint  its address
     * @param state     "connected", "ready", or what was being waited for
     * @param isConnected whether it was there at all
     * @param attempts  dials made to it, 0 if it is the one that dials
     * @param lastError the last thing that went wrong with it, empty if nothing did
     */
    public record Peer(
            int process, Endpoint endpoint, String state, boolean isConnected, int attempts, String lastError) {
        @Override
        public String toString() {
            return "process " + process + " at " + endpoint + ": " + state
                    + (attempts == 0 ? "" : ", " + attempts + (attempts == 1 ? " dial" : " dials"))
                    + (lastError.isEmpty() ? "" : ", last error: " + lastError);
        }
    }

    /**
     * Copies the list.
     *
     * @param process    index of the process that reports
     * @param generation generation that was being formed
     * @param reason     why forming was given up
     * @param elapsedNs  how long it was tried, ns
     * @param peers      every peer, by index
     */
    public FormationReport {
        peers = List.copyOf(peers);
    }

    /** {@return those that were not there, in one line; if all were, those that were waited for} */
    public String missing() {
        boolean areAllConnected = peers.stream().allMatch(Peer::isConnected);
        return peers.stream()
                .filter(peer -> areAllConnected || !peer.isConnected())
                .map(Peer::toString)
                .collect(Collectors.joining("; "));
    }

    /** {@return several lines: the reason, then a line for each peer} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(128)
                .append("process ")
                .append(process)
                .append(" could not form generation ")
                .append(generation)
                .append("; given up after ")
                .append(elapsedNs / 1_000_000)
                .append(" ms: ")
                .append(reason);
        for (Peer peer : peers) {
            text.append("\n  ").append(peer);
        }
        return text.toString();
    }
}
