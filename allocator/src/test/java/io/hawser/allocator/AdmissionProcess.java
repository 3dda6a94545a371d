package io.hawser.allocator;

import io.hawser.framing.CancelAnswer;
import io.hawser.framing.RejectPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** The asked side of one simulated process: answers over its link, and runs tasks that take some virtual time. */
final class AdmissionProcess implements ReservationSink {
    static final int PERMITS = 12;

    private static final int OPEN_LIMIT = 6;

    private final int index;
    private final AdmissionWorld world;
    private final AdmissionLink toCoordinator;
    private final List<StartRequest> running = new ArrayList<>();
    final CapacityModel capacity;
    final Reservations reservations;
    boolean isDead;

    AdmissionProcess(final int index, final AdmissionWorld world, final AdmissionLink toCoordinator) {
        this.index = index;
        this.world = world;
        this.toCoordinator = toCoordinator;
        this.capacity = new CapacityModel(PERMITS, Duration.ofMillis(world.settings.retryAfterMs()));
        this.reservations = new Reservations(
                new Moods(), this, world.workerCount(), OPEN_LIMIT * world.settings.scale(), world.settings.holdNs());
    }

    void onStart(final StartRequest request) {
        if (!isDead) {
            reservations.onStart(request, world.time.nowNs());
        }
    }

    void onGo(final long dataflowId, final long attemptId, final DirectBuffer plan) {
        if (!isDead) {
            reservations.onGo(
                    AdmissionWorld.COORDINATOR, dataflowId, attemptId, plan, 0, plan.capacity(), world.time.nowNs());
        }
    }

    void onRelease(final long dataflowId, final long attemptId) {
        if (!isDead) {
            reservations.onRelease(AdmissionWorld.COORDINATOR, dataflowId, attemptId, world.time.nowNs());
        }
    }

    /** What the scope of a dataflow does when it has failed. */
    void onDataflowFailed(final long dataflowId) {
        if (!isDead) {
            reservations.onDataflowCancelled(dataflowId, "failed");
            for (final StartRequest request : List.copyOf(running)) {
                if (request.dataflowId() == dataflowId) {
                    end(request);
                }
            }
        }
    }

    void onCoordinatorLost() {
        if (!isDead) {
            reservations.onProcessLost(AdmissionWorld.COORDINATOR);
        }
    }

    void tick() {
        if (!isDead) {
            reservations.tick(world.time.nowNs());
        }
    }

    @Override
    public void accept(final int askingProcess, final long dataflowId, final long attemptId, final long holdNs) {
        answer(() -> world.onAccept(index, dataflowId, attemptId, holdNs));
    }

    @Override
    public void reject(
            final int askingProcess,
            final long dataflowId,
            final long attemptId,
            final RejectPolicy policy,
            final int retryAfterMs,
            final String reason) {
        final Runnable delivery = () -> world.onReject(index, dataflowId, attemptId, policy, retryAfterMs, reason);
        if (reason.startsWith("nothing has run")) {
            toCoordinator.send(delivery); // if that got lost, nobody would ever know
        } else {
            answer(delivery);
        }
    }

    @Override
    public void cancelled(
            final int askingProcess, final long dataflowId, final long attemptId, final CancelAnswer answer) {}

    @Override
    public void start(final GoAhead goAhead) {
        final StartRequest request = goAhead.request();
        world.record(request.dataflowId()).onRun(goAhead, world.time.nowNs());
        running.add(request);
        world.time.after(world.taskNs(), () -> {
            if (!isDead && running.contains(request)) {
                end(request);
                toCoordinator.send(() -> world.onTaskDone(request.dataflowId(), goAhead.task()));
            }
        });
    }

    private void end(final StartRequest request) {
        running.remove(request);
        reservations.onTaskEnded(request.askingProcess(), request.attemptId());
    }

    private void answer(final Runnable delivery) {
        if (!world.happens(world.settings.swallowed())) {
            toCoordinator.send(delivery);
        }
    }

    /** Sometimes says no for no reason. */
    private final class Moods implements AdmissionHandler {
        @Override
        public Admission onStart(final StartRequest request) {
            if (world.happens(world.settings.rejected())) {
                return world.happens(0.02)
                        ? Admission.rejectForever("never")
                        : world.happens(0.5)
                                ? Admission.rejectElsewhere("elsewhere")
                                : Admission.rejectForNow("later", Duration.ofMillis(world.settings.retryAfterMs()));
            }
            return capacity.onStart(request);
        }

        @Override
        public void onGo(final StartRequest request) {
            capacity.onGo(request);
        }

        @Override
        public void onEnd(final StartRequest request, final boolean hasBegun) {
            capacity.onEnd(request, hasBegun);
        }
    }
}
