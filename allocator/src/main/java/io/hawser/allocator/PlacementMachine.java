package io.hawser.allocator;

import io.hawser.framing.RejectPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The asking side of admission, for one placement: how it is done stands at {@link Placement}.
 *
 * <pre>
 *   PLACING --all accepted, all GOs sent--> GONE --refused, lost, dataflow or cluster ended--> ENDED
 *      |                                                                                         ^
 *      +--never, no candidate, too many attempts, deadline, cancelled: all released--------------+
 * </pre>
 *
 * <p>Nothing that is done in PLACING has a side effect, nothing is tried again after it (law L9).
 *
 * <p><em>Threading:</em> one thread at a time. No clock: times are those of one monotonic clock, ns, and may overflow.
 */
final class PlacementMachine {
    private enum Phase {
        PLACING,
        GONE,
        ENDED
    }

    private final Placement placement;
    private final PlacementSink sink;
    private final LongSupplier attemptIds;
    private final IntUnaryOperator processOf;
    private final long beginNs;
    private final List<TaskAttempts> tasks = new ArrayList<>();

    /** All that were ever made for this placement, so that a late answer is recognised. */
    private final Long2ObjectHashMap<Attempt> attempts = new Long2ObjectHashMap<>();

    private Phase phase = Phase.PLACING;

    PlacementMachine(
            final Placement placement,
            final PlacementSink sink,
            final LongSupplier attemptIds,
            final IntUnaryOperator processOf,
            final long nowNs) {
        this.placement = placement;
        this.sink = sink;
        this.attemptIds = attemptIds;
        this.processOf = processOf;
        this.beginNs = nowNs;
        for (int i = 0; i < placement.tasks().size(); i++) {
            final Candidates candidates = new Candidates(placement.candidatesOf(i), placement.retryPauseNs(), nowNs);
            tasks.add(new TaskAttempts(i, placement.tasks().get(i), candidates));
        }
    }

    /** Asks for all tasks at once, but not where it would be in vain. */
    void begin(final IntPredicate isLostProcess, final long nowNs) {
        for (final TaskAttempts task : tasks) {
            task.candidates.lose(worker -> isLostProcess.test(processOf.applyAsInt(worker)), nowNs);
        }
        for (final TaskAttempts task : tasks) {
            offer(task, nowNs);
        }
    }

