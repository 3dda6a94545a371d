package io.hawser.jmh.peers;

import java.util.Locale;

/**
 * What one process of a run does.
 *
 * <p><em>Threading:</em> immutable.
 */
public enum Role {
    /** Listens; receives, or echoes. */
    RECEIVER,

    /** Connects; sends, or pings. */
    SENDER,

    /** One of several that are all alike. */
    NODE;

    /**
     * The name as it stands in commands.
     *
     * @return lower case
     */
    public String argument() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The role that a command means.
     *
     * @param argument a name in any case
     * @return the role
     * @throws IllegalArgumentException if there is none
     */
    public static Role of(final String argument) {
        return valueOf(argument.toUpperCase(Locale.ROOT));
    }
}
