package io.hawser.allocator;

import org.agrona.DirectBuffer;

/**
 * What {@link Placements} wants done: three frames to workers' processes, and two things to tell who has asked for the placement. Calls must not come back into the placements before they return, and must
 * not throw. What is said to one process has to arrive in this order, or not at all if the process is lost.
 *
 * <p><em>Threading:</em> called by the thread that calls the placements.
 */
interface PlacementSink {
    /** START. */
    void start(int worker, long dataflowId, long attemptId, PlacementTask task);

    /** GO, with the opaque bytes of {@link PlanDescriptor}. */
    void go(int worker, long dataflowId, long attemptId, DirectBuffer plan);

    /** CANCEL of one attempt, origin release. Its answer needs nobody. */
    void release(int process, long dataflowId, long attemptId);

    void step(PlacementStep step);

    void verdict(PlacementVerdict verdict);
}
