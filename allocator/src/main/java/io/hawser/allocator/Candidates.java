package io.hawser.allocator;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Where one task may still go, and when.
 *
 * <p>They are asked in rounds. Of those in the round the one goes next that was asked least often and may be asked now, in the order of preference. Who says elsewhere, or nothing, is out of the round; when
 * all are out, a new one begins after a pause. Who is lost is out for good.
 *
 * <p><em>Threading:</em> one thread. Times are those of one monotonic clock, ns, and may overflow.
 */
final class Candidates {
    static final int NONE = -1;

    private final int[] workers;
    private final long roundPauseNs;
    private final int[] askedCount;
    private final long[] readyNs;
    private final boolean[] isOut;
    private final boolean[] isLost;

    Candidates(final int[] workers, final long roundPauseNs, final long nowNs) {
        this.workers = workers;
        this.roundPauseNs = roundPauseNs;
        askedCount = new int[workers.length];
        readyNs = new long[workers.length];
        Arrays.fill(readyNs, nowNs);
        isOut = new boolean[workers.length];
        isLost = new boolean[workers.length];
    }

    int worker(final int candidate) {
        return workers[candidate];
    }

    /** The candidate to ask now, which counts as asked; {@link #NONE} if all have to be waited for. */
    int next(final long nowNs) {
        int best = NONE;
        for (int i = 0; i < workers.length; i++) {
            final boolean isReady = !isLost[i] && !isOut[i] && nowNs - readyNs[i] >= 0;
            if (isReady && (best == NONE || askedCount[i] < askedCount[best])) {
                best = i;
            }
        }
        if (best != NONE) {
            askedCount[best]++;
        }
        return best;
    }

    /** It stays in the round, but is not asked for a while. */
    void pause(final int candidate, final long pauseNs, final long nowNs) {
        readyNs[candidate] = nowNs + pauseNs;
    }

    void leaveRound(final int candidate, final long nowNs) {
        isOut[candidate] = true;
        beginRoundIfAllAreOut(nowNs);
    }

    void lose(final IntPredicate isLostWorker, final long nowNs) {
        for (int i = 0; i < workers.length; i++) {
            isLost[i] |= isLostWorker.test(workers[i]);
        }
        beginRoundIfAllAreOut(nowNs);
    }

    boolean areAllLost() {
        for (final boolean isThisLost : isLost) {
            if (!isThisLost) {
                return false;
            }
        }
        return true;
    }

    private void beginRoundIfAllAreOut(final long nowNs) {
        for (int i = 0; i < workers.length; i++) {
            if (!isLost[i] && !isOut[i]) {
                return;
            }
        }
        Arrays.fill(isOut, false);
        Arrays.fill(readyNs, nowNs + roundPauseNs);
    }
}
