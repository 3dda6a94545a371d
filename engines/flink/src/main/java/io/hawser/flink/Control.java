package io.hawser.flink;

import org.agrona.MutableDirectBuffer;

/**
 * Something that a consumer wants to tell a producer.
 *
 * <p><em>Threading:</em> for the thread of the link's {@link ShuffleAgent}.
 */
@FunctionalInterface
interface Control {
    /**
     * Writes the record, from index 0 on. Called once, when it is its turn.
     *
     * @param target that grows as needed
     * @return the record's length, 0 if there is nothing to tell any more
     */
    int encode(MutableDirectBuffer target);
}
