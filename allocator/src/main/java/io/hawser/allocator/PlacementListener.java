package io.hawser.allocator;

/**
 * Watches a placement.
 *
 * <p><em>Threading:</em> called by one thread of the process, one call at a time, never a worker's. Must not block: other placements wait meanwhile. What it throws is logged.
 */
public interface PlacementListener {
    /**
     * Something has happened to an attempt.
     *
     * @param step what
     */
    default void onStep(final PlacementStep step) {}

    /**
     * What has become of the placement; a second time only if it was placed and a go-ahead came to nothing, which ends the dataflow.
     *
     * @param verdict the verdict
     */
    default void onVerdict(final PlacementVerdict verdict) {}
}
