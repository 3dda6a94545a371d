package io.hawser.transport;

/**
 * What has been agreed about the lanes of a link, as a send ring needs it.
 *
 * @param lanes         where all lanes of the link are kept
 * @param channelWindow bytes that each lane may have in flight, at least
 * @param laneLimit     how many lanes the worker may have at a time
 */
record LaneTerms(SendLanes lanes, long channelWindow, long laneLimit) {}
