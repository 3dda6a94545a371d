package io.hawser.transport;

import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.WaitFlyweight;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.MutableDirectBuffer;

/**
 * What the pushes of this process have to say to one peer by WAIT: one place for each worker, where the later replaces the earlier, so that short waits cannot pile up. Part of
 * {@link Session}.
 *
 * <p><em>Threading:</em> announced by any thread, encoded by the holder of the sending half.
 */
final class WaitsToTell {
    /** What one WAIT occupies at most. */
    static final int FRAME_LENGTH =
            FrameHeaderFlyweight.alignedLength(FrameHeaderFlyweight.HEADER_LENGTH + WaitFlyweight.MAX_LENGTH);

    /** Of whoever has no workers yet. */
    static final WaitsToTell NONE = new WaitsToTell(0, 0);

    private final int firstWorker;
    private final AtomicReferenceArray<WaitNews> waits;
    private volatile boolean hasAny;

    WaitsToTell(Hello own) {
        this(own.firstWorker(), own.workersPerProcess());
    }

    private WaitsToTell(int firstWorker, int workerCount) {
        this.firstWorker = firstWorker;
        this.waits = new AtomicReferenceArray<>(workerCount);
    }

    void announce(WaitNews wait) {
        waits.set(wait.waiter() - firstWorker, wait);
        hasAny = true;
    }

    boolean hasAny() {
        return hasAny;
    }

    /** Writes the next one, not sealed; returns the bytes that it occupies, 0 if there is none. */
    int encodeNext(FrameEncoder encoder, MutableDirectBuffer buffer, int offset) {
        hasAny = false; // first: what is announced from now on is looked for again
        for (int i = 0; i < waits.length(); i++) {
            WaitNews wait = waits.getAndSet(i, null);
            if (wait != null) {
                hasAny = true; // there may be more
                return encode(wait, encoder, buffer, offset);
            }
        }
        return 0;
    }

    private static int encode(WaitNews wait, FrameEncoder encoder, MutableDirectBuffer buffer, int offset) {
        encoder.waiting(buffer, offset)
                .waitNumber(wait.number())
                .waitedNs(wait.waitedNs())
                .bytesWanted(wait.bytes())
                .state(wait.state())
                .stack(wait.stack());
        encoder.header()
                .scopeId(wait.scopeId())
                .channelId(wait.channelId())
                .sourceWorker(wait.waiter())
                .targets(wait.firstTarget(), wait.targetCount());
        return encoder.end();
    }
}
