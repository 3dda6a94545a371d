package io.hawser.transport;

import io.hawser.framing.FrameEncoder;
import io.hawser.framing.HeartbeatFlyweight;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.MutableDirectBuffer;

/**
 * The heartbeats of one link, those that leave and those that come: part of {@link Session}. Time comes in as an argument.
 *
 * <p>They leave at the multiples of the interval on the clock, so that all links of a machine wake it from its sleep at the same moment ("Heartbeats leave
 * together" in ARCHITECTURE.md).
 *
 * <p><em>Threading:</em> each method says which half may call it.
 */
final class Heartbeats {
    private final long intervalNs;

    // any thread
    private volatile long longestPauseNs;
    private volatile ProgressSource progress = ProgressSource.NONE;

    /** Send half: the beat that the last heartbeat belongs to, at or before the moment when it was made. */
    private long beatNs;

    // receive half
    private volatile long peerClockNs;
    private volatile long peerClockHeardNs;
    private volatile long roundTripNs;
    private volatile long echoNs;

    /** By the worker's index in its process; null before the first heartbeat that tells. */
    private volatile AtomicLongArray peerProgress;

    Heartbeats(long intervalNs) {
        this.intervalNs = intervalNs;
    }

    /** Any thread: from now on heartbeats tell how far the workers of this process have got. */
    void progressSource(ProgressSource source) {
        progress = source;
    }

    /** Any thread: this process has noticed a pause of its own. */
    void longestPause(long pauseNs) {
        longestPauseNs = pauseNs;
    }

    /** Before the first. */
    void onConnected(long nowNs) {
        beatNs = nowNs - Math.floorMod(nowNs, intervalNs);
    }

    /** Send half. */
    boolean isDue(long nowNs) {
        return nowNs - beatNs >= intervalNs;
    }

    /** Send half: how long until the next one, ns; negative if it is late. */
    long dueInNs(long nowNs) {
        return beatNs + intervalNs - nowNs;
    }

    /** Send half: writes one, not sealed; returns the bytes that it occupies. */
    int encode(FrameEncoder encoder, MutableDirectBuffer buffer, int offset, long receivedBytes, long nowNs) {
        long echo = peerClockNs;
        ProgressSource source = progress;
        int workers = source.workerCount();
        HeartbeatFlyweight frame = encoder.heartbeat(buffer, offset)
                .clockNs(nowNs)
                .echoClockNs(echo)
                .echoAgeNs(echo == 0 ? 0 : Math.max(0, nowNs - peerClockHeardNs))
                .bytesReceived(receivedBytes)
                .longestPauseNs(longestPauseNs)
                .workerCount(workers);
        for (int i = 0; i < workers; i++) {
            frame.progress(i, source.progress(i));
        }
        beatNs = nowNs - Math.floorMod(nowNs - beatNs, intervalNs);
        return encoder.end();
    }

    /** Receive half. */
    void onHeard(HeartbeatFlyweight frame, int peerWorkers, long nowNs) {
        peerClockHeardNs = nowNs;
        peerClockNs = frame.clockNs();
        if (frame.echoClockNs() != 0) {
            roundTripNs = Math.max(0, nowNs - frame.echoClockNs() - frame.echoAgeNs());
            echoNs = frame.echoClockNs();
        }
        int count = Math.min(frame.workerCount(), peerWorkers);
        if (count > 0 && peerProgress == null) {
            peerProgress = new AtomicLongArray(peerWorkers);
        }
        for (int i = 0; i < count; i++) {
            peerProgress.set(i, frame.progress(i));
        }
    }

    /**
     * {@return whether the peer has answered a heartbeat that was sent after a moment} Any thread.
     *
     * @param sinceNs the moment
     */
    boolean hasAnsweredSince(long sinceNs) {
        long echo = echoNs;
        return echo != 0 && echo - sinceNs > 0;
    }

    /** {@return the latest round trip, ns, 0 if none yet} Any thread. */
    long roundTripNs() {
        return roundTripNs;
    }

    /** {@return how far a worker of the peer has got, as of the last heartbeat} Any thread. */
    long peerProgress(int localIndex) {
        AtomicLongArray stamps = peerProgress;
        return stamps == null ? 0 : stamps.get(localIndex);
    }

    /** {@return when the last heartbeat came that told progress, ns; 0 if none has} Any thread. */
    long peerHeardNs() {
        return peerProgress == null ? 0 : peerClockHeardNs;
    }
}
