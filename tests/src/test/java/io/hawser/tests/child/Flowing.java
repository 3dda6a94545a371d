package io.hawser.tests.child;

import io.hawser.allocator.Dataflow;
import io.hawser.allocator.OnFull;
import io.hawser.allocator.PushResult;
import io.hawser.allocator.RawChannel;
import io.hawser.allocator.Worker;
import io.hawser.fate.Cause;
import io.hawser.fate.ScopeCancelledException;
import io.hawser.fate.ScopeOutcome;
import io.hawser.tests.harness.Event;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/** Work in one dataflow of all workers, whose windows fill, until it is over. */
final class Flowing {
    static final long DATAFLOW = 7;
    private static final int MESSAGE_LENGTH = 4 * 1024;
    private static final long OUTCOME_PATIENCE_S = 15;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private Flowing() {}

    /** Pushes without pulling, then waits to be dropped. The first worker of each process tells the outcome, also where the cluster is lost: {@code flow-over}. */
    static Long flow(final Worker worker, final ClusterRun run) throws Exception {
        final Dataflow dataflow = worker.dataflow(DATAFLOW);
        if (worker.localIndex() == 0) {
            new Thread(() -> tell(dataflow, run), "tells-outcome").start();
        }
        try {
            stand(worker, run, dataflow);
        } catch (final ScopeCancelledException cancelled) {
            run.count(1); // once for each worker that came out of its push
        }
        while (!run.isEndWanted()) { // a cancel alone ends nothing else
            worker.health().check();
            LockSupport.parkNanos(PAUSE_NS);
        }
        return (long) worker.index();
    }

    private static void stand(final Worker worker, final ClusterRun run, final Dataflow dataflow) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
        final RawChannel refusing = dataflow.allocateRaw(0, OnFull.REFUSE);
        final RawChannel waiting = dataflow.allocateRaw(1);
        for (int target = 0; target < worker.peers(); target++) {
            while (refusing.pusher(target).push(message, 0, MESSAGE_LENGTH) == PushResult.PUSHED) {
                // until it is full
            }
        }
        worker.flush();
        run.atWork(worker);
        while (true) {
            waiting.pusher((worker.index() + 1) % worker.peers()).push(message, 0, MESSAGE_LENGTH);
        }
    }

    private static void tell(final Dataflow dataflow, final ClusterRun run) {
        try {
            final ScopeOutcome outcome =
                    dataflow.whenOver().toCompletableFuture().get(OUTCOME_PATIENCE_S, TimeUnit.SECONDS);
            Report.send(describe(outcome, run.id()));
        } catch (final Exception late) {
            Report.send("broken", "run", run.id(), "text", "no outcome: " + dataflow + " " + late);
        }
    }

    private static Event describe(final ScopeOutcome outcome, final long run) {
        if (outcome instanceof ScopeOutcome.Failed failed) {
            final Cause cause = failed.cause();
            return Event.of(
                    "flow-over",
                    "run",
                    run,
                    "outcome",
                    "failed",
                    "kind",
                    cause.kind(),
                    "subject",
                    cause.subjectProcess(),
                    "observer",
                    cause.observerProcess(),
                    "seenAtMs",
                    cause.observedAtEpochMs(),
                    "seen",
                    cause.seen());
        }
        if (outcome instanceof ScopeOutcome.Cancelled cancelled) {
            return Event.of("flow-over", "run", run, "outcome", "cancelled", "by", cancelled.describe());
        }
        return Event.of("flow-over", "run", run, "outcome", "completed");
    }
}
