package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All that has happened to one placement, on both sides, and whether it may have. */
final class PlacementRecord {
    private record Run(int task, int worker, long attemptId) {}

    /** After these steps nothing can have come, nor ever come, of an attempt. */
    private static final Set<PlacementStep.Kind> DEAD_ENDS = EnumSet.of(
            PlacementStep.Kind.REJECTED,
            PlacementStep.Kind.TIMED_OUT,
            PlacementStep.Kind.LAPSED,
            PlacementStep.Kind.ACCEPTED_LATE,
            PlacementStep.Kind.RELEASED,
            PlacementStep.Kind.REFUSED);

    private final String name;
    private final int taskCount;
    final List<PlacementVerdict> verdicts = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final Set<Long> deadAttempts = new HashSet<>();
    private final Set<Integer> done = new HashSet<>();
    private boolean hasGone;
    long firstRunNs;
    long lastRunNs;

    PlacementRecord(final String name, final int taskCount) {
        this.name = name;
        this.taskCount = taskCount;
    }

    void onStartSent() {
        assertThat(hasGone).as("%s: asked after a go-ahead", name).isFalse();
        assertThat(verdicts).as("%s: asked after the verdict", name).isEmpty();
    }

    void onGoSent() {
        hasGone = true;
        assertThat(verdicts).as("%s: go-ahead after the verdict", name).isEmpty();
    }

    void onStep(final PlacementStep step) {
        if (DEAD_ENDS.contains(step.kind()) || step.kind() == PlacementStep.Kind.LOST && !step.canHaveRun()) {
            assertThat(step.canHaveRun()).as("%s: %s", name, step).isFalse();
            deadAttempts.add(step.attemptId());
        }
    }

    void onVerdict(final PlacementVerdict verdict) {
        verdicts.add(verdict);
        assertThat(verdict.kind() == PlacementVerdict.Kind.PLACED).isEqualTo(hasGone && verdicts.size() == 1);
        assertThat(verdicts.size()).as("%s: %s", name, verdicts).isLessThanOrEqualTo(hasGone ? 2 : 1);
    }

    void onRun(final GoAhead goAhead, final long nowNs) {
        firstRunNs = runs.isEmpty() ? nowNs : firstRunNs;
        lastRunNs = nowNs;
        final StartRequest request = goAhead.request();
        assertThat(goAhead.workerOf(goAhead.task())).isEqualTo(request.targetWorker());
        runs.add(new Run(goAhead.task(), request.targetWorker(), request.attemptId()));
    }

    /** Returns whether this was the last task. */
    boolean onTaskDone(final int task) {
        done.add(task);
        return done.size() == taskCount;
    }

    /** When nothing more can happen. */
    void check(final boolean isCoordinatorDead) {
        final Set<Integer> ran = new HashSet<>();
        for (final Run run : runs) {
            assertThat(ran.add(run.task())).as("%s: run twice: %s", name, runs).isTrue();
            assertThat(deadAttempts).as("%s: run after it was given up", name).doesNotContain(run.attemptId());
        }
        assertThat(verdicts.isEmpty() && !isCoordinatorDead)
                .as("%s: no verdict", name)
                .isFalse();
        if (!hasGone) {
            assertThat(runs).as("%s: run without go-ahead", name).isEmpty();
        }
        if (verdicts.isEmpty()) {
            return;
        }
        final PlacementVerdict last = verdicts.get(verdicts.size() - 1);
        for (final Run run : runs) {
            final PlacementVerdict.Task task = last.tasks().get(run.task());
            assertThat(task.canHaveRun()).as("%s: run, %s", name, last).isTrue();
            assertThat(run.worker()).as("%s: run elsewhere, %s", name, last).isEqualTo(task.worker());
        }
        if (last.kind() == PlacementVerdict.Kind.PLACED && !isCoordinatorDead) {
            assertThat(ran).as("%s: placed, and not all have run", name).hasSize(taskCount);
            assertThat(done).as("%s: placed, and not all are done", name).hasSize(taskCount);
        }
    }
}
