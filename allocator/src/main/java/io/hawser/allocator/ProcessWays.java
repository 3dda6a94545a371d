package io.hawser.allocator;

/**
 * The ways of one channel from one worker to the workers of one process, or, if not all of those are members of its dataflow, to one of them.
 *
 * @param toEach by the worker's index in its process, or the only one
 * @param toAll  to all of them; the same as the only one if there is one
 * @param spill  what could not go there yet; null if the channel does not spill
 */
record ProcessWays(Way[] toEach, Way toAll, SpillLane spill) {}
