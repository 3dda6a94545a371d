package io.hawser.transport;

/**
 * A snapshot of one link. The figures are monotonic within a generation and are read without stopping anybody, so that they may
 * be a moment apart.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param process     index of the peer
 * @param bytesIn     bytes received, all frames
 * @param bytesOut    bytes sent, all frames
 * @param framesIn    DATA frames received
 * @param framesOut   DATA frames sent
 * @param roundTripNs latest round trip between the I/O threads as told by heartbeats, ns; 0 if none yet
 * @param silenceNs   time since the last byte came, ns
 * @param lateFrames  DATA frames received that were discarded, because their dataflow was stopped already
 */
public record PeerStats(
        int process,
        long bytesIn,
        long bytesOut,
        long framesIn,
        long framesOut,
        long roundTripNs,
        long silenceNs,
        long lateFrames) {}
