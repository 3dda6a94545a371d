package io.hawser.transport;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The settings of {@link Links}: who this process is, how many links it may have, and, in the settings of a cluster of one process, everything that links and meshes have in
 * common.
 *
 * <p>Of those settings the only address is where this process is to be found by those who dial it, and where it listens unless there is a {@link ClusterConfig#bindAddress()}. {@link ClusterConfig#formationTimeoutNs()} bounds a dial, {@link ClusterConfig#workersPerProcess()} is the number of threads that may send on a link.
 * {@link ClusterConfig#clusterId()}, the number of workers, heartbeat interval and silence time-out must be equal on both sides; of windows and limits the smaller one holds.
 *
 * <p><em>Threading:</em> immutable.
 *
 * @param name      who this process is, for messages and for whoever looks for a link; 1…128 bytes of UTF-8 without control characters
 * @param linkLimit how many links may be open at a time, dialled and accepted ones together; bounds memory and threads: each has two threads and the memory that
 *                  {@link ClusterConfig#directMemoryLimit()} tells of a cluster of two. Those beyond it are refused
 * @param isAnyPort whether any free port will do instead of those of the settings; {@link Links#address()} tells which it is
 * @param settings  of a cluster of one process
 */
public record LinkConfig(String name, int linkLimit, boolean isAnyPort, ClusterConfig settings) {
    /** Links that may be open at a time unless something else is asked for. */
    public static final int LINK_LIMIT = 1_024;

    private static final int NAME_LENGTH_MAX = 128;

    /**
     * Checks the settings.
     *
     * @param name      of this process
     * @param linkLimit 1 or more
     * @param isAnyPort whether any free port will do
     * @param settings  with one address
     * @throws IllegalArgumentException if the name is empty, too long or not plain, the limit is not positive, or the settings are those of several processes, or without an address
     */
    public LinkConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(settings, "settings");
        if (name.isEmpty()
                || name.getBytes(StandardCharsets.UTF_8).length > NAME_LENGTH_MAX
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a name has 1 to " + NAME_LENGTH_MAX + " bytes without control characters: name=" + name);
        }
        if (linkLimit < 1) {
            throw new IllegalArgumentException("no link would be allowed: linkLimit=" + linkLimit);
        }
        if (settings.processCount() != 1 || settings.addresses().size() != 1) {
            throw new IllegalArgumentException("the settings of links are those of one process and its address:"
                    + " addresses=" + settings.addresses());
        }
    }

    /**
     * Settings with the usual limit of links.
     *
     * @param name     of this process
     * @param settings with one address
     * @return the settings
     * @throws IllegalArgumentException as the constructor
     */
    public static LinkConfig of(final String name, final ClusterConfig settings) {
        return new LinkConfig(name, LINK_LIMIT, false, settings);
    }

    /** {@return the same, listening at any free port} */
    public LinkConfig atAnyPort() {
        return new LinkConfig(name, linkLimit, true, settings);
    }

    /**
     * The same with another limit.
     *
     * @param count links that may be open at a time, 1 or more
     * @return a changed copy
     * @throws IllegalArgumentException if the count is not positive
     */
    public LinkConfig withLinkLimit(final int count) {
        return new LinkConfig(name, count, isAnyPort, settings);
    }
}
