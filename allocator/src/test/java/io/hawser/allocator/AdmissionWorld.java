package io.hawser.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.framing.RejectPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.DirectBuffer;

/** A cluster in virtual time: one coordinator, several processes of two workers each, and links between them that keep order. */
final class AdmissionWorld implements PlacementSink {
    static final int COORDINATOR = 0;
    static final int WORKERS_PER_PROCESS = 2;

    private static final int FRAME_LIMIT = 1 << 16;

    final VirtualTimeline time = new VirtualTimeline();
    final AdmissionSettings settings;
    final Map<PlacementStep.Kind, Integer> stepCounts = new EnumMap<>(PlacementStep.Kind.class);
    private final Random random;
    private final String name;
    private final Placements placements;
    private final List<AdmissionProcess> processes = new ArrayList<>();
    private final List<AdmissionLink> toProcesses = new ArrayList<>();
    private final List<AdmissionLink> fromProcesses = new ArrayList<>();
    private final Map<Long, PlacementRecord> records = new HashMap<>();
    private boolean isCoordinatorDead;

    /** When the last task of all was told to be done. */
    long lastDoneNs;

    AdmissionWorld(final AdmissionSettings settings, final long seed, final String name) {
        this.settings = settings;
        this.random = new Random(seed);
        this.name = name;
        this.placements = new Placements(this, workerCount(), AdmissionWorld::processOf, FRAME_LIMIT);
        for (int process = 0; process < settings.processes(); process++) {
            toProcesses.add(new AdmissionLink(time, this::delayNs));
            fromProcesses.add(new AdmissionLink(time, this::delayNs));
            processes.add(new AdmissionProcess(process, this, fromProcesses.get(process)));
        }
    }

    static int processOf(final int worker) {
        return worker / WORKERS_PER_PROCESS;
    }

    int workerCount() {
        return settings.processes() * WORKERS_PER_PROCESS;
    }

    boolean happens(final double probability) {
        return random.nextDouble() < probability;
    }

    long taskNs() {
        return (long) (settings.taskMaxNs() * random.nextDouble());
    }

    PlacementRecord record(final long dataflowId) {
        return records.get(dataflowId);
    }

    void begin(final Placement placement) {
        if (!isCoordinatorDead) {
            records.put(
                    placement.dataflowId(),
                    new PlacementRecord(
                            name + " dataflowId=" + placement.dataflowId(),
                            placement.tasks().size()));
            placements.begin(placement, time.nowNs());
        }
    }

    void cancel(final long dataflowId) {
        if (!isCoordinatorDead) {
            placements.cancel(dataflowId, "cancelled");
        }
    }

    /** Another process has cancelled the dataflow, and this one is the first to hear of it. */
    void cancelAt(final int process, final long dataflowId) {
        processes.get(process).reservations.onDataflowCancelled(dataflowId, "cancelled there");
    }

    void tick() {
        if (!isCoordinatorDead) {
            placements.tick(time.nowNs());
        }
        processes.forEach(AdmissionProcess::tick);
    }

    void drain(final int process) {
        processes.get(process).reservations.drain();
    }

    void kill(final int process) {
        processes.get(process).isDead = true;
        if (process != COORDINATOR) {
            fromProcesses.get(process).end(happens(0.5), () -> {
                if (!isCoordinatorDead) {
                    placements.onProcessLost(process, time.nowNs());
                }
            });
            return;
        }
        isCoordinatorDead = true;
        for (int survivor = 1; survivor < settings.processes(); survivor++) {
            toProcesses.get(survivor).end(happens(0.5), processes.get(survivor)::onCoordinatorLost);
        }
    }

    void onAccept(final int process, final long dataflowId, final long attemptId, final long holdNs) {
        if (!isCoordinatorDead) {
            assertThat(placements.onAccept(process, dataflowId, attemptId, holdNs, time.nowNs()))
                    .as("%s: ACCEPT against the protocol", name)
                    .isTrue();
        }
    }

