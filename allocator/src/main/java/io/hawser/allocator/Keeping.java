package io.hawser.allocator;

import io.hawser.transport.Former;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What a supervised process has been handed, and what its workers keep in this generation.
 *
 * <p><em>Threading:</em> each worker keeps for itself; taken over by the supervising thread once all workers have ended.
 */
final class Keeping {
    /** Of a cluster that nobody supervises: there is no next one that could be handed anything. */
    static final Keeping UNSUPERVISED = new Keeping(Handover.NONE, 0);

    private final Handover handover;
    private final AtomicReferenceArray<Object> states;

    Keeping(final Handover handover, final int workersPerProcess) {
        this.handover = handover;
        this.states = new AtomicReferenceArray<>(workersPerProcess);
    }

    Handover handover() {
        return handover;
    }

    void keep(final int localIndex, final Object state) {
        if (isOfOneGeneration(state)) {
            throw new IllegalArgumentException("it ends with its generation, so it cannot be kept: state=" + state);
        }
        if (this != UNSUPERVISED) {
            states.set(localIndex, state);
        }
    }

    private static boolean isOfOneGeneration(final Object state) {
        return state instanceof Worker
                || state instanceof Cluster
                || state instanceof Dataflow
                || state instanceof Channel
                || state instanceof RawChannel
                || state instanceof RetainedMessage;
    }

    /** What the next generation is handed: what all workers have kept here, or else what this one was handed. */
    Handover commit(final Former place) {
        final List<Object> kept = new ArrayList<>();
        for (int i = 0; i < states.length(); i++) {
            final Object state = states.get(i);
            if (state == null) {
                return handover;
            }
            kept.add(state);
        }
        return kept.isEmpty() ? handover : new Handover(place, kept);
    }
}