    /** ACCEPT; returns false if it is against the protocol. */
    boolean onAccept(final int process, final long attemptId, final long holdNs, final long nowNs) {
        final Attempt attempt = attempts.get(attemptId);
        if (attempt == null || attempt.process != process) {
            return false;
        }
        switch (attempt.state) {
            case OFFERED -> {
                attempt.state = Attempt.State.ACCEPTED;
                attempt.holdNs = holdNs;
                step(attempt, PlacementStep.Kind.ACCEPTED, "");
                goIfAllAreAccepted(nowNs);
            }
            case GIVEN_UP -> {
                attempt.state = Attempt.State.OVER;
                sink.release(process, placement.dataflowId(), attemptId);
                step(attempt, PlacementStep.Kind.ACCEPTED_LATE, "");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** REJECT, of a START or of a GO; returns false if it is against the protocol. */
    boolean onReject(
            final int process,
            final long attemptId,
            final RejectPolicy policy,
            final int retryAfterMs,
            final String reason,
            final long nowNs) {
        final Attempt attempt = attempts.get(attemptId);
        if (attempt == null || attempt.process != process) {
            return false;
        }
        switch (attempt.state) {
            case OFFERED -> {
                attempt.state = Attempt.State.OVER;
                step(attempt, PlacementStep.Kind.REJECTED, reason);
                onRejected(attempt, policy, retryAfterMs, reason, nowNs);
            }
            case WENT -> {
                attempt.state = Attempt.State.OVER;
                step(attempt, PlacementStep.Kind.REFUSED, reason);
                failAfterGo(attempt, "its go-ahead was refused: " + reason);
            }
            case GIVEN_UP -> attempt.state = Attempt.State.OVER;
            default -> {
                return false;
            }
        }
        return true;
    }

    /** A process is lost: what it was asked is tried elsewhere, or, after go-ahead, has failed. */
    void onProcessLost(final int process, final long nowNs) {
        for (final TaskAttempts task : tasks) {
            task.candidates.lose(worker -> processOf.applyAsInt(worker) == process, nowNs);
        }
        for (final TaskAttempts task : tasks) {
            if (task.current == null || task.current.process != process) {
                continue;
            }
            final String reason = "process " + process + " is lost";
            if (phase == Phase.PLACING) {
                task.current.state = Attempt.State.OVER;
                step(task.current, PlacementStep.Kind.LOST, reason);
                retry(task, reason, nowNs);
            } else if (phase == Phase.GONE) {
                step(task.current, PlacementStep.Kind.LOST, reason);
                failAfterGo(task.current, reason);
            }
        }
        tick(nowNs);
    }

    /** Time passes. */
    void tick(final long nowNs) {
        if (phase == Phase.PLACING && nowNs - beginNs >= placement.deadlineNs()) {
            end(PlacementVerdict.Kind.FAILED, "not placed in time: deadlineNs=" + placement.deadlineNs() + stillOpen());
        }
        for (final TaskAttempts task : tasks) {
            if (phase == Phase.PLACING) {
                tick(task, nowNs);
            }
        }
    }

    private void tick(final TaskAttempts task, final long nowNs) {
        final Attempt attempt = task.current;
        if (attempt == null) {
            offer(task, nowNs);
        } else if (attempt.state == Attempt.State.OFFERED && nowNs - attempt.sentNs >= placement.attemptTimeoutNs()) {
            final String reason = "worker " + attempt.worker + " has not answered in time: attemptTimeoutNs="
                    + placement.attemptTimeoutNs();
            release(attempt, PlacementStep.Kind.TIMED_OUT, reason);
            task.candidates.leaveRound(attempt.candidate, nowNs);
            retry(task, reason, nowNs);
        } else if (attempt.state == Attempt.State.ACCEPTED && attempt.hasLapsed(nowNs)) {
            final String reason = "worker " + attempt.worker + " keeps its place no longer: holdNs=" + attempt.holdNs;
            release(attempt, PlacementStep.Kind.LAPSED, reason);
            retry(task, reason, nowNs);
        }
    }

    /** The user wants it no more. Before go-ahead all is released; afterwards it is the dataflow's matter. Returns whether it was in time. */
    boolean cancel(final String reason) {
        if (phase != Phase.PLACING) {
            return false;
        }
        end(PlacementVerdict.Kind.CANCELLED, reason);
        return true;
    }

    /** The dataflow has ended, however: from now on nothing more is said of this placement. */
    void onDataflowEnded() {
        if (phase == Phase.PLACING) {
            end(PlacementVerdict.Kind.CANCELLED, "the dataflow has ended");
        }
        phase = Phase.ENDED;
    }

    /** The cluster has ended for this process: who waits for a verdict gets it. */
    void onClusterEnded(final String reason) {
        if (phase == Phase.PLACING) {
            end(PlacementVerdict.Kind.FAILED, reason);
        } else if (phase == Phase.GONE) {
            phase = Phase.ENDED;
            verdict(PlacementVerdict.Kind.FAILED, reason);
        }
    }

    boolean isPlacing() {
        return phase == Phase.PLACING;
    }

    boolean isEnded() {
        return phase == Phase.ENDED;
    }

    boolean hasMade(final long attemptId) {
        return attempts.containsKey(attemptId);
    }

    private void offer(final TaskAttempts task, final long nowNs) {
        if (phase != Phase.PLACING) {
            return;
        }
        if (task.candidates.areAllLost()) {
            end(PlacementVerdict.Kind.FAILED, because(task, "has no candidate left"));
            return;
        }
        if (task.count == placement.attemptLimit()) {
            end(PlacementVerdict.Kind.FAILED, because(task, "was asked for as often as may be"));
            return;
        }
        final int candidate = task.candidates.next(nowNs);
        if (candidate == Candidates.NONE) {
            return;
        }
        final int worker = task.candidates.worker(candidate);
        final Attempt attempt =
                new Attempt(attemptIds.getAsLong(), task, candidate, worker, processOf.applyAsInt(worker), nowNs);
        attempts.put(attempt.id, attempt);
        task.current = attempt;
        task.worker = worker;
        task.count++;
        sink.start(worker, placement.dataflowId(), attempt.id, task.task);
        step(attempt, PlacementStep.Kind.OFFERED, "");
    }

    private void retry(final TaskAttempts task, final String reason, final long nowNs) {
        task.current = null;
        task.lastReason = reason;
        offer(task, nowNs);
    }

    private void onRejected(
            final Attempt attempt,
            final RejectPolicy policy,
            final int retryAfterMs,
            final String reason,
            final long nowNs) {
        final TaskAttempts task = attempt.task;
        switch (policy) {
            case NEVER -> {
                task.lastReason = reason;
                end(PlacementVerdict.Kind.FAILED, because(task, "was rejected for good"));
                return;
            }
            case LATER_HERE ->
                task.candidates.pause(attempt.candidate, TimeUnit.MILLISECONDS.toNanos(retryAfterMs), nowNs);
            case ELSEWHERE -> task.candidates.leaveRound(attempt.candidate, nowNs);
        }
        retry(task, "worker " + attempt.worker + ": " + reason, nowNs);
    }

    private void goIfAllAreAccepted(final long nowNs) {
        for (final TaskAttempts task : tasks) {
            if (task.isIn(Attempt.State.ACCEPTED) && task.current.hasLapsed(nowNs)) {
                tick(task, nowNs);
            }
        }
        for (final TaskAttempts task : tasks) {
            if (phase != Phase.PLACING || !task.isIn(Attempt.State.ACCEPTED)) {
                return;
            }
        }
        go();
    }

    private void go() {
        phase = Phase.GONE;
        final int[] workers = tasks.stream().mapToInt(task -> task.worker).toArray();
        for (final TaskAttempts task : tasks) {
            task.current.state = Attempt.State.WENT;
            sink.go(
                    task.worker,
                    placement.dataflowId(),
                    task.current.id,
                    PlanDescriptor.encode(task.index, workers, task.task.plan()));
        }
        for (final TaskAttempts task : tasks) {
            step(task.current, PlacementStep.Kind.WENT, "");
        }
        verdict(PlacementVerdict.Kind.PLACED, "");
    }

    private void failAfterGo(final Attempt attempt, final String reason) {
        phase = Phase.ENDED;
        verdict(PlacementVerdict.Kind.FAILED, "task " + attempt.task.index + ": " + reason);
    }

    /** Before go-ahead: all is given back. */
    private void end(final PlacementVerdict.Kind kind, final String reason) {
        phase = Phase.ENDED;
        for (final TaskAttempts task : tasks) {
            if (task.isIn(Attempt.State.OFFERED) || task.isIn(Attempt.State.ACCEPTED)) {
                release(task.current, PlacementStep.Kind.RELEASED, reason);
            }
        }
        verdict(kind, reason);
    }

    private void release(final Attempt attempt, final PlacementStep.Kind kind, final String reason) {
        attempt.state = attempt.state == Attempt.State.OFFERED ? Attempt.State.GIVEN_UP : Attempt.State.OVER;
        sink.release(attempt.process, placement.dataflowId(), attempt.id);
        step(attempt, kind, reason);
    }

    private void step(final Attempt attempt, final PlacementStep.Kind kind, final String reason) {
        final boolean canHaveRun = attempt.state == Attempt.State.WENT;
        sink.step(new PlacementStep(
                placement.dataflowId(), attempt.task.index, attempt.worker, attempt.id, kind, canHaveRun, reason));
    }

    private void verdict(final PlacementVerdict.Kind kind, final String reason) {
        final List<PlacementVerdict.Task> ofTasks = new ArrayList<>();
        for (final TaskAttempts task : tasks) {
            ofTasks.add(new PlacementVerdict.Task(task.worker, task.count, task.canHaveRun()));
        }
        sink.verdict(new PlacementVerdict(placement.dataflowId(), kind, ofTasks, reason));
    }

    private String because(final TaskAttempts task, final String what) {
        final String last = task.lastReason.isEmpty() ? "" : "; last: " + task.lastReason;
        return "task " + task.index + " " + what + ": attempts=" + task.count + last;
    }

    private String stillOpen() {
        for (final TaskAttempts task : tasks) {
            if (!task.isIn(Attempt.State.ACCEPTED)) {
                return "; " + because(task, "is not accepted");
            }
        }
        return "";
    }
}
