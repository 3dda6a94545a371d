package io.hawser.transport;

/**
 * Says of one worker in the log that it stands still, and that it does so no more. One that does so again and again is told of ever more seldom.
 *
 * <p><em>Threading:</em> the watch thread.
 */
final class StallLog {
    private final long firstNs;
    private Pace pace;
    private boolean isSaid;

    StallLog(long firstNs) {
        this.firstNs = firstNs;
    }

    void onBegun(WorkerStall stall, long nowNs) {
        if (pace == null) {
            pace = new Pace(firstNs, nowNs - firstNs);
        }
        isSaid = pace.isDue(nowNs);
        if (isSaid) {
            Logs.HEALTH.warn("{}", stall.describe());
        } else {
            Logs.HEALTH.debug("{}", stall.describe());
        }
    }

    void onOver(WorkerStall stall) {
        if (isSaid) {
            isSaid = false;
            Logs.HEALTH.info(
                    "worker {} of process {} stands still no more, after {} ms or a little longer",
                    stall.worker(),
                    stall.process(),
                    stall.lasted().toMillis());
        }
    }
}
