package io.hawser.allocator;

/**
 * The ways of one channel from one worker to one process.
 *
 * @param toEach by the worker's index in its process
 * @param toAll  to all of them; the same as the only one if the process has one worker
 * @param spill  what could not go there yet; null if the channel does not spill
 */
record ProcessWays(Way[] toEach, Way toAll, SpillLane spill) {}
