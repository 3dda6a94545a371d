package io.hawser.jmh.bench;

import java.util.List;

/**
 * A priority for the measured processes over what else runs on the machine.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param niceness from -20 to 19, less is more urgent; 0 changes nothing
 */
record Priority(int niceness) {
    /** What a command has to begin with. */
    List<String> prefix() {
        return niceness == 0 ? List.of() : List.of("nice", "-n", Integer.toString(niceness));
    }
}
