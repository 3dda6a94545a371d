package io.hawser.jmh.bench;

import java.util.List;

/**
 * A priority for the measured processes over what else runs on the machine. Linux weighs sessions against each other before it weighs processes, so each
 * gets a session of its own.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param niceness from -20 to 19, less is more urgent; 0 changes nothing
 */
record Priority(int niceness) {
    private static final String SCRIPT =
            "echo \"$1\" 2>/dev/null > /proc/self/autogroup; n=\"$1\"; shift; exec nice -n \"$n\" \"$@\"";

    /** What a command has to begin with. */
    List<String> prefix() {
        return niceness == 0 ? List.of() : List.of("setsid", "sh", "-c", SCRIPT, "sh", Integer.toString(niceness));
    }
}
