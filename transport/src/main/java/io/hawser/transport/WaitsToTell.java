package io.hawser.transport;

import io.hawser.framing.FrameEncoder;
import io.hawser.framing.FrameHeaderFlyweight;
import io.hawser.framing.WaitFlyweight;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.MutableDirectBuffer;

/**
 * What this process has to say to one peer by WAIT: for each worker one place for its waits and one for its stalls, where the later replaces the earlier, so that short ones cannot pile up. Part of
 * {@link Session}.
 *
 * <p><em>Threading:</em> announced by any thread, encoded by the holder of the sending half.
 */
final class WaitsToTell {
    /** What the WAIT of a push occupies. */
    static final int FRAME_LENGTH =
            FrameHeaderFlyweight.alignedLength(FrameHeaderFlyweight.HEADER_LENGTH + WaitFlyweight.FIXED_LENGTH);

    /** What the WAIT of a stall occupies at most. */
    static final int STALL_FRAME_LENGTH =
            FrameHeaderFlyweight.alignedLength(FrameHeaderFlyweight.HEADER_LENGTH + WaitFlyweight.MAX_LENGTH);

    /** Of whoever has no workers yet. */
    static final WaitsToTell NONE = new WaitsToTell(0, 0);

    private final int firstWorker;
    private final Places waits;
    private final Places stalls;

    /** One for each worker. */
    private static final class Places {
        private final AtomicReferenceArray<WaitNews> news;
        private volatile boolean hasAny;

        Places(int workerCount) {
            news = new AtomicReferenceArray<>(workerCount);
        }

        void put(int localIndex, WaitNews latest) {
            news.set(localIndex, latest);
            hasAny = true;
        }

        /** Takes the next one; null if there is none. */
        WaitNews take() {
            hasAny = false; // first: what is announced from now on is looked for again
            for (int i = 0; i < news.length(); i++) {
                WaitNews next = news.get(i) == null ? null : news.getAndSet(i, null);
                if (next != null) {
                    hasAny = true; // there may be more
                    return next;
                }
            }
            return null;
        }
    }

    WaitsToTell(Hello own) {
        this(own.firstWorker(), own.workersPerProcess());
    }

    private WaitsToTell(int firstWorker, int workerCount) {
        this.firstWorker = firstWorker;
        this.waits = new Places(workerCount);
        this.stalls = new Places(workerCount);
    }

    void announce(WaitNews wait) {
        (wait.isOfStall() ? stalls : waits).put(wait.waiter() - firstWorker, wait);
    }

    /** {@return whether a push has something to say} */
    boolean hasAny() {
        return waits.hasAny;
    }

    /** {@return whether there is something to say of a stall} */
    boolean hasStalls() {
        return stalls.hasAny;
    }

    /** Writes the next one of a push, not sealed; returns the bytes that it occupies, 0 if there is none. */
    int encodeNext(FrameEncoder encoder, MutableDirectBuffer buffer, int offset) {
        return encode(waits.take(), encoder, buffer, offset);
    }

    /** Writes the next one of a stall, not sealed; returns the bytes that it occupies, 0 if there is none. */
    int encodeNextStall(FrameEncoder encoder, MutableDirectBuffer buffer, int offset) {
        return encode(stalls.take(), encoder, buffer, offset);
    }

    private static int encode(WaitNews wait, FrameEncoder encoder, MutableDirectBuffer buffer, int offset) {
        if (wait == null) {
            return 0;
        }
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
