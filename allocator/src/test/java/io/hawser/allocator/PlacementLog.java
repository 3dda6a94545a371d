package io.hawser.allocator;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Keeps what placements want done. */
final class PlacementLog implements PlacementSink {
    final List<PlacementStep> steps = new ArrayList<>();
    final List<PlacementVerdict> verdicts = new ArrayList<>();
    final List<DirectBuffer> plans = new ArrayList<>();
    private List<String> frames = new ArrayList<>();

    /** What was sent since the last call. */
    List<String> take() {
        final List<String> taken = frames;
        frames = new ArrayList<>();
        return taken;
    }

    List<PlacementStep.Kind> kinds() {
        return steps.stream().map(PlacementStep::kind).toList();
    }

    @Override
    public void start(final int worker, final long dataflowId, final long attemptId, final PlacementTask task) {
        frames.add("START " + attemptId + " to worker " + worker);
    }

    @Override
    public void go(final int worker, final long dataflowId, final long attemptId, final DirectBuffer plan) {
        frames.add("GO " + attemptId + " to worker " + worker);
        plans.add(plan);
    }

    @Override
    public void release(final int process, final long dataflowId, final long attemptId) {
        frames.add("RELEASE " + attemptId + " to process " + process);
    }

    @Override
    public void step(final PlacementStep step) {
        steps.add(step);
    }

    @Override
    public void verdict(final PlacementVerdict verdict) {
        verdicts.add(verdict);
    }
}