    void onReject(
            final int process,
            final long dataflowId,
            final long attemptId,
            final RejectPolicy policy,
            final int retryAfterMs,
            final String reason) {
        if (!isCoordinatorDead) {
            assertThat(placements.onReject(process, dataflowId, attemptId, policy, retryAfterMs, reason, time.nowNs()))
                    .as("%s: REJECT against the protocol", name)
                    .isTrue();
        }
    }

    void onTaskDone(final long dataflowId, final int task) {
        lastDoneNs = time.nowNs();
        if (!isCoordinatorDead && record(dataflowId).onTaskDone(task)) {
            placements.onDataflowEnded(dataflowId);
        }
    }

    @Override
    public void start(final int worker, final long dataflowId, final long attemptId, final PlacementTask task) {
        record(dataflowId).onStartSent();
        final DirectBuffer payload = task.payload();
        final StartRequest request = new StartRequest(
                dataflowId,
                attemptId,
                COORDINATOR,
                worker,
                task.weight(),
                task.priority(),
                payload,
                0,
                payload.capacity());
        final int process = processOf(worker);
        if (!happens(settings.swallowed())) {
            toProcesses.get(process).send(() -> processes.get(process).onStart(request));
        }
    }

    @Override
    public void go(final int worker, final long dataflowId, final long attemptId, final DirectBuffer plan) {
        record(dataflowId).onGoSent();
        final int process = processOf(worker);
        toProcesses.get(process).send(() -> processes.get(process).onGo(dataflowId, attemptId, plan));
    }

    @Override
    public void release(final int process, final long dataflowId, final long attemptId) {
        if (!happens(settings.swallowed())) {
            toProcesses.get(process).send(() -> processes.get(process).onRelease(dataflowId, attemptId));
        }
    }

    @Override
    public void step(final PlacementStep step) {
        stepCounts.merge(step.kind(), 1, Integer::sum);
        record(step.dataflowId()).onStep(step);
    }

    @Override
    public void verdict(final PlacementVerdict verdict) {
        final PlacementRecord record = record(verdict.dataflowId());
        record.onVerdict(verdict);
        if (record.verdicts.size() == 2) {
            for (int process = 0; process < settings.processes(); process++) {
                final AdmissionProcess target = processes.get(process);
                toProcesses.get(process).send(() -> target.onDataflowFailed(verdict.dataflowId()));
            }
        }
    }

    /** When nothing more can happen. */
    void check() {
        records.values().forEach(record -> record.check(isCoordinatorDead));
        if (!isCoordinatorDead) {
            assertThat(placements.openCount()).as("%s: placements left", name).isZero();
        }
        for (final AdmissionProcess process : processes) {
            if (!process.isDead) {
                assertThat(process.reservations.openCount())
                        .as("%s: reservations left", name)
                        .isZero();
                assertThat(process.reservations.runningCount())
                        .as("%s: tasks left", name)
                        .isZero();
                assertThat(process.capacity.permitsFree())
                        .as("%s: permits lost", name)
                        .isEqualTo(AdmissionProcess.PERMITS);
                assertThat(process.capacity.reservationsOpen()).as(name).isZero();
                assertThat(process.capacity.tasksRunning()).as(name).isZero();
            }
        }
    }

    /** How all placements ended, by words. */
    Map<String, Integer> endings() {
        final Map<String, Integer> counts = new HashMap<>();
        for (final PlacementRecord record : records.values()) {
            final String ending = record.verdicts.isEmpty()
                    ? "none"
                    : record.verdicts.size() == 2
                            ? "FAILED after go-ahead"
                            : record.verdicts.get(0).kind().toString();
            counts.merge(ending, 1, Integer::sum);
        }
        return counts;
    }

    private long delayNs() {
        final long spread = settings.delayMaxNs() - settings.delayMinNs();
        final long stallNs = happens(settings.stalled()) ? (long) (settings.stallMaxNs() * random.nextDouble()) : 0;
        return settings.delayMinNs() + (long) (spread * random.nextDouble()) + stallNs;
    }
}
