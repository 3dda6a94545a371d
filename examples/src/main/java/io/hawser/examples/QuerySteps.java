package io.hawser.examples;

import io.hawser.allocator.PlacementListener;
import io.hawser.allocator.PlacementStep;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Tells what goes another way than straight in placements, and counts all.
 *
 * <p><em>Threading:</em> steps come in one thread at a time; the counts are for any.
 */
final class QuerySteps implements PlacementListener {
    private final Map<PlacementStep.Kind, Long> counts = new EnumMap<>(PlacementStep.Kind.class);
    private final Consumer<PlacementStep> watcher;

    /**
     * Begins to count.
     *
     * @param watcher is shown each step after it was counted
     */
    QuerySteps(final Consumer<PlacementStep> watcher) {
        this.watcher = watcher;
    }

    @Override
    public void onStep(final PlacementStep step) {
        synchronized (counts) {
            counts.merge(step.kind(), 1L, Long::sum);
        }
        watcher.accept(step);
    }

    long count(final PlacementStep.Kind kind) {
        synchronized (counts) {
            return counts.getOrDefault(kind, 0L);
        }
    }

    static String text(final PlacementStep step) {
        final String what = "query " + step.dataflowId() + ", task " + step.task() + ": worker " + step.worker();
        final String outcome = switch (step.kind()) {
            case REJECTED -> " rejects";
            case TIMED_OUT -> " has not answered in time, so the task goes elsewhere";
            case ACCEPTED_LATE -> " accepts too late, and is released";
            default -> ": " + step.kind();
        };
        return what + outcome + (step.kind() == PlacementStep.Kind.REJECTED ? ": " + step.reason() : "");
    }
}
