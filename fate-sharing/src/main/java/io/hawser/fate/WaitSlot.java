package io.hawser.fate;

/** What is known of one worker: its latest wait, its progress, and what was last reported of that wait. */
final class WaitSlot {
    private long number = -1;
    private boolean isWaiting;
    private long scopeId;
    private int channelId;
    private int firstTarget;
    private int targetCount;
    private long bytesWanted;
    private long sinceNs;

    private boolean hasStamp;
    private boolean hasMoved;
    private long stamp;
    private long movedNs;

    private WaitRoot reportedRoot;
    private long reportedNumber = -1;
    private long reportedNs;

    /** Takes a wait over, which must not be past; one told again keeps the earliest beginning that was told. */
    void onWaiting(
            long scopeId,
            int channelId,
            int firstTarget,
            int targetCount,
            long waitNumber,
            long beganNs,
            long bytesWanted) {
        if (waitNumber != number || beganNs - sinceNs < 0) {
            sinceNs = beganNs;
        }
        this.scopeId = scopeId;
        this.channelId = channelId;
        this.firstTarget = firstTarget;
        this.targetCount = targetCount;
        this.bytesWanted = bytesWanted;
        number = waitNumber;
        isWaiting = true;
    }

    /** Whether word of a wait is older than what is known: a later one was told, or this one is over. */
    boolean isPast(long waitNumber) {
        return waitNumber < number || waitNumber == number && !isWaiting;
    }

    void onOver(long waitNumber) {
        if (waitNumber >= number) {
            number = waitNumber;
            isWaiting = false;
            reportedRoot = null;
        }
    }

    void onProgress(long newStamp, long nowNs) {
        if (hasStamp && newStamp != stamp) {
            hasMoved = true;
            movedNs = nowNs;
        }
        hasStamp = true;
        stamp = newStamp;
    }

    boolean isWaiting() {
        return isWaiting;
    }

    int firstTarget() {
        return firstTarget;
    }

    int targetCount() {
        return targetCount;
    }

    long waitedNs(long nowNs) {
        return Math.max(0, nowNs - sinceNs);
    }

    boolean isReported() {
        return reportedRoot != null && reportedNumber == number;
    }

    WaitRoot reportedRoot() {
        return reportedRoot;
    }

    long sinceReportedNs(long nowNs) {
        return nowNs - reportedNs;
    }

    void onReported(WaitRoot root, long nowNs) {
        reportedRoot = root;
        reportedNumber = number;
        reportedNs = nowNs;
    }

    Standstill.Wait toWait(int worker, int nextWaiter, long nowNs) {
        return new Standstill.Wait(
                worker, scopeId, channelId, firstTarget, targetCount, number, waitedNs(nowNs), bytesWanted, nextWaiter);
    }

    Standstill.Consumer toConsumer(int worker, long longestWaitNs, long nowNs) {
        if (!hasStamp) {
            return new Standstill.Consumer(worker, Standstill.Progress.UNKNOWN, -1);
        }
        long agoNs = Math.max(0, nowNs - movedNs);
        return hasMoved && agoNs < longestWaitNs
                ? new Standstill.Consumer(worker, Standstill.Progress.MOVED, agoNs)
                : new Standstill.Consumer(worker, Standstill.Progress.NOT_MOVED, -1);
    }
}
