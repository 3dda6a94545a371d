package io.hawser.transport;

import io.hawser.framing.RefuseReason;

/**
 * Why one side does not talk to the other.
 *
 * @param reason     the reason
 * @param generation generation of the side that refuses
 * @param text       the reason in words
 */
record Refusal(RefuseReason reason, long generation, String text) {}
