package io.hawser.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.allocator.Admission;
import io.hawser.allocator.AdmissionHandler;
import io.hawser.allocator.CapacityModel;
import io.hawser.allocator.PlacementListener;
import io.hawser.allocator.PlacementStep;
import io.hawser.allocator.PlacementVerdict;
import io.hawser.allocator.StartRequest;
import io.hawser.testkit.Deadline;
import io.hawser.testkit.ProxyLane;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L9, case 33: accepted there, timed out here, over links with a proxy. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LateAcceptIT {
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofMillis(300);
    private static final Duration SHORTLY = Duration.ofMillis(10);
    private static final int PERMITS = 2;

    /** Takes what its permits allow, and remembers how that ended: whether the task had begun. */
    private static final class Books implements AdmissionHandler {
        private final CapacityModel capacity = new CapacityModel(PERMITS, SHORTLY);
        private final List<Boolean> ends = new CopyOnWriteArrayList<>();

        @Override
        public Admission onStart(final StartRequest request) {
            return capacity.onStart(request);
        }

        @Override
        public void onGo(final StartRequest request) {
            capacity.onGo(request);
        }

        @Override
        public void onEnd(final StartRequest request, final boolean hasBegun) {
            capacity.onEnd(request, hasBegun);
            ends.add(hasBegun);
        }
    }

    /** What process 1 says is kept back, its ACCEPT above all; process 2 gets the task. Then what was kept back comes: while the placement is still open, or after all is over. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRunTaskOnceElsewhereAndReleaseLateAcceptCase33(final boolean isLateForAll) throws Exception {
        try (TaskForce force = TaskForce.form(3)) {
            final AtomicBoolean isHeld = new AtomicBoolean(!isLateForAll);
            final Books slow = new Books();
            final Books other = new Books();
            force.process(0)
                    .onStart(request ->
                            isHeld.get() ? Admission.rejectForNow("a little later", SHORTLY) : Admission.accept());
            force.process(1).onStart(slow);
            force.process(2).onStart(other);
            final List<PlacementStep> steps = new CopyOnWriteArrayList<>();
            final ProxyLane fromSlow = force.proxyBetween(0, 1).toTarget();
            fromSlow.stall();

            final CompletableFuture<PlacementVerdict> verdict = force.process(0)
                    .place(
                            TaskForce.placement(1, 1, 1, 2)
                                    .attemptTimeout(ATTEMPT_TIMEOUT)
                                    .attemptLimit(10_000)
                                    .build(),
                            listener(steps))
                    .toCompletableFuture();
            await("first release", () -> slow.ends.size() == 1);
            if (isLateForAll) {
                force.awaitHeard(1);
                fromSlow.pass();
            } else {
                await("acceptance elsewhere", () -> has(steps, PlacementStep.Kind.ACCEPTED, 2));
                fromSlow.pass();
                await("late acceptance", () -> has(steps, PlacementStep.Kind.ACCEPTED_LATE, 1));
                isHeld.set(false);
                force.awaitHeard(1);
            }
            assertThat(verdict.get().kind()).isEqualTo(PlacementVerdict.Kind.PLACED);
            assertThat(verdict.get().tasks().get(0)).isEqualTo(new PlacementVerdict.Task(2, 2, true));
            assertThat(has(steps, PlacementStep.Kind.TIMED_OUT, 1)).isTrue();
            assertThat(steps)
                    .filteredOn(step -> step.worker() == 1)
                    .as("nothing of it can have run on worker 1")
                    .noneMatch(PlacementStep::canHaveRun);
            await("end of the task", () -> other.ends.size() == 1);
            assertThat(force.begun()).containsExactly(2);
            assertThat(slow.ends).containsExactly(false);
            assertThat(other.ends).containsExactly(true);

            // worker 1 has all its permits, and takes the next work
            assertThat(slow.capacity.permitsFree()).isEqualTo(PERMITS);
            assertThat(slow.capacity.reservationsOpen()).isZero();
            force.process(0).place(TaskForce.placement(2, PERMITS, 1).build(), listener(steps));
            force.awaitHeard(2);
            assertThat(force.begun()).containsExactly(2, 1, 1);
        }
    }

    private static PlacementListener listener(final List<PlacementStep> steps) {
        return new PlacementListener() {
            @Override
            public void onStep(final PlacementStep step) {
                steps.add(step);
            }
        };
    }

    private static boolean has(final List<PlacementStep> steps, final PlacementStep.Kind kind, final int worker) {
        return steps.stream().anyMatch(step -> step.kind() == kind && step.worker() == worker);
    }

    private static void await(final String what, final BooleanSupplier isSo) {
        Deadline.await(Member.PATIENCE, what, isSo);
    }
}
